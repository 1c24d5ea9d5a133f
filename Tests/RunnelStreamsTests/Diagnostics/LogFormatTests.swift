import Foundation
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct LogFormatTests {
  private func entry(
    _ message: String = "Full.", _ fields: [LogEntry.Field] = [], name: String = "store"
  ) -> LogEntry {
    LogEntry(
      time: .milliseconds(1_795_765_470_123), level: .warning, name: name, message: message,
      fields: fields)
  }

  // MARK: Values

  @Test func textHasTheTimeTheLevelAndTheFields() {
    let line = LogFormat.text.line(entry("Full.", [.init("path", "/srv"), .init("free", 3)]))
    #expect(line == "2026-11-27T07:44:30.123Z warning store: Full. path=/srv free=3")
  }

  @Test func journalHasThePriorityInsteadOfTheTime() {
    let priorities = LogLevel.allCases.map {
      LogFormat.journal.line(LogEntry(level: $0, name: "a", message: "b"))
    }
    #expect(priorities == [7, 6, 5, 4, 3, 2].map { "<\($0)>a: b" })
  }

  @Test func jsonHasTypedValues() {
    let missing: Int? = nil
    let fields: [LogEntry.Field] = [
      .init("text", "a"), .init("number", UInt64.max), .init("part", 0.5), .init("nan", Double.nan),
      .init("flag", true), .init("missing", missing), .init("some", Int?.some(4)),
      .init("error", Broken()), .init("level", 1), .init("_level", 2),
    ]
    #expect(
      LogFormat.json.line(entry("Full.", fields)) == """
        {"time":"2026-11-27T07:44:30.123Z","level":"warning","name":"store","message":"Full.",\
        "text":"a","number":18446744073709551615,"part":0.5,"nan":"nan","flag":true,"missing":null,\
        "some":4,"error":"Broken()","_level":1,"__level":2}
        """)
  }

  @Test func timesBefore1970AndAfterAreRight() {
    let times: [Duration] = [
      .milliseconds(-1), .seconds(-86_400), .zero, .seconds(951_782_400), .seconds(4_102_444_799),
    ]
    let lines = times.map {
      LogFormat.text.line(LogEntry(time: $0, level: .info, name: "a", message: "b"))
    }
    #expect(
      lines.map { $0.prefix(24) } == [
        "1969-12-31T23:59:59.999Z", "1969-12-31T00:00:00.000Z", "1970-01-01T00:00:00.000Z",
        "2000-02-29T00:00:00.000Z", "2099-12-31T23:59:59.000Z",
      ])
  }

  // MARK: Hostile texts

  @Test(arguments: [
    ("", "\"\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""), ("say \"hi\"", #""say \"hi\"""#),
    (#"a\b"#, #""a\\b""#), ("a\nb", #""a\nb""#), ("\u{1B}[2J", #""\u{1b}[2J""#),
    ("\u{9B}2J", #""\u{9b}2J""#), ("é日👍🏽", "é日👍🏽"), ("a\u{202E}b", #""a\u{202e}b""#),
  ]) func valuesAreQuotedWhereNecessary(_ value: String, _ expected: String) {
    #expect(LogFormat.text.line(entry("m", [.init("k", value)])).hasSuffix(": m k=\(expected)"))
  }

  @Test(arguments: LogFormat.allCases) func anEntryIsOneLine(_ format: LogFormat) {
    let hostile = "a\r\nb\u{B}\u{C}\u{85}\u{1B}\u{0}c"
    let line = format.line(entry(hostile, [.init(hostile, hostile)], name: hostile))
    let controls = line.unicodeScalars.filter { $0.value < 32 || (0x7F...0x9F).contains($0.value) }
    #expect(controls.isEmpty)
  }

  @Test(arguments: LogFormat.allCases, [100, 4_000, 4_070, 4_090, 4_096, 5_000, 100_000])
  func longTextsAreCut(_ format: LogFormat, _ count: Int) {
    for unit in ["a", "é", "👍", "\"", "\n", "\u{1}"] {
      let text = String(repeating: unit, count: count)
      for candidate in [
        entry(text), entry("m", [.init("k", text), .init("l", 1)]), entry("m", [.init(text, 1)]),
        entry("m", name: text), entry("m", (0..<count).map { .init("k\($0)", "v") }),
      ] {
        let line = format.line(candidate)
        #expect(line.utf8.count < 4_096)
        #expect(!line.contains("\u{FFFD}"))
        if format == .json { #expect(isObject(line), "\(line.suffix(80))") }
      }
    }
  }

  @Test(arguments: seeds(10) as Range<UInt64>) func randomEntriesAreValidJSON(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func text() -> String {
      var text = ""
      for _
        in 0..<Int.random(in: 0..<[3, 30, 3_000].randomElement(using: &random)!, using: &random)
      {
        let range: ClosedRange<UInt32> = Bool.random(using: &random) ? 0...0x200 : 0xE000...0x10FFFF
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
          text.unicodeScalars.append(scalar)
        }
      }
      return text
    }
    for _ in 0..<20 {
      let (message, name) = (text(), text())
      let fields = (0..<Int.random(in: 0..<4, using: &random)).map {
        LogEntry.Field("\($0)", text())
      }
      let line = LogFormat.json.line(entry(message, fields, name: name))
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object != nil, "seed \(seed)")
      guard let written = object?["message"] as? String else { continue }
      // Scalars, because the mark may form a character with the scalar before it.
      let (scalars, all) = (written.unicodeScalars, message.unicodeScalars)
      #expect(
        written == message || all.starts(with: scalars.dropLast()) && scalars.last == "…",
        "seed \(seed)")
    }
  }

  private func isObject(_ line: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]) != nil
  }
}
