// Textual descriptions of collections, events and changesets.

extension ObservableCollection {
  /// A description of the current elements, in the form of the matching standard collection.
  public var description: String { "\(value)" }
}

extension CollectionProperty: CustomStringConvertible {}
extension LiveCollection: CustomStringConvertible {}

extension ListGroup: CustomStringConvertible {
  /// The key and the elements: `4: ["Emma", "Dune"]`.
  public var description: String { "\(String(reflecting: key)): \(value)" }
}

extension CollectionEvent: CustomStringConvertible {
  /// The collection and the change: `[1, 2, 3] (inserts [0, 2])`.
  public var description: String { "\(collection) (\(change))" }
}

extension CollectionChange: CustomStringConvertible {
  /// `initial`, `reset` or the description of the changeset.
  public var description: String {
    switch self {
    case .initial: "initial"
    case .reset: "reset"
    case .changes(let changes): "\(changes)"
    }
  }
}

extension ListChanges: CustomStringConvertible {
  /// The indices by kind: `deletes [0], moves [3→1], inserts [2, 4]`.
  public var description: String {
    sentence([
      part("updates", updates), part("deletes", deletes), part("moves", moves),
      part("inserts", inserts),
    ])
  }
}

extension DictionaryChanges: CustomStringConvertible {
  /// The keys and values by kind: `updates ["Jim": 33→34], inserts ["Bones": 39]`.
  public var description: String {
    sentence([part("updates", updates), part("deletes", deletes), part("inserts", inserts)])
  }
}

extension DictionaryChanges.Update: CustomStringConvertible {
  /// Both values: `33→34`.
  public var description: String { "\(String(reflecting: old))→\(String(reflecting: new))" }
}

extension SetChanges: CustomStringConvertible {
  /// The members by kind: `deletes [1], inserts [3]`.
  public var description: String {
    sentence([part("deletes", deletes), part("inserts", inserts)])
  }
}

extension SectionChanges: CustomStringConvertible {
  /// The section indices by kind, then the changes of items by new section index: `deletes [0],
  /// items of 1: inserts [4]`.
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

/// Returns a name followed by values, or nil if there are no values.
private func part(_ name: String, _ things: some Sequence) -> String? {
  things.contains { _ in true } ? "\(name) \(things)" : nil
}

private func sentence(_ parts: [String?]) -> String {
  parts.compactMap { $0 }.joined(separator: ", ")
}
