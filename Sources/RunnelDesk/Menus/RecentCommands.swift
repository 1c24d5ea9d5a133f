/// The commands that were run last, without retaining them.
@MainActor
struct RecentCommands {
  private struct Entry {
    weak var item: MenuItem?
  }

  private var entries: [Entry] = []

  /// The number of commands that are remembered.
  static let maximumCount = 20

  /// Adds a command in front, and removes its older entry.
  mutating func insert(_ item: MenuItem) {
    entries.removeAll { $0.item == nil || $0.item === item }
    entries.insert(Entry(item: item), at: 0)
    entries = Array(entries.prefix(Self.maximumCount))
  }

  /// The place of each command, from 0 for the latest one.
  var places: [ObjectIdentifier: Int] {
    let items = entries.compactMap(\.item).map(ObjectIdentifier.init)
    return Dictionary(zip(items, items.indices)) { first, _ in first }
  }
}
