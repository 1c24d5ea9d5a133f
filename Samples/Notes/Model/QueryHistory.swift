/// The searches of this run, from the oldest to the latest.
struct QueryHistory {
  private var texts: [String] = []
  /// The index of the shown search; the count of searches if none is shown.
  private var place = 0

  private static let limit = 100

  /// Adds a search at the end. An equal one moves there.
  mutating func add(_ text: String) {
    let text = text.trimmed
    guard !text.isEmpty else { return }
    texts.removeAll { $0 == text }
    texts = (texts + [text]).suffix(Self.limit)
    place = texts.count
  }

  /// Returns the search `step` places after the shown one; an empty text after the last one, and
  /// nil before the first one.
  mutating func move(_ step: Int) -> String? {
    guard (0...texts.count).contains(place + step) else { return nil }
    place += step
    return place == texts.count ? "" : texts[place]
  }
}
