import RunnelStreams

/// The handlers of signals, and the match rules that the bus needs for them.
final class SignalTable {
  final class Handler {
    let filter: SignalFilter
    /// The match rule that lets the signals through, and perhaps others.
    fileprivate(set) var rule: String
    fileprivate var action: ((BusSignal) -> Void)?
    fileprivate var refused: ((BusError) -> Void)?

    init(
      _ filter: SignalFilter, _ action: @escaping (BusSignal) -> Void,
      refused: @escaping (BusError) -> Void
    ) {
      self.filter = filter
      rule = filter.rule
      self.action = action
      self.refused = refused
    }
  }

  private var handlers: [String: [Handler]] = [:]
  /// The match rules with the numbers of their handlers.
  private var rules: [String: Int] = [:]

  var allRules: [String] { Array(rules.keys) }

  /// The number of rules beyond which a new one lets more signals through, so that others can share it. The
  /// bus of the system allows a connection 512 rules.
  private static let exactRuleLimit = 256

  /// Returns true if the rule of the handler is new.
  func add(_ handler: Handler) -> Bool {
    if rules[handler.rule] == nil, rules.count >= Self.exactRuleLimit {
      handler.rule = handler.filter.wideRule
    }
    handlers[handler.filter.name, default: []].append(handler)
    rules[handler.rule, default: 0] += 1
    return rules[handler.rule] == 1
  }

  /// Returns true if no other handler needs the rule.
  func remove(_ handler: Handler) -> Bool {
    guard handlers[handler.filter.name]?.contains(where: { $0 === handler }) == true else {
      return false
    }
    drop(handler)
    return rules[handler.rule] == nil
  }

  /// Removes the handlers with a rule that the bus refuses, and tells them.
  func refuse(_ rule: String, _ error: BusError) {
    let refused = handlers.values.joined().filter { $0.rule == rule }
    let actions = refused.compactMap(\.refused)
    for handler in refused { drop(handler) }
    for action in actions { action(error) }
  }

  /// Removes all handlers, because the connection is released.
  func removeAll() {
    for handler in Array(handlers.values.joined()) { drop(handler) }
  }

  private func drop(_ handler: Handler) {
    let name = handler.filter.name
    handlers[name]?.removeAll { $0 === handler }
    if handlers[name]?.isEmpty == true { handlers[name] = nil }
    let count = (rules[handler.rule] ?? 1) - 1
    rules[handler.rule] = count == 0 ? nil : count
    release(exchange(&handler.action, with: nil))
    release(exchange(&handler.refused, with: nil))
  }

  /// Returns true if a signal of the name may have handlers.
  func hasHandlers(for name: String) -> Bool { handlers[name] != nil }

  /// Calls the handlers in the order in which they were added. A handler that is removed meanwhile is
  /// not called any more.
  func deliver(_ signal: BusSignal, owner: (String) -> String?) {
    var first: String??
    for handler in handlers[signal.name] ?? [] {
      let filter = handler.filter
      guard filter.interface == signal.interface else { continue }
      if let path = filter.path, path != signal.path { continue }
      if let service = filter.service, !comes(signal, from: service, owner) { continue }
      if filter.readsFirstText {
        let text = first ?? Self.firstText(of: signal.body)
        first = .some(text)
        guard filter.accepts(firstText: text) else { continue }
      }
      handler.action?(signal)
    }
  }

  private func comes(
    _ signal: BusSignal, from service: String, _ owner: (String) -> String?
  ) -> Bool {
    guard let sender = signal.sender else { return false }
    return sender == service || sender == owner(service)
  }

  /// Returns the first value if it is a text. Other values are not read, because they can be large.
  private static func firstText(of body: BusBody) -> String? {
    let types = body.signature.types
    guard types.first == .string else { return nil }
    do throws(BusError) {
      return try body.read(types) { reader throws(BusError) in try String(from: reader) }
    } catch {
      return nil
    }
  }
}
