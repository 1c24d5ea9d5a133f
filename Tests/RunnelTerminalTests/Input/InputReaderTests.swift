import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelTerminal

@Suite struct InputReaderTests {
  private let scheduler = TestScheduler()

  private func record(_ reader: InputReader) -> Property<[String]> {
    let keys = Property<[String]>([])
    reader.tokens.observe(
      next: { token in
        switch token {
        case .event(.key(let press)): keys.value.append("\(press)")
        case .event(.text(let text)): keys.value += text.unicodeScalars.map { "\($0)" }
        case .event, .mode: break
        }
      }, completed: { keys.value.append("end") })
    return keys
  }

  @Test func escIsReportedAfterDelay() {
    let reader = InputReader(on: scheduler, hasMore: { false })
    let keys = record(reader)
    reader.receive([0x1B])
    scheduler.advance(by: .milliseconds(24))
    #expect(keys.value == [])
    scheduler.advance(by: .milliseconds(1))
    #expect(keys.value == ["escape"])
    #expect(scheduler.pending == 0)
  }

  @Test func keysThatArriveTogetherAreOneText() {
    let reader = InputReader(on: scheduler, hasMore: { false })
    let tokens = Recorder(reader.tokens)
    reader.receive(Array("two é\u{301}\rx\u{1B}[Ayz\u{1}".utf8))
    reader.receive(Array("a".utf8))
    #expect(
      tokens.elements == [
        .event(.text("two é\u{301}")), .event(.key(KeyPress(.enter))),
        .event(.key(KeyPress(.character("x")))), .event(.key(KeyPress(.up))),
        .event(.text("yz")), .event(.key(KeyPress(.character("a"), .control))),
        .event(.key(KeyPress(.character("a")))),
      ])
  }

  /// A line feed that arrives with text was pasted without marks. One that arrives alone is Ctrl+J.
  @Test(arguments: [
    (["\n"], ["ctrl+j"]), (["\n\n"], ["ctrl+j", "ctrl+j"]), (["a", "\n"], ["a", "ctrl+j"]),
    (["a\nb"], ["a", "enter", "b"]), (["\na"], ["enter", "a"]),
    (["a\r\nb\n"], ["a", "enter", "b", "enter"]), (["\r\n"], ["enter", "ctrl+j"]),
    (["\u{1B}[A\n"], ["up", "ctrl+j"]),
    (["\u{1B}[200~a\r\n", "b\n", "c\u{1B}[201~"], []),
  ])
  func lineFeedsOfUnmarkedPasteAreReturns(_ chunks: [String], _ expected: [String]) {
    let reader = InputReader(on: scheduler, hasMore: { false })
    let keys = record(reader)
    var pasted: [String] = []
    reader.tokens.observeNext { token in
      if case .event(.paste(let text)) = token { pasted.append(text) }
    }
    for chunk in chunks { reader.receive(Array(chunk.utf8)) }
    #expect(keys.value == expected)
    #expect(pasted == (expected.isEmpty ? ["a\nb\nc"] : []))
  }

  @Test func bytesWithinDelayContinueSequence() {
    let reader = InputReader(on: scheduler, hasMore: { false })
    let keys = record(reader)
    reader.receive([0x1B])
    scheduler.advance(by: .milliseconds(24))
    reader.receive(Array("[".utf8))
    scheduler.advance(by: .milliseconds(24))
    reader.receive(Array("Ax".utf8))
    scheduler.run()
    #expect(keys.value == ["up", "x"])
  }

  /// A busy loop may read the rest of the bytes only after the delay has passed.
  @Test func unreadBytesExtendDelay() {
    let hasMore = Property(true)
    let reader = InputReader(on: scheduler, hasMore: { hasMore.value })
    let keys = record(reader)
    reader.receive([0x1B])
    scheduler.advance(by: .milliseconds(100))
    #expect(keys.value == [])
    hasMore.value = false
    reader.receive(Array("[A".utf8))
    scheduler.run()
    #expect(keys.value == ["up"])
  }

  @Test func endOfInputResolvesEsc() {
    let reader = InputReader(on: scheduler, hasMore: { false })
    let keys = record(reader)
    reader.receive(Array("a\u{1B}".utf8))
    reader.end()
    #expect(keys.value == ["a", "escape", "end"])
    #expect(scheduler.pending == 0)
    reader.receive([0x78])
    #expect(keys.value.count == 3)
  }

  @Test func readerIsReleasedDuringDelay() {
    weak var released: InputReader?
    do {
      let reader = InputReader(on: scheduler, hasMore: { false })
      reader.receive([0x1B])
      released = reader
    }
    #expect(released == nil)
    scheduler.run()
  }

  /// An observer may feed the reader while it handles a key.
  @Test func observerMayFeedReader() {
    let reader = InputReader(on: scheduler, hasMore: { false })
    var keys: [String] = []
    reader.tokens.observeNext { token in
      guard case .event(.key(let press)) = token else { return }
      keys.append("\(press)")
      if keys.count == 1 { reader.receive(Array("c\u{1B}".utf8)) }
    }
    reader.receive(Array("a\u{1}b".utf8))
    scheduler.run()
    #expect(keys == ["a", "c", "ctrl+a", "b", "escape"])
  }
}
