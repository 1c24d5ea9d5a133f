import Testing

@testable import RunnelNet

@Suite struct EventParserTests {
  /// Returns the events of bytes that arrive in two pieces, or byte by byte if the split is nil.
  private func parse(
    _ bytes: [UInt8], split: Int?, limit: Int = 100
  ) throws -> (events: [ReceivedEvent], id: String, retry: Duration?) {
    var parser = EventParser(limit: limit)
    var events: [ReceivedEvent] = []
    let pieces = split.map { [Array(bytes[..<$0]), Array(bytes[$0...])] } ?? bytes.map { [$0] }
    for piece in pieces {
      var offset = 0
      while let event = try parser.next(piece, &offset) { events.append(event) }
    }
    return (events, parser.lastID, parser.retry)
  }

  private func check(
    _ text: String, _ expected: [ReceivedEvent], id: String = "", retry: Duration? = nil,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let bytes = Array(text.utf8)
    for split in [nil] + (0...bytes.count).map({ Optional($0) }) {
      let result = try parse(bytes, split: split)
      #expect(result.events == expected, sourceLocation: location)
      #expect(result.id == id, sourceLocation: location)
      #expect(result.retry == retry, sourceLocation: location)
    }
  }

  /// The examples of the HTML standard, section 9.2.6.
  @Test func examplesOfTheStandard() throws {
    try check(
      "data: YHOO\ndata: +2\ndata: 10\n\n", [ReceivedEvent("YHOO\n+2\n10")])
    try check(
      ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
      [
        ReceivedEvent("first event", id: "1"), ReceivedEvent("second event"),
        ReceivedEvent(" third event"),
      ])
    try check("data\n\ndata\ndata\n\ndata:", [ReceivedEvent(""), ReceivedEvent("\n")])
    try check("data:test\n\ndata: test\n\n", [ReceivedEvent("test"), ReceivedEvent("test")])
  }

  @Test func lineEndingsAreEqual() throws {
    let expected = [ReceivedEvent("a\nb", name: "n"), ReceivedEvent("c")]
    for end in ["\n", "\r", "\r\n"] {
      try check(
        "event: n\(end)data: a\(end)data: b\(end)\(end)data: c\(end)\(end)", expected)
    }
    try check("data: a\r\n\rdata: b\n\r\n", [ReceivedEvent("a"), ReceivedEvent("b")])
  }

  @Test func oneByteOrderMarkIsLeftOut() throws {
    try check("\u{feff}data: a\n\n", [ReceivedEvent("a")])
    try check("\u{feff}\u{feff}data: a\n\n", [])
    try check("data: \u{feff}a\n\n", [ReceivedEvent("\u{feff}a")])
    try check("\n\u{feff}data: a\n\n", [])
  }

  @Test func identifiersAreKept() throws {
    try check(
      "id: 1\ndata: a\n\ndata: b\n\n", [ReceivedEvent("a", id: "1"), ReceivedEvent("b", id: "1")],
      id: "1")
    // An event without data still sets it.
    try check("id: 2\n\n", [], id: "2")
    // An event that is not complete does not.
    try check("id: 3\ndata: a\n", [])
    try check("id: 4\n\nid: a\0b\ndata: a\n\n", [ReceivedEvent("a", id: "4")], id: "4")
    try check("id: 5\n\nid:\ndata: a\n\n", [ReceivedEvent("a")])
  }

  @Test func retryIsDigitsOnly() throws {
    try check("retry: 1500\n\n", [], retry: .milliseconds(1500))
    for text in [
      "retry: 1.5\n", "retry: -1\n", "retry:\n", "retry: 1 \n", "retry: 1234567890123\n",
    ] {
      try check(text, [])
    }
  }

  @Test func otherFieldsAreIgnored() throws {
    try check(
      "DATA: a\n data: b\n: data: c\ndatax: d\nevent: n\n\ndata: e\n\n", [ReceivedEvent("e")])
    try check("event:\ndata: a\n\n", [ReceivedEvent("a")])
  }

  @Test func invalidBytesAreReplaced() throws {
    let bytes = Array("data: a".utf8) + [0xff, 0xc3] + Array("\n\n".utf8)
    for split in 0...bytes.count {
      #expect(try parse(bytes, split: split).events == [ReceivedEvent("a\u{fffd}\u{fffd}")])
    }
  }

  @Test func longLinesAndEventsAreRefused() throws {
    let line = Array("data: 1234\n".utf8)
    #expect(try parse(line + [10], split: 3, limit: 10).events == [ReceivedEvent("1234")])
    #expect(throws: EventParser.TooLong.self) { try parse(line, split: 3, limit: 9) }
    #expect(throws: EventParser.TooLong.self) {
      try parse(line + line + line, split: nil, limit: 10)
    }
    #expect(throws: EventParser.TooLong.self) {
      try parse(Array(repeating: UInt8(ascii: ":"), count: 11), split: 4, limit: 10)
    }
  }
}
