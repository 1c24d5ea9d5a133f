import Foundation
import Testing

@testable import RunnelDesk

/// The library and its dictionary of English are those that `Scripts/setup` installs.
@Suite struct EnchantSpellCheckerTests {
  @MainActor @Test func libraryChecksWords() async throws {
    let checker = try #require(await EnchantSpellChecker.load(["en_US"]))
    #expect(checker.languages == ["en_US"])
    for word in ["milk", "Milk", "don't", "don’t", ""] {
      #expect(checker.isCorrect(word), "\(word)")
    }
    for word in ["mlik", "mílk"] { #expect(!checker.isCorrect(word), "\(word)") }
    #expect(checker.suggestions(for: "mlik").contains("milk"))
    #expect(checker.suggestions(for: "") == [] && checker.isCorrect("a\0b"))
    checker.ignore("mlik")
    #expect(checker.isCorrect("mlik"))
    // A letter and a separate accent are the composed letter.
    checker.ignore("na\u{EF}vely")
    #expect(checker.isCorrect("nai\u{308}vely") && !checker.isCorrect("nai\u{301}vely"))
  }

  @MainActor @Test func missingLanguageHasNoChecker() async {
    #expect(await EnchantSpellChecker.load(["xx_XX"]) == nil)
    #expect(await EnchantSpellChecker.load([]) == nil)
  }

  @Test(arguments: [
    ([:], ["en"]), (["LANG": "C.UTF-8", "LANGUAGE": "de"], ["en"]),
    (["LANG": "de_AT.UTF-8"], ["de_AT"]), (["LANG": "de_DE@euro", "LC_ALL": ""], ["de_DE"]),
    (["LANG": "fr_FR", "LC_ALL": "POSIX"], ["en"]),
    (["LANG": "de_DE.UTF-8", "LANGUAGE": "de:en_GB:de_DE"], ["de", "en_GB", "de_DE"]),
  ])
  func languagesAreThoseOfEnvironment(_ environment: [String: String], _ expected: [String]) {
    #expect(EnchantSpellChecker.languages { environment[$0] } == expected)
  }

  @Test(arguments: [
    (["en"], ["en_US"]), (["en_GB"], ["en_GB"]), (["en_AU", "en"], ["en_GB"]),
    (["en_US", "en"], ["en_US"]), (["de"], ["de"]),
    (["de_AT"], ["de"]), (["fr"], []), (["fr", "de", "en_US"], ["de", "en_US"]),
  ])
  func dictionaryOfLanguageIsChosen(_ wanted: [String], _ expected: [String]) {
    let installed = expected == ["en_US"] ? ["en_US"] : ["en_US", "de", "en_GB"]
    #expect(Enchant.dictionaries(for: wanted, among: installed) == expected)
  }
}
