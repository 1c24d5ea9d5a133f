import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct LogTests {
  private let log = Log("store", ["shelf": 7])

  @Test(arguments: LogLevel.allCases) func writesTheLevelThatIsCalled(_ level: LogLevel) throws {
    let recorder = LogRecorder {
      switch level {
      case .debug: log.debug("Full.")
      case .info: log.info("Full.")
      case .notice: log.notice("Full.")
      case .warning: log.warning("Full.")
      case .error: log.error("Full.")
      case .critical: log.critical("Full.")
      }
    }
    let entry = try #require(recorder.entries.first)
    #expect(recorder.entries.count == 1)
    #expect(entry.level == level)
    #expect(entry.name == "store")
    #expect(entry.message == "Full.")
    #expect(entry["shelf"] as? Int == 7)
    #expect("\(entry.location)".hasPrefix("RunnelStreamsCrossingTests/LogTests.swift:"))
    #expect(LogLevel(level.description) == level)
  }

  @Test func levelsAreOrderedByImportance() {
    #expect(LogLevel.allCases.sorted() == LogLevel.allCases)
    #expect(LogLevel.debug < .critical)
    #expect(LogLevel("loud") == nil)
  }

  @Test func laterFieldsReplaceEarlierOnes() throws {
    let recorder = LogRecorder {
      log.with(["book": "A", "shelf": 8]).info("Moved.", ["book": "B", "page": 1])
    }
    let entry = try #require(recorder.entries.first)
    #expect(entry.fields.map(\.name) == ["shelf", "book", "page"])
    #expect(entry["shelf"] as? Int == 8)
    #expect(entry["book"] as? String == "B")
    #expect(entry["pages"] == nil)
  }

  @Test func entriesOfOtherLibrariesAreRecorded() {
    let entry = LogEntry(level: .notice, name: "images", message: "Decoded.")
    let recorder = LogRecorder { Log.write(entry) }
    #expect(recorder.messages == ["Decoded."])
    #expect(recorder.entries.map(\.time) == [entry.time])
  }

  @Test func argumentsBelowTheLevelAreNotEvaluated() {
    func fail() -> String {
      Issue.record("The message was made.")
      return ""
    }
    #expect(!log.isEnabled(.debug))
    log.debug(fail(), ["text": fail()])
  }

  @Test func recorderTakesAllLevelsAndNestedRecordersWin() {
    let inner = SharedLog<String>()
    let outer = LogRecorder {
      #expect(log.isEnabled(.debug))
      log.debug("1")
      inner.append(LogRecorder { log.debug("2") }.messages.joined())
      log.debug("3")
    }
    #expect(outer.messages == ["1", "3"])
    #expect(inner.all == ["2"])
  }

  @Test func recorderEndsWhenTheBlockThrows() {
    #expect(throws: Broken.self) {
      _ = try LogRecorder { () throws(Broken) in throw Broken() }
    }
    #expect(!log.isEnabled(.debug))
  }

  @Test func droppedElementsAreLoggedOnce() throws {
    let context = ManualContext()
    let numbers = PushStream<Int>()
    // A place is logged once in ten seconds, and the test may be repeated.
    let line = UInt.random(in: 1_000...1_000_000_000)
    let recorder = LogRecorder {
      context.use {
        let crossing = numbers.observe(on: context, buffering: .newest(2), line: line) { _ in }
        for number in 1...10 { numbers.next(number) }
        crossing.dispose()
      }
    }
    let entry = try #require(recorder.entries.first)
    #expect(recorder.entries.count == 1)
    #expect(entry.level == .notice)
    #expect(entry["crossing"] as? String == "RunnelStreamsCrossingTests/LogTests.swift:\(line)")
  }
}

@Suite struct LogLimitTests {
  @Test func logsOnceInTenSecondsWithTheCount() {
    var limit = LogLimit()
    let counts = [0, 1, 9, 10, 11, 19, 30].map { limit.count(at: .seconds($0)) }
    #expect(counts == [1, nil, nil, 3, nil, nil, 3])
  }
}
