/// The texts that the user has entered in a field, from the oldest to the latest.
///
///     var history = InputHistory()
///     history.add("milk")
///     history.add("bread")
///     print(history.move(-1) ?? "", history.move(-1) ?? "")  // bread milk
public struct InputHistory: Sendable {
  private var texts: [String] = []
  /// The index of the shown text; the count of texts if none is shown.
  private var place = 0
  private let limit: Int

  /// Creates an empty history, which keeps the latest texts up to a limit.
  public init(limit: Int = 100) { self.limit = max(limit, 0) }

  /// Adds a text at the end. An equal one moves there. An empty text is ignored.
  public mutating func add(_ text: String) {
    if text.isEmpty { return }
    texts.removeAll { $0 == text }
    texts = (texts + [text]).suffix(limit)
    place = texts.count
  }

  /// Moves by a number of texts, and returns the text that is shown then: an empty one after the
  /// last text. Returns nil, and does not move, if there is no such text.
  public mutating func move(_ step: Int) -> String? {
    let next = place.plus(step)
    guard (0...texts.count).contains(next) else { return nil }
    place = next
    return next == texts.count ? "" : texts[next]
  }
}
