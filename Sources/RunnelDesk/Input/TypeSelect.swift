import RunnelStreams
import RunnelText

/// The letters that were typed to find a row. A pause ends the word.
///
/// This is a class, so that the scheduler is not called while a property of the table is being
/// mutated.
final class TypeSelect {
  private var text = ""
  private var pause = Disposable.none

  /// The length of the pause after which a new word begins.
  private static let pauseTime = Duration.seconds(1)

  var isEmpty: Bool { text.isEmpty }

  /// Adds a letter and cancels the pause.
  func add(_ character: Character) {
    text.append(character)
    pause.dispose()
  }

  /// Starts the pause, after which a new word begins. With some schedulers it ends at once.
  func forgetAfterPause(on scheduler: (any Scheduler)?) {
    pause = (scheduler ?? Current.scheduler).schedule(after: Self.pauseTime) { [weak self] in
      self?.forget()
    }
  }

  /// Begins a new word.
  func forget() {
    text = ""
    pause.dispose()
  }

  /// Returns the row where the search begins: the given row for a longer word, the next one for a
  /// repeated letter.
  func start(from row: Int?) -> Int {
    guard let row else { return 0 }
    return isRepeated ? row + 1 : row
  }

  /// Returns true if a text begins with the typed letters, ignoring case and accents.
  func matches(_ candidate: String) -> Bool {
    let word = isRepeated ? String(text.prefix(1)) : text
    return FoldedText(String(candidate.prefix(word.count))).hasPrefix(FoldedText(word))
  }

  /// True when only one letter was typed, once or repeatedly. Each repetition selects the next row
  /// that begins with it.
  private var isRepeated: Bool {
    let letters = text.lowercased()
    return letters.allSatisfy { $0 == letters.first }
  }
}
