/// A signal that was received.
public struct BusSignal {
  /// The unique name of the sender. It is nil on a connection without a bus.
  public let sender: String?
  /// The path of the object that sent the signal.
  public let path: ObjectPath
  /// The interface that declares the signal.
  public let interface: String
  /// The name of the signal.
  public let name: String
  /// The values.
  public let body: BusBody
}

/// The condition for signals that a program wants to receive.
public struct SignalFilter: Hashable, Sendable {
  /// The name of the signal.
  public var name: String
  /// The interface that declares the signal.
  public var interface: String
  /// The object. With nil, signals of all objects match.
  public var path: ObjectPath?
  /// The service. With a well-known name, signals of its present owner match. With nil, signals of all
  /// services match.
  public var service: String?
  /// The first value, if it must be a certain text.
  public var firstArgument: String?
  /// The beginning of the first value, up to its end or to a dot. It must be valid as the beginning of a
  /// name on the bus.
  var firstNamespace: String?
  /// True for the changes of owners after which a name has no owner.
  var isOfDepartures = false

  /// Creates a filter.
  public init(
    _ name: String, of interface: String, at path: ObjectPath? = nil, from service: String? = nil,
    firstArgument: String? = nil
  ) {
    self.name = name
    self.interface = interface
    self.path = path
    self.service = service
    self.firstArgument = firstArgument
  }

  func check() throws(BusError) {
    if !NameRules.isMember(name) { throw .invalidName(name) }
    if !NameRules.isInterface(interface) { throw .invalidName(interface) }
    if let service, !NameRules.isService(service) { throw .invalidName(service) }
  }

  /// Returns true if the first value, when it is a text, is one that the filter lets through.
  func accepts(firstText text: String?) -> Bool {
    if let firstArgument, text != firstArgument { return false }
    guard let firstNamespace else { return true }
    guard let text else { return false }
    return text == firstNamespace || text.hasPrefix(firstNamespace + ".")
  }

  /// True if only signals with certain first values match.
  var readsFirstText: Bool { firstArgument != nil || firstNamespace != nil }

  /// A match rule that lets all signals of the interface through that the service sends.
  var wideRule: String {
    let rule = "type='signal',interface='\(interface)'"
    return service.map { "\(rule),sender='\($0)'" } ?? rule
  }

  /// The match rule for the bus. Filters for several signals of an interface share it, because a bus limits
  /// the number of rules.
  var rule: String {
    var parts = [wideRule]
    if let path { parts.append("path='\(path)'") }
    if let firstArgument {
      // An apostrophe is written outside of the quotes.
      let escaped = firstArgument.split(separator: "'", omittingEmptySubsequences: false)
      parts.append("arg0='\(escaped.joined(separator: "'\\''"))'")
    }
    if let firstNamespace { parts.append("arg0namespace='\(firstNamespace)'") }
    if isOfDepartures { parts.append("arg2=''") }
    return parts.joined(separator: ",")
  }
}
