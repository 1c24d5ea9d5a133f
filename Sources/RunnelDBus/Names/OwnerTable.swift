import RunnelStreams

/// The owners of the names that are observed.
final class OwnerTable {
  final class Entry {
    let state = Property(ServiceState.unknown)
    fileprivate(set) var useCount = 0
    fileprivate var query = Disposable.none
    /// The observation of the signal that announces a new owner.
    fileprivate(set) var rule = Disposable.none
    /// The number of unfinished calls that began while the service was absent, and may start it.
    fileprivate var startCount = 0
  }

  private var entries: [String: Entry] = [:]

  /// The filter for the signal with which the bus announces a new owner.
  static func changes(of name: String) -> SignalFilter {
    SignalFilter(
      "NameOwnerChanged", of: BusDriver.name, at: BusDriver.path, from: BusDriver.name,
      firstArgument: name)
  }

  var names: [String] { Array(entries.keys) }

  subscript(name: String) -> Entry? { entries[name] }

  /// Returns the entry of a name and true if it is new. A new one is followed with the closure.
  func use(_ name: String, follow: () -> Disposable) -> (Entry, isNew: Bool) {
    if let known = entries[name] {
      known.useCount += 1
      return (known, false)
    }
    let entry = Entry()
    entry.useCount = 1
    entries[name] = entry
    entry.rule = follow()
    return (entry, true)
  }

  /// Returns true if that was the last use.
  func endUse(of name: String) -> Bool {
    guard let entry = entries[name] else { return false }
    entry.useCount -= 1
    guard entry.useCount == 0 else { return false }
    entries[name] = nil
    entry.query.dispose()
    return true
  }

  /// Keeps the question for the owner until the last use ends.
  func ask(_ query: Disposable, for entry: Entry) {
    if entry.useCount == 0 { query.dispose() } else { entry.query = query }
  }

  /// Sets the owner of a name. An empty name stands for none.
  func setOwner(_ owner: String, of name: String) {
    entries[name]?.state.value = owner.isEmpty ? .absent : .present(owner: owner)
  }

  /// Returns true if the name is followed, and a call can make the bus start its service.
  func canStart(_ name: String) -> Bool {
    switch entries[name]?.state.value {
    case .absent, .starting: true
    case .unknown, .present, nil: false
    }
  }

  /// Notes that a call may make the bus start a service. When the result is disposed, the call has ended.
  /// After the last such call, the service is absent if it has not taken the name.
  func beginStart(of name: String) -> Disposable {
    guard canStart(name), let entry = entries[name] else { return .none }
    entry.startCount += 1
    if entry.state.value == .absent { entry.state.value = .starting }
    return Disposable {
      entry.startCount -= 1
      if entry.startCount == 0, entry.state.value == .starting { entry.state.value = .absent }
    }
  }

  /// Ends all questions, because the connection is released.
  func removeAll() {
    for entry in exchange(&entries, with: [:]).values {
      entry.query.dispose()
      entry.rule.dispose()
      (entry.query, entry.rule) = (.none, .none)
    }
  }

  func forgetAll() {
    for entry in Array(entries.values) { entry.state.value = .unknown }
  }
}
