import RunnelDesk
import RunnelTerminal
import RunnelTesting
import Testing

@Suite struct InputParserTests {
  private func events(_ text: String) -> [InputEvent] {
    var parser = InputParser()
    return events(parser.parse(Array(text.utf8)) + parser.decide())
  }

  private func events(_ tokens: [InputParser.Token]) -> [InputEvent] {
    tokens.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// Returns the names of the keys that the bytes stand for.
  private func keys(_ text: String) -> [String] {
    events(text).map { event in
      if case .key(let press) = event { "\(press)" } else { "\(event)" }
    }
  }

  // MARK: - Characters

  @Test(arguments: [
    ("aÄ世👍", ["a", "Ä", "世", "👍"]), ("\r", ["enter"]), ("\n", ["ctrl+j"]), ("\t", ["tab"]),
    ("\u{7F}", ["backspace"]), ("\u{8}", ["ctrl+h"]), ("\0", ["ctrl+space"]),
    ("\u{1}\u{1A}", ["ctrl+a", "ctrl+z"]),
    ("\u{1C}\u{1D}\u{1E}\u{1F}", ["ctrl+\\", "ctrl+]", "ctrl+^", "ctrl+_"]),
    ("\u{1B}", ["escape"]), ("\u{1B}\u{1B}", ["escape", "escape"]), ("\u{1B}x", ["alt+x"]),
    ("\u{1B}X", ["alt+X"]), ("\u{1B}ä", ["alt+ä"]), ("\u{1B}\r", ["alt+enter"]),
    ("\u{1B}\u{7F}", ["alt+backspace"]),
    ("\u{1B}\u{1}", ["ctrl+alt+a"]), ("\u{1B}[", ["alt+["]), ("\u{1B}O", ["alt+O"]),
    ("\u{1B}]", ["alt+]"]), ("\u{1B}P", ["alt+P"]), ("a\u{1B}", ["a", "escape"]),
  ])
  func charactersAndControlsAreParsed(_ bytes: String, _ expected: [String]) {
    #expect(keys(bytes) == expected)
  }

  // MARK: - Key sequences

  @Test(arguments: [
    ("[A", "up"), ("[B", "down"), ("[C", "right"), ("[D", "left"), ("[H", "home"), ("[F", "end"),
    ("OA", "up"), ("OH", "home"), ("OF", "end"), ("OP", "f1"), ("OS", "f4"), ("O5P", "ctrl+f1"),
    ("O1;5P", "ctrl+f1"), ("OM", "enter"), ("Oj", "*"), ("Op", "0"), ("Oy", "9"),
    ("[1~", "home"), ("[2~", "insert"), ("[3~", "delete"), ("[4~", "end"), ("[5~", "pageup"),
    ("[6~", "pagedown"), ("[7~", "home"), ("[8~", "end"), ("[11~", "f1"), ("[15~", "f5"),
    ("[17~", "f6"), ("[21~", "f10"), ("[24~", "f12"), ("[34~", "f20"), ("[[A", "f1"), ("[[E", "f5"),
    ("[Z", "backtab"), ("[1;2A", "shift+up"), ("[1;3B", "alt+down"), ("[1;5C", "ctrl+right"),
    ("[1;6D", "ctrl+shift+left"), ("[1;9H", "super+home"), ("[1;2P", "shift+f1"),
    ("[1;2R", "shift+f3"), ("[3;5~", "ctrl+delete"), ("[24;8~", "ctrl+alt+shift+f12"),
    ("[1;5Z", "ctrl+backtab"), ("[1;33A", "alt+up"), ("[1;65A", "up"), ("[;5A", "ctrl+up"),
  ])
  func keySequencesAreParsed(_ sequence: String, _ expected: String) {
    #expect(keys("\u{1B}\(sequence)x") == [expected, "x"])
  }

  @Test(arguments: [
    ("[97;5u", "ctrl+a"), ("[97;6u", "ctrl+shift+a"), ("[65;6u", "ctrl+shift+a"),
    ("[97u", "a"), ("[97;2u", "A"), ("[49:33;2u", "!"), ("[228;3u", "alt+ä"),
    ("[223;2u", "ß"), ("[27u", "escape"), ("[27;5u", "ctrl+escape"), ("[13;2u", "shift+enter"),
    ("[9;5u", "ctrl+tab"), ("[9;2u", "backtab"), ("[9;6u", "ctrl+backtab"),
    ("[127;3u", "alt+backspace"), ("[32;5u", "ctrl+space"), ("[57376u", "f13"),
    ("[57398;5u", "ctrl+f35"), ("[57399u", "0"), ("[57414;5u", "ctrl+enter"),
    ("[57420u", "down"), ("[97;5:1u", "ctrl+a"), ("[97;5:2u", "ctrl+a"), ("[1;1:2A", "up"),
    ("[97:65:97;69;97u", "ctrl+a"), ("[128077;3u", "alt+👍"),
    ("[27;5;9~", "ctrl+tab"), ("[27;2;13~", "shift+enter"), ("[27;6;65~", "ctrl+shift+a"),
    ("[27;2;33~", "!"),
  ])
  func kittyAndXtermKeysAreParsed(_ sequence: String, _ expected: String) {
    #expect(keys("\u{1B}\(sequence)") == [expected])
  }

  @Test(arguments: [
    // Key releases, and the lock and media keys.
    "[97;5:3u", "[1;1:3A", "[57358u", "[57441;2u", "[63743u",
    // Numbers without a meaning.
    "[999~", "[~", "[u", "[55296;5u", "[1114112u", "[99999999999999999999u", "[27;5~", "[7u",
    // Reports that were not requested, or are not expected here.
    "[12;40R", "[?1;2c", "[>0;276;0c", "[?1u", "[8;24;80t", "[0n", "[200;1$y", "[?25y",
    // Settings and invented sequences.
    "[?1049h", "[0m", "[1;2;3;4;5;6;7;8H", "[ q", "[!p", "[1$~", "[<0;1;1~", "[=5u", "[201~",
    "]0;title\u{7}", "]52;c;YWJj\u{1B}\\", "P1$r0m\u{1B}\\", "_payload\u{1B}\\", "^x\u{7}",
    "Xx\u{1B}\\", "P\u{1B}\\", "Ox\u{1B}[E", "O ", "[[Z", "[<1;2M", "[\u{18}",
  ])
  func unknownSequencesAreSkipped(_ sequence: String) {
    let events = keys("\u{1B}\(sequence)x")
    #expect(events.last == "x")
    #expect(events.count <= (sequence.hasPrefix("O") ? 2 : 1), "\(events)")
  }

  @Test func overlongSequencesAreSkipped() {
    #expect(keys("\u{1B}[" + String(repeating: "1;", count: 100_000) + "Ax") == ["x"])
    #expect(keys("\u{1B}]" + String(repeating: "y", count: 100_000) + "\u{7}x") == ["x"])
  }

  /// An incomplete sequence does not affect the next one.
  @Test func incompleteSequencesAreDropped() {
    #expect(keys("\u{1B}[1;5\u{1B}[A") == ["up"])
    #expect(keys("\u{1B}[1;5\r") == ["enter"])
    #expect(keys("\u{1B}[1ä") == ["ä"])
    #expect(keys("\u{1B}O\u{1B}[A") == ["up"])
    #expect(keys("\u{1B}]0;ti\u{1B}[A") == ["up"])
  }

  // MARK: - Ambiguous Esc

  @Test func onlyAmbiguousInputIsUndecided() {
    for (text, isUndecided) in [
      ("\u{1B}", true), ("\u{1B}[", true), ("\u{1B}O", true), ("\u{1B}]", true), ("a", false),
      ("\u{1B}[1", false), ("\u{1B}[A", false), ("\u{1B}[200~\u{1B}", false), ("\u{C3}", false),
    ] {
      var parser = InputParser()
      _ = parser.parse(Array(text.utf8))
      #expect(parser.isUndecided == isUndecided, "\(text.debugDescription)")
    }
  }

  @Test func secondDecisionIsEmpty() {
    var parser = InputParser()
    _ = parser.parse([0x1B])
    #expect(parser.decide().count == 1)
    #expect(parser.decide().isEmpty)
    #expect(parser.parse(Array("[A".utf8)).count == 2)
  }

  /// An unterminated control string does not consume later input.
  @Test func unterminatedStringIsDropped() {
    var parser = InputParser()
    _ = parser.parse(Array("\u{1B}Pabc".utf8))
    #expect(parser.decide().isEmpty)
    #expect(parser.parse([0x78]) == [.event(.key(KeyPress(.character("x"))))])
  }

  // MARK: - Invalid bytes

  @Test(arguments: [
    ([0xFF], "\u{FFFD}"), ([0xC3, 0x28], "\u{FFFD}("), ([0xE4, 0x80, 0x41], "\u{FFFD}A"),
    ([0xC0, 0xAF], "\u{FFFD}\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xF4, 0x90, 0x80, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
    ([0xE4, 0xE4, 0xBD, 0xA0], "\u{FFFD}你"), ([0x80, 0x61], "\u{FFFD}a"),
  ])
  func invalidBytesAreReplaced(_ bytes: [UInt8], _ expected: String) {
    var parser = InputParser()
    let events = events(parser.parse(bytes))
    #expect(events == expected.map { .key(KeyPress(.character($0))) })
  }

  /// Compares all combinations of three kinds of bytes, and random longer ones, with the standard
  /// library.
  @Test func replacementsMatchStandardLibrary() {
    let kinds: [UInt8] = [
      0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0,
      0xF3, 0xF4, 0xF5,
    ]
    let triples = kinds.flatMap { first in
      kinds.flatMap { second in kinds.map { [first, second, $0] } }
    }
    var random = SeededGenerator(seed: 5)
    let others = (0..<1_000).map { _ in
      (0..<6).map { _ in kinds.randomElement(using: &random) ?? 0x41 }
    }
    for bytes in triples + others {
      var parser = InputParser()
      var typed = ""
      // A byte at the end completes everything before it.
      for case .event(.key(let press)) in parser.parse(bytes + [0x2E]) {
        if case .character(let character) = press.key {
          typed.unicodeScalars.append(contentsOf: character.unicodeScalars)
        }
      }
      if !typed.utf8.elementsEqual(String(decoding: bytes + [0x2E], as: UTF8.self).utf8) {
        Issue.record("\(bytes) was parsed as \(typed)")
      }
    }
  }

  // MARK: - Mouse

  @Test(arguments: [
    ("[<0;1;1M", event(.press(.left), 0, 0)), ("[<1;3;2M", event(.press(.middle), 2, 1)),
    ("[<2;200;100m", event(.release(.right), 199, 99)), ("[<32;5;5M", event(.drag(.left), 4, 4)),
    ("[<35;5;5M", event(.move, 4, 4)), ("[<64;1;1M", event(.wheel(.up), 0, 0)),
    ("[<65;1;1M", event(.wheel(.down), 0, 0)), ("[<66;1;1M", event(.wheel(.left), 0, 0)),
    ("[<67;1;1M", event(.wheel(.right), 0, 0)), ("[<4;1;1M", event(.press(.left), 0, 0, .shift)),
    ("[<24;1;1M", event(.press(.left), 0, 0, [.alt, .control])),
    ("[<0;0;0M", event(.press(.left), 0, 0)),
    // The older encoding, which has less information.
    ("[M !!", event(.press(.left), 0, 0)), ("[M#\"#", event(.release(.left), 1, 2)),
    ("[M@!!", event(.drag(.left), 0, 0)), ("[MC!!", event(.move, 0, 0)),
    ("[M`!!", event(.wheel(.up), 0, 0)),
  ])
  func mouseReportsAreParsed(_ sequence: String, _ expected: MouseEvent) {
    #expect(events("\u{1B}\(sequence)") == [.mouse(expected)])
  }

  private static func event(
    _ action: MouseEvent.Action, _ x: Int, _ y: Int, _ modifiers: Modifiers = []
  ) -> MouseEvent {
    MouseEvent(action, at: Point(x: x, y: y), modifiers)
  }

  @Test func mouseReportsMayHaveAnyPosition() {
    let nines = String(repeating: "9", count: 100)
    guard case .mouse(let far)? = events("\u{1B}[<0;\(nines);\(nines)M").first,
      case .mouse(let near)? = events("\u{1B}[<0;0;0M").first
    else { return #expect(Bool(false)) }
    #expect(far.position.x > 65_535 && far.position.y > 65_535 && near.position == .zero)
    #expect(events("\u{1B}[<\(nines);1;1M\u{1B}[<-1;1;1M\u{1B}[<0;-1;1M") == [])
  }

  @Test func unknownMouseButtonsAreIgnored() {
    #expect(
      events("\u{1B}[<128;1;1M\u{1B}[<64;1;1m\u{1B}[<3;1;1M\u{1B}[<0;1M\u{1B}[M\u{1}\u{1}\u{1}")
        == [])
  }

  // MARK: - Paste, focus and mode reports

  @Test func pasteIsOneEvent() {
    #expect(events("a\u{1B}[200~x\ty\u{1B}[201~b").count == 3)
    #expect(
      events("\u{1B}[200~one\r\ntwo\rthree\nfour\u{1B}[201~") == [.paste("one\ntwo\nthree\nfour")])
    #expect(events("\u{1B}[200~\u{1B}[201~") == [.paste("")])
    #expect(
      events("\u{1B}[200~\u{1B}[A\u{1B}[200~ \u{1B}[201 ~~\u{1B}\u{1B}[201~")
        == [.paste("\u{1B}[A\u{1B}[200~ \u{1B}[201 ~~\u{1B}")])
  }

  /// The parser cannot recognise that this end is part of the text: the rest is typed, and a second
  /// end is ignored.
  @Test func pasteEndsAtFirstEndSequence() {
    #expect(
      events("\u{1B}[200~a\u{1B}[201~b\r\u{1B}[201~c")
        == [.paste("a")] + ["b", "enter", "c"].compactMap { KeyPress($0).map { .key($0) } })
    #expect(keys("\u{1B}[201~\u{1B}[201~x") == ["x"])
  }

  @Test func invalidBytesInPasteAreReplaced() {
    var parser = InputParser()
    let bytes = Array("\u{1B}[200~".utf8) + [0x61, 0xFF, 0xC3] + Array("\u{1B}[201~".utf8)
    #expect(parser.parse(bytes) == [.event(.paste("a\u{FFFD}\u{FFFD}"))])
  }

  @Test func hugePasteIsOneEvent() {
    let text = String(repeating: "~ä\u{1B}[201x~[201~ line\n", count: 50_000)
    var parser = InputParser()
    var tokens: [InputParser.Token] = []
    let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    for start in stride(from: 0, to: bytes.count, by: 4096) {
      tokens += parser.parse(bytes[start..<min(start + 4096, bytes.count)])
    }
    #expect(tokens == [.event(.paste(text))])
  }

  @Test func focusChangesAreReported() {
    #expect(events("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
  }

  @Test func modeReportsAreParsed() {
    var parser = InputParser()
    let answers = (0...4).map { "\u{1B}[?2026;\($0)$y" }.joined()
    #expect(
      parser.parse(Array(answers.utf8))
        == [false, true, true, true, false].map { .mode(2026, isKnown: $0) })
  }

  // MARK: - Arbitrary input

  /// Splits each input at each position, and into single bytes.
  @Test(arguments: [
    "\u{1B}[1;5A", "\u{1B}OP", "\u{1B}O5P", "\u{1B}[[A", "\u{1B}[<0;99999999999999;3M", "ä世👍",
    "\u{1B}[M !!", "\u{1B}[200~a\r\n\u{1B}[201b\u{1B}\u{1B}[201~", "\u{1B}]52;c;eA==\u{1B}\\",
    "\u{1B}P1$r\u{7}", "\u{1B}ä", "\u{1B}[97:65;6:1u", "\u{1B}[I", "\u{1B}[?2026;2$y",
    "\u{1B}\u{1B}[A",
    "\u{1B}[27;6;65~", "\u{1B}[1;5\u{1B}[B",
  ])
  func splittingInputKeepsEvents(_ text: String) {
    let bytes = Array("a\(text)b".utf8)
    var whole = InputParser()
    let expected = whole.parse(bytes)
    for end in 0...bytes.count {
      var parser = InputParser()
      #expect(parser.parse(bytes[..<end]) + parser.parse(bytes[end...]) == expected, "\(end)")
    }
    var parser = InputParser()
    #expect(bytes.flatMap { parser.parse([$0]) } == expected)
    #expect(expected.last == .event(.key(KeyPress(.character("b")))))
  }

  private static let pieces: [[UInt8]] = [
    "\u{1B}", "[", "O", "]", "\u{1B}[A", "\u{1B}[1;5", "\u{1B}[<0;1;2M", "\u{1B}[200~",
    "\u{1B}[201~", "a", "ä", "👍🏽", "\u{7}", "\u{1B}\\", ";", ":", "99999", "~", "u", "$y", "?",
    "\r\n", "\u{1B}[M", "\u{18}",
  ].map { Array($0.utf8) }

  private static func bytes(using random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...60, using: &random)).flatMap { _ in
      Bool.random(using: &random)
        ? pieces.randomElement(using: &random) ?? [] : [UInt8.random(in: 0...255, using: &random)]
    }
  }

  /// The events do not depend on how the bytes are split.
  @Test(arguments: seeds(7) as Range<UInt64>)
  func splittingRandomInputKeepsEvents(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bytes = Self.bytes(using: &random)
      var whole = InputParser()
      let expected = whole.parse(bytes)
      var single = InputParser()
      #expect(bytes.flatMap { single.parse([$0]) } == expected, "seed \(seed): \(bytes)")
      var split = InputParser()
      var tokens: [InputParser.Token] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 0...8, using: &random)
        tokens += split.parse(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(tokens == expected, "seed \(seed): \(bytes)")
      #expect(whole.decide() == split.decide(), "seed \(seed): \(bytes)")
    }
  }

  /// After any input, and however ambiguities were resolved, a key is reported again.
  @Test(arguments: seeds(7) as Range<UInt64>)
  func keysAreReportedAfterAnyInput(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var parser = InputParser()
      for _ in 0..<3 {
        _ = parser.parse(Self.bytes(using: &random))
        if Bool.random(using: &random) { _ = parser.decide() }
      }
      // Ends an open paste, control string and sequence.
      _ = parser.parse(Array("\u{1B}[201~\u{1B}\\".utf8)) + parser.decide()
      #expect(parser.parse([0x78]) == [.event(.key(KeyPress(.character("x"))))], "seed \(seed)")
    }
  }
}
