import RunnelStreams

/// The owners of the names that somebody observes.
final class OwnerTable {
  final class Entry {
    let state = Property(ServiceState.unknown)
    fileprivate(set) var useCount = 0
    fileprivate var query = Disposable.none
    /// The observation of the signal that announces a new owner.
    fileprivate(set) var rule = Disposable.none

    func keep(_ rule: Disposable) {
      self.rule = rule
    }
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

  /// Returns the entry of a name and true if it is new.
  func use(_ name: String) -> (Entry, isNew: Bool) {
    let known = entries[name]
    let entry = known ?? Entry()
    entry.useCount += 1
    entries[name] = entry
    return (entry, known == nil)
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

  /// Notes that the bus was asked to start an absent service.
  func startBegan(_ name: String) {
    guard let entry = entries[name], entry.state.value == .absent else { return }
    entry.state.value = .starting
  }

  /// Notes that the bus has answered. The service is absent if it has not taken the name.
  func startEnded(_ name: String) {
    guard let entry = entries[name], entry.state.value == .starting else { return }
    entry.state.value = .absent
  }

  func forgetAll() {
    for entry in Array(entries.values) { entry.state.value = .unknown }
  }
}
