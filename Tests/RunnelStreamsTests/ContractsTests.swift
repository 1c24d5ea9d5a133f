import Foundation
import RunnelStreams
import RunnelTesting
import Testing

/// Checks the examples of Documentation/Contracts.md, and that each of them appears here verbatim.
@Suite struct ContractsTests {
  /// C1 Grammar.
  @Test func nothingFollowsTheEnd() {
    let sloppy = EventStream<Int, Never> { observer in
      observer.next(1)
      observer.completed()
      observer.next(2)
      observer.completed()
      return .none
    }
    #expect(sloppy.record().events == [.next(1), .completed])
  }

  /// C2 One at a time.
  @Test func oneEventAtATime() {
    let numbers = PushStream<Int>()
    var first: [Int] = []
    var second: [Int] = []
    numbers.observeNext { number in
      first.append(number)
      if number == 1 { numbers.next(2) }
    }
    numbers.observeNext { second.append($0) }
    numbers.next(1)
    #expect(first == [1, 2])
    #expect(second == [1, 2])
  }

  /// C3 Order of observers.
  @Test func observersReceiveEventsInOrder() {
    let doorbell = PushStream<String>()
    var log: [String] = []
    var guest = Disposable.none
    doorbell.observeNext { who in
      log.append("host: \(who)")
      guest.dispose()
      if log.count == 1 { doorbell.observeNext { log.append("newcomer: \($0)") } }
    }
    guest = doorbell.observeNext { log.append("guest: \($0)") }
    doorbell.next("Ann")
    doorbell.next("Bob")
    #expect(log == ["host: Ann", "host: Bob", "newcomer: Bob"])
  }

  /// C4 Dispose is final.
  @Test func disposeIsFinal() {
    let letters = PushStream<String>()
    var transformed = 0
    var received: [String] = []
    let shouted = letters.map { letter in
      transformed += 1
      return letter.uppercased()
    }
    let observation = shouted.observeNext { received.append($0) }
    letters.next("a")
    observation.dispose()
    letters.next("b")
    #expect(received == ["A"])
    #expect(transformed == 1)
    #expect(!letters.isObserved)
  }

  /// C5 Termination frees.
  @Test func theEndReleasesResources() {
    var order: [String] = []
    let download = EventStream<Int, Never> { observer in
      observer.next(100)
      observer.completed()
      return Disposable { order.append("connection closed") }
    }
    download.observe(completed: { order.append("completed") })
    #expect(order == ["completed", "connection closed"])
  }

  /// C6 Cold by default.
  @Test func streamsAreCold() {
    var requests = 0
    let page = EventStream<String, Never> { observer in
      requests += 1
      observer.next("page")
      observer.completed()
      return .none
    }
    let title = page.map { $0.uppercased() }
    #expect(requests == 0)
    title.observeNext { _ in }
    title.observeNext { _ in }
    #expect(requests == 2)
  }

  /// C7 Synchronous where it can be.
  @Test func nothingIsDelayed() {
    let words = PushStream<String>()
    let lengths = words.filter { !$0.isEmpty }.map { $0.count }.record()
    words.next("runnel")
    #expect(lengths.elements == [6])
  }

  /// C8 Stop early.
  @Test func anEndlessSourceStops() {
    struct Enough: Error {}
    var taken: [Int] = []
    EventStream<Int, Enough>.sequence(1...)
      .map { number throws(Enough) in
        if number > 3 { throw Enough() }
        return number
      }
      .observe(next: { taken.append($0) }, failed: { _ in })
    #expect(taken == [1, 2, 3])
  }

  /// C9 No leaks.
  @Test func noResourcesAreLeftBehind() {
    let left = Resources.tracking { resources in
      let queries = PushStream<Int>()
      let answers = queries.flatMap { query in EventStream<Int, Never>.just(query * 2) }
      let observation = answers.observeNext { _ in }
      for query in 1...1_000 { queries.next(query) }
      #expect(resources.total == 2)  // the subject and the observation
      observation.dispose()
      return resources.names.count { !$0.hasPrefix("Subject") }
    }
    #expect(left == 0)
  }

  /// C9 No leaks.
  @Test func recursionIsFlat() {
    func countdown(from number: Int) -> EventStream<Int, Never> {
      EventStream.just(number).append(
        .deferred { number == 0 ? .completed : countdown(from: number - 1) })
    }
    var elements = 0
    countdown(from: 20_000).observeNext { _ in elements += 1 }
    #expect(elements == 20_001)
  }

  /// C9 No leaks.
  @Test func pollingIsFlat() {
    let scheduler = TestScheduler()
    var polls = 0
    func poll() -> EventStream<Int, Never> {
      EventStream.timer(after: .seconds(1), on: scheduler).flatMap { _ in
        polls += 1
        return EventStream.just(polls).append(poll())
      }
    }
    poll().observeNext { latest in #expect(latest == polls) }
    scheduler.advance(by: .seconds(5_000))
    #expect(polls == 5_000)
  }

  /// C10 Errors are values.
  @Test func errorsAreValues() {
    struct NotANumber: Error, Equatable { let text: String }
    let texts = Subject<String, NotANumber>()
    let parsed = texts.map { text throws(NotANumber) in
      guard let number = Int(text) else { throw NotANumber(text: text) }
      return number
    }
    let outcome = parsed.record()
    texts.next("1")
    texts.next("one")
    texts.next("2")
    #expect(outcome.events == [.next(1), .failed(NotANumber(text: "one"))])
  }

  /// C11 Confinement.
  @Test func anActorHasStreamsOfItsOwn() async {
    actor Counter {
      private let taps = PushStream<Int>()
      private var total = 0

      func count(_ numbers: [Int]) -> Int {
        let observation = taps.map { $0 * 10 }.observeNext { self.total += $0 }
        for number in numbers { taps.next(number) }
        observation.dispose()
        return total
      }
    }
    #expect(await Counter().count([1, 2, 3]) == 60)
  }

  /// C12 Time is injected.
  @Test func timeIsInjected() {
    let scheduler = TestScheduler()
    let keys = scheduler.hot("-a-b-----c-|")
    let settled = keys.debounce(for: .seconds(3), on: scheduler)
    let recorder = scheduler.record(settled)
    scheduler.run()
    #expect(recorder.marbles == "------b----(c|)")
  }

  // MARK: - The document

  @Test func everyDocumentedExampleIsATest() throws {
    let tests = Self.lines(of: try String(contentsOfFile: #filePath, encoding: .utf8))
    let blocks = Self.examples(in: try Self.document())
    #expect(blocks.count >= 12)
    for block in blocks {
      let isThere = tests.indices.contains { tests[$0...].starts(with: block) }
      #expect(isThere, "No test contains this example:\n\(block.joined(separator: "\n"))")
    }
  }

  @Test func theDocumentStatesEveryContract() throws {
    let headings = Self.lines(of: try Self.document()).filter { $0.hasPrefix("## C") }
    #expect(headings.map { $0.split(separator: " ")[1] } == (1...12).map { "C\($0)" })
  }

  private static func document() throws -> String {
    let root = #filePath.components(separatedBy: "/Tests/RunnelStreamsTests/").dropLast()
      .joined(separator: "/Tests/RunnelStreamsTests/")
    return try String(contentsOfFile: root + "/Documentation/Contracts.md", encoding: .utf8)
  }

  /// Returns the lines without their indentation.
  private static func lines(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns the lines of each Swift code block.
  private static func examples(in document: String) -> [[String]] {
    var blocks: [[String]] = []
    var open: [String]?
    for line in lines(of: document) {
      if line == "```swift" {
        open = []
      } else if line == "```", let block = open {
        blocks.append(block)
        open = nil
      } else {
        open?.append(line)
      }
    }
    return blocks
  }
}
