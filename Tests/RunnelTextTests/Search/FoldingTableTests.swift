import Testing

@testable import RunnelText

@Suite struct FoldingTableTests {
  private let script = TableScript(
    name: "folding-table", source: "Sources/RunnelText/Search/FoldingTable.swift")
  private let entries = FoldingTable.entries.split(separator: " ").map { Array($0.unicodeScalars) }

  /// Compares only when Python has the same version of Unicode.
  @Test func equalsTheOutputOfTheScript() throws {
    let (table, made) = try (script.table, script.made)
    #expect(made.contains("enum FoldingTable"))
    #expect(made == table || TableScript.version(of: made) != TableScript.version(of: table))
  }

  /// Each letter occurs once, in order, and differs from its folding.
  @Test func lettersAreSortedAndFoldToOthers() {
    #expect(entries.count > 600)
    for (entry, next) in zip(entries, entries.dropFirst()) {
      #expect(entry[0].value < next[0].value, "\(entry)")
    }
    #expect(entries.allSatisfy { $0.count > 1 && $0[0].value >= 0x80 && $0[1...] != $0[...0] })
  }

  /// Folding a folded letter changes nothing, and folded letters have no marks.
  @Test func foldingIsIdempotent() {
    for entry in entries {
      let folded = String(String.UnicodeScalarView(entry.dropFirst()))
      let letter = String(entry[0])
      #expect(FoldedText(letter).bytes == ArraySlice(folded.utf8), "\(letter)")
      #expect(FoldedText(folded).bytes == ArraySlice(folded.utf8), "\(letter)")
      for scalar in folded.unicodeScalars {
        #expect(scalar.properties.generalCategory != .nonspacingMark, "\(letter)")
      }
    }
  }

  @Test(arguments: [
    ("é", "e"), ("ß", "ss"), ("ﬁ", "fi"), ("ő", "o"), ("ς", "σ"), ("й", "и"), ("ệ", "e"),
    ("ø", "ø"), ("ł", "ł"), ("か", "か"), ("が", "か"), ("한", "한"), ("世", "世"),
    ("ｶﾞ", "カ"), ("ガ", "カ"), ("ｱ", "ア"), ("Ｑ", "q"), ("７", "7"),
  ])
  func foldsWellKnownLetters(_ letter: String, _ folded: String) {
    #expect(FoldedText(letter).bytes == ArraySlice(folded.utf8))
  }
}
