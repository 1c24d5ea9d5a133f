import RunnelStreams
import RunnelText

/// The letters that were typed to find a row, until a pause.
///
/// A class, so that no property of the table is being changed while a scheduler is called.
final class TypeSelect {
  private var text = ""
  private var pause = Disposable.none

  /// How long the pause is after which another word begins.
  private static let pauseTime = Duration.seconds(1)

  var isEmpty: Bool { text.isEmpty }

  /// Adds a letter.
  func add(_ character: Character) {
    text.append(character)
    pause.dispose()
  }

  /// Begins another word after a pause, which may be over at once.
  func forgetAfterPause(on scheduler: (any Scheduler)?) {
    pause = (scheduler ?? Current.scheduler).schedule(after: Self.pauseTime) { [weak self] in
      self?.forget()
    }
  }

  /// Begins another word.
  func forget() {
    text = ""
    pause.dispose()
  }

  /// The row to begin looking at: a word that goes on may stay where it is, a new one is looked for below.
  func start(from row: Int?) -> Int {
    guard let row else { return 0 }
    return isRepeated ? row + 1 : row
  }

  /// Whether what a row says begins with what was typed, without regard to case and accents.
  func matches(_ candidate: String) -> Bool {
    let word = isRepeated ? String(text.prefix(1)) : text
    return FoldedText(String(candidate.prefix(word.count))).hasPrefix(FoldedText(word))
  }

  /// Whether it is one letter, or the same again and again, which goes through all rows that begin with it.
  private var isRepeated: Bool {
    let letters = text.lowercased()
    return letters.allSatisfy { $0 == letters.first }
  }
}
