// What is printed of a collection, of its events and of what has changed.

extension ObservableCollection {
  /// What there is now, as the collection that it is like prints it.
  public var description: String { "\(value)" }
}

extension CollectionProperty: CustomStringConvertible {}
extension LiveCollection: CustomStringConvertible {}

extension ListGroup: CustomStringConvertible {
  /// The key and the elements: `4: ["Emma", "Dune"]`.
  public var description: String { "\(String(reflecting: key)): \(value)" }
}

extension CollectionEvent: CustomStringConvertible {
  /// What there is, and what has become of the collection before: `[1, 2, 3] (inserts [0, 2])`.
  public var description: String { "\(collection) (\(change))" }
}

extension CollectionChange: CustomStringConvertible {
  /// `initial`, `reset`, or what has changed.
  public var description: String {
    switch self {
    case .initial: "initial"
    case .reset: "reset"
    case .changes(let changes): "\(changes)"
    }
  }
}

extension ListChanges: CustomStringConvertible {
  /// The indices, kind by kind: `deletes [0], moves [3→1], inserts [2, 4]`.
  public var description: String {
    sentence([
      part("updates", updates), part("deletes", deletes), part("moves", moves),
      part("inserts", inserts),
    ])
  }
}

extension DictionaryChanges: CustomStringConvertible {
  /// The keys and their values, kind by kind: `updates ["Jim": 33→34], inserts ["Bones": 39]`.
  public var description: String {
    sentence([part("updates", updates), part("deletes", deletes), part("inserts", inserts)])
  }
}

extension DictionaryChanges.Update: CustomStringConvertible {
  /// Both values: `33→34`.
  public var description: String { "\(String(reflecting: old))→\(String(reflecting: new))" }
}

extension SetChanges: CustomStringConvertible {
  /// The members, kind by kind: `deletes [1], inserts [3]`.
  public var description: String {
    sentence([part("deletes", deletes), part("inserts", inserts)])
  }
}

extension SectionChanges: CustomStringConvertible {
  /// The indices, kind by kind, then the items by the section in which they are now:
  /// `deletes [0], items of 1: inserts [4]`.
  public var description: String {
    let sections = [
      part("headers", headers), part("deletes", deletes), part("moves", moves),
      part("inserts", inserts),
    ]
    return sentence(sections + items.map { "items of \($0.newSection): \($0.changes)" })
  }
}

extension ListSection: CustomStringConvertible {
  /// The header and the items: `"Fiction": ["Emma", "Dune"]`.
  public var description: String { "\(String(reflecting: header)): \(items)" }
}

/// The things of a kind, if there are any.
private func part(_ name: String, _ things: some Sequence) -> String? {
  things.contains { _ in true } ? "\(name) \(things)" : nil
}

private func sentence(_ parts: [String?]) -> String {
  parts.compactMap { $0 }.joined(separator: ", ")
}
