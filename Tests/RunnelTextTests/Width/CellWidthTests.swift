import RunnelText
import Testing

@Suite struct CellWidthTests {
  @Test(arguments: [
    ("a", 1), ("~", 1), ("é", 1), ("ß", 1), ("Ж", 1), ("→", 1), ("─", 1), ("…", 1),
    // Wide and full-width characters, and their narrow counterparts.
    ("世", 2), ("カ", 2), ("ｶ", 1), ("Ａ", 2), ("한", 2), ("𠀀", 2), ("\u{2FFFD}", 2),
    // Invisible characters.
    ("\u{301}", 0), ("\u{200B}", 0), ("\u{200D}", 0), ("\u{FEFF}", 0), ("\u{2028}", 0),
    ("\u{FE0F}", 0), ("\u{E0001}", 0), ("\u{202E}", 0),
    // Marks combine with the preceding character.
    ("e\u{301}", 1), ("a\u{301}\u{302}\u{303}", 1), ("世\u{301}", 2), ("กำ", 2), ("का", 2),
    // Hangul in parts: an initial consonant, then with a vowel, then with a final consonant.
    ("\u{1100}", 2), ("\u{1100}\u{1161}", 2), ("\u{1100}\u{1161}\u{11A8}", 2), ("\u{1161}", 0),
    // Emoji with a skin tone, joined emoji, and flags.
    ("🙂", 2), ("👍🏽", 2), ("👨‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("🇨🇭", 2), ("🇨", 1), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2),
    // Symbols with a presentation selector: emoji or text.
    ("❤", 1), ("❤\u{FE0F}", 2), ("❤\u{FE0E}", 1), ("1\u{FE0F}\u{20E3}", 2), ("⌚", 2),
    ("a\u{FE0F}", 1),
    // Control characters are displayed as a symbol.
    ("\n", 1), ("\t", 1), ("\u{1B}", 1), ("\u{7F}", 1), ("\u{9B}", 1), ("\r\n", 1), ("\0", 1),
    ("\u{AD}", 1), ("\u{600}", 1), ("\u{FFFD}", 1), ("\u{10FFFF}", 1), ("\u{E000}", 1),
  ])
  func widthOfACharacter(_ text: String, _ width: Int) {
    #expect(text.count == 1)
    #expect(text.first?.cellWidth == width)
  }

  @Test func controlCharactersAreThoseOfUnicode() {
    for value in 0...0x2100 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(scalar.isControl == (scalar.properties.generalCategory == .control))
    }
  }

  /// Compares the table with the standard library's properties. Their Unicode versions differ, so
  /// only scalars that both know are compared.
  @Test func marksHaveNoWidthAndIdeographsAreWide() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let width = Character(scalar).cellWidth
      let properties = scalar.properties
      guard let age = properties.age, age.major < 15 else { continue }
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark: #expect(width == 0, "\(value)")
      case .uppercaseLetter where value < 0xFF00, .decimalNumber where value < 0xFF00:
        #expect(width == 1, "\(value)")
      default: break
      }
      if properties.isIdeographic && properties.generalCategory == .otherLetter {
        #expect(width == 2, "\(value)")
      }
      let isFlagPart = (0x1F1E6...0x1F1FF).contains(value)
      if properties.isEmojiPresentation && !isFlagPart { #expect(width == 2, "\(value)") }
    }
  }

  @Test func widthOfATextIsTheSum() {
    #expect("".cellWidth == 0)
    #expect("Grüße, 世界 👍🏽".cellWidth == 14)
  }

  @Test func prefixFitsTheWidth() {
    let text = "a世b🙂c"
    let prefixes = (-1...8).map { String(text.prefix(cellWidth: $0)) }
    #expect(prefixes == ["", "", "a", "a", "a世", "a世b", "a世b", "a世b🙂", text, text])
    #expect("".prefix(cellWidth: 3) == "")
    #expect("a\u{200B}b".prefix(cellWidth: 1) == "a\u{200B}")
  }
}
