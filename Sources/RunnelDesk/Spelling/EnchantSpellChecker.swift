import Glibc

/// The spelling dictionaries of the desktop, as far as they are installed.
///
///     Task { editor.spellChecker = await EnchantSpellChecker.load() }
///
/// The library Enchant 2, which most desktops have, finds the dictionaries of Hunspell,
/// Aspell and others, and keeps the words that the user has added in `~/.config/enchant`. The library is
/// loaded when the program runs, so building needs no package, and without it nothing is checked.
public final class EnchantSpellChecker: SpellChecker {
  private let library: Enchant

  private init(_ library: Enchant) { self.library = library }

  /// The languages that are checked, such as `en_US`. A word is correct if one of them has it.
  public var languages: [String] { library.languages }

  /// Loads the dictionaries of some languages, by default of the user's: see ``userLanguages``. Returns nil if
  /// the library is missing, or has no dictionary for them.
  ///
  /// A language without a country, such as `en`, stands for its first dictionary. The dictionaries are read on
  /// another thread, because it takes about 0.1 s for each of them.
  public static func load(
    _ languages: [String] = EnchantSpellChecker.userLanguages
  ) async -> EnchantSpellChecker? {
    await Enchant.open(languages).map { EnchantSpellChecker($0) }
  }

  /// Returns true if a word is spelled correctly in one of the languages.
  public func isCorrect(_ word: String) -> Bool { library.isCorrect(word) }

  /// Returns words that may be meant: the suggestions of the first language first.
  public func suggestions(for word: String) -> [String] { library.suggestions(for: word) }

  /// Adds a word to the user's dictionary of the first language.
  public func learn(_ word: String) { library.learn(word) }

  /// Accepts a word until the program ends.
  public func ignore(_ word: String) { library.ignore(word) }

  /// The languages of the user, from the environment: the languages of `LANGUAGE`, and the locale. In the locale
  /// `C`, it is English.
  public nonisolated static var userLanguages: [String] {
    languages { name in getenv(name).flatMap { String(validatingCString: $0) } }
  }

  nonisolated static func languages(in environment: (String) -> String?) -> [String] {
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment)
      .first { !$0.isEmpty }.map(language)
    guard let locale, !["C", "POSIX"].contains(locale) else { return ["en"] }
    let listed = (environment("LANGUAGE") ?? "").split(separator: ":").map { language(String($0)) }
    return (listed + [locale]).reduce(into: []) { all, name in
      if !name.isEmpty && !all.contains(name) { all.append(name) }
    }
  }

  /// Returns the language and the country of a locale such as `de_DE.UTF-8@euro`.
  private nonisolated static func language(_ locale: String) -> String {
    String(locale.prefix { $0 != "." && $0 != "@" })
  }
}
