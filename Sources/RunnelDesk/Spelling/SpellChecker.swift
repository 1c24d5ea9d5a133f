/// A dictionary that checks the words of a ``TextView``.
///
///     final class Names: SpellChecker {
///       var known: Set<String> = ["Anna", "Ben"]
///       func isCorrect(_ word: String) -> Bool { known.contains(word) }
///       func suggestions(for word: String) -> [String] { known.sorted() }
///       func learn(_ word: String) { known.insert(word) }
///       func ignore(_ word: String) { known.insert(word) }
///     }
///     let names = Names()
///     editor.spellChecker = names
///
/// A view asks for each word of the lines in view, once. See ``EnchantSpellChecker`` for the dictionaries of
/// the desktop.
@MainActor
public protocol SpellChecker: AnyObject {
  /// Returns true if a word is spelled correctly.
  func isCorrect(_ word: String) -> Bool
  /// Returns words that may be meant, the best one first.
  func suggestions(for word: String) -> [String]
  /// Adds a word to the user's dictionary, which is kept.
  func learn(_ word: String)
  /// Accepts a word until the program ends.
  func ignore(_ word: String)
}
