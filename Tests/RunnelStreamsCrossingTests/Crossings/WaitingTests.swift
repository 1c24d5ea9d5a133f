import Glibc
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Sources that wait while another context is behind.
@Suite struct WaitingTests {
  private let home = ManualContext()
  private let far = ManualContext()

  /// Numbers that are made as fast as they are used.
  private final class Numbers {
    private(set) var made = 0
    let count: Int

    init(_ count: Int) {
      self.count = count
    }

    var stream: EventStream<Int, Never> {
      .pulled { [self] in
        made += 1
        return made > count ? nil : .just(made)
      }
    }
  }

  /// Runs both contexts, one job at a time, until neither has any.
  private func run(_ check: () -> Void = {}) {
    while far.runOne() || home.runOne() { check() }
  }

  // MARK: Sections

  @Test func aSourceWaitsForTheSection() {
    let numbers = Numbers(20_000)
    var received: [Int] = []
    home.use { _ = numbers.stream.via(far) { $0.map { $0 } }.observeNext { received.append($0) } }
    #expect(numbers.made == 2048)
    var mostInFlight = 0
    run { mostInFlight = max(mostInFlight, numbers.made - received.count) }
    #expect(received == Array(1...20_000))
    // One batch waits, and another one is handled, in each direction.
    #expect(mostInFlight <= 4 * 2048)
  }

  @Test func limitsCountElementsAndBytes() {
    let numbers = Numbers(100)
    let backlog = Backlog(elements: 10)
    home.use { _ = numbers.stream.via(far, backlog: backlog) { $0 }.observeNext { _ in } }
    #expect(numbers.made == 10 && backlog.waitingCount == 10)
    let texts = Numbers(100)
    let bytes = Backlog(bytes: 1000)
    home.use {
      _ = texts.stream.map { _ in String(repeating: "x", count: 300) }
        .via(far, backlog: bytes) { $0 }.observeNext { _ in }
    }
    #expect(texts.made == 4 && bytes.waitingCount == 4)
    run()
    #expect(numbers.made == 101 && texts.made == 101)
    #expect(backlog.waitingCount == 0 && bytes.waitingCount == 0)
    #expect(backlog.droppedCount == 0)
  }

  @Test func aSectionWaitsForTheObserverOfItsResults() {
    let numbers = Numbers(100_000)
    nonisolated(unsafe) var sent = 0
    home.use {
      _ =
        numbers.stream.via(far) { numbers in
          numbers.flatMap { number in
            EventStream<Int, Never>.sequence(1...10).map { _ in number }
              .do(next: { _ in sent += 1 })
          }
        }
        .observeNext { _ in }
    }
    far.run()
    // The limit, and a batch of at most half of it.
    #expect((2048...2048 + 1024 + 10).contains(sent))
    let (made, first) = (numbers.made, sent)
    far.run()
    #expect(sent == first && numbers.made == made)
    run()
    #expect(sent == 1_000_000)
  }

  @Test func resultsHaveTheSameLimits() {
    let numbers = Numbers(1_000)
    nonisolated(unsafe) var handled = 0
    home.use {
      _ =
        numbers.stream.via(far, backlog: Backlog(elements: 4)) { numbers in
          numbers.do(next: { _ in handled += 1 })
        }
        .observeNext { _ in }
    }
    far.run()
    #expect(handled == 4)
    run()
    #expect(handled == 1_000)
  }

  /// Waits until the coarse clock of the system advances, which takes a few milliseconds.
  private static func waitForATick() {
    func time() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
      return time.tv_nsec
    }
    let start = time()
    while time() == start {}
  }

  @Test func resultsOfSlowWorkAreSentBeforeTheBatchEnds() {
    let numbers = Numbers(10)
    nonisolated(unsafe) var pending: [Int] = []
    home.use {
      _ =
        numbers.stream.via(far) { [home] numbers in
          numbers.do(next: { _ in
            pending.append(home.pending)
            Self.waitForATick()
          })
        }
        .observeNext { _ in }
    }
    far.run()
    #expect(pending.count == 10)
    #expect((pending.last ?? 0) > 0)
    run()
  }

  @Test func aChainOfSectionsWaitsForTheLast() {
    let last = ManualContext()
    let numbers = Numbers(100_000)
    var received = 0
    home.use {
      _ = numbers.stream.via(far) { $0 }.via(last) { $0 }.observeNext { _ in received += 1 }
    }
    run()
    #expect(numbers.made < 20_000)
    while last.runOne() || far.runOne() || home.runOne() {}
    #expect(received == 100_000)
  }

  @Test func aDisposedCrossingLetsTheSourceGoOn() {
    let numbers = Numbers(10_000)
    var received = 0
    let shared = numbers.stream.publish()
    let crossing = home.use { shared.via(far) { $0 }.observeNext { _ in } }
    shared.observeNext { _ in received += 1 }
    let connection = home.use { shared.connect() }
    #expect(received == 2048)
    crossing.dispose()
    home.run()
    #expect(received == 10_000)
    connection.dispose()
  }

  @Test func anEndedSectionLetsTheSourceGoOn() {
    let numbers = Numbers(10_000)
    var received = 0
    let shared = numbers.stream.publish()
    home.use { _ = shared.via(far) { $0.take(1) }.observeNext { _ in } }
    shared.observeNext { _ in received += 1 }
    let connection = home.use { shared.connect() }
    run()
    #expect(received == 10_000)
    connection.dispose()
  }

  @Test func aFullCrossingStillDeliversTheEnd() {
    let source = Subject<Int, Broken>()
    var events: [StreamEvent<Int, Broken>] = []
    home.use {
      _ = source.via(far, backlog: Backlog(elements: 1)) { $0 }.observe { events.append($0) }
    }
    source.next(1)
    source.next(2)
    source.failed(Broken())
    run()
    #expect(events == [.next(1), .next(2), .failed(Broken())])
  }

  // MARK: Sources that cannot wait

  @Test(arguments: [
    (StreamBuffering.newest(2), [4, 5]), (.oldest(2), [1, 2]), (.unbounded, [1, 2, 3, 4, 5]),
  ])
  func bufferingSaysWhatIsKept(_ buffering: StreamBuffering, _ kept: [Int]) {
    let source = PushStream<Int>()
    let backlog = Backlog()
    var received: [Int] = []
    home.use {
      _ = source.via(far, buffering: buffering, backlog: backlog) { $0 }
        .observeNext { received.append($0) }
    }
    for number in 1...5 { source.next(number) }
    #expect(backlog.waitingCount == kept.count && backlog.droppedCount == 5 - kept.count)
    source.completed()
    run()
    #expect(received == kept)
    #expect(backlog.waitingCount == 0)
  }

  @Test func droppingIsNoReasonToWait() {
    let numbers = Numbers(5_000)
    var received: [Int] = []
    home.use {
      _ = numbers.stream.via(far, buffering: .newest(3)) { $0 }.observeNext { received.append($0) }
    }
    #expect(numbers.made == 5_001)
    run()
    #expect(received == [4_998, 4_999, 5_000])
  }

  @Test func disposalForgetsWhatWaits() {
    let source = PushStream<Int>()
    let backlog = Backlog()
    let observation = home.use { source.via(far, backlog: backlog) { $0 }.observeNext { _ in } }
    for number in 1...5 { source.next(number) }
    observation.dispose()
    run()
    #expect(backlog.waitingCount == 0)
  }

  // MARK: Handlers and remotes

  @Test func aSourceWaitsForAHandler() {
    let numbers = Numbers(10_000)
    nonisolated(unsafe) var handled = 0
    home.use { _ = numbers.stream.observe(on: far) { _ in handled += 1 } }
    #expect(numbers.made == 2048)
    run()
    #expect(handled == 10_001)
  }

  @Test func aSourceWaitsForARemote() {
    let sum = Property(0)
    let remote = far.use { sum.remote }
    let numbers = Numbers(10_000)
    home.use { _ = numbers.stream.observeNext { number in remote.send { $0.value += number } } }
    #expect(numbers.made == 2048)
    run()
    #expect(sum.value == 10_000 * 10_001 / 2)
  }

  /// A context that is gone: it runs nothing.
  private final class GoneContext: ExecutionContext {
    var isCurrent: Bool { false }
    func execute(_ job: @escaping @Sendable () -> Void) {}
  }

  @Test func aSourceStopsAtAContextThatIsGone() {
    let numbers = Numbers(20_000)
    let gone = GoneContext()
    home.use { _ = numbers.stream.via(gone) { $0 }.observeNext { _ in } }
    run()
    #expect(numbers.made == 2)
  }

  private actor Keeper {
    private let subject = PushStream<Int>()

    func remote() -> Remote<PushStream<Int>> { Remote(subject) }
  }

  @Test func aSourceDoesNotWaitForTheRemoteOfAReleasedActor() async {
    let remote = await Keeper().remote()
    let numbers = Numbers(20_000)
    home.use { _ = numbers.stream.observeNext { number in remote.send { $0.next(number) } } }
    run()
    #expect(numbers.made == 20_001)
  }

  @Test func aRemoteWaitsForWhatItsOwnerFeeds() {
    let last = ManualContext()
    let inlet = PushStream<Int>()
    var received: [Int] = []
    far.use { _ = inlet.via(last) { $0 }.observeNext { received.append($0) } }
    let remote = far.use { inlet.remote }
    let numbers = Numbers(50_000)
    home.use { _ = numbers.stream.observeNext { number in remote.send { $0.next(number) } } }
    run()
    #expect(numbers.made < 10_000)
    while last.runOne() || far.runOne() || home.runOne() {}
    #expect(received == Array(1...50_000))
  }

  // MARK: Readers

  @Test @MainActor func aSourceWaitsForAReader() async {
    let numbers = Numbers(10_000)
    var received = 0
    var mostUnread = 0
    for await _ in numbers.stream.values {
      received += 1
      mostUnread = max(mostUnread, numbers.made - received)
    }
    #expect(received == 10_000)
    #expect(mostUnread <= 2048)
  }

  @Test @MainActor func aReaderCanLeaveAnEndlessSource() async {
    let numbers = Numbers(.max)
    for await number in numbers.stream.values where number == 10 { break }
    #expect(numbers.made <= 2048)
  }

  @Test @MainActor func aReaderThatStopsLetsTheSourceGoOn() async {
    let numbers = Numbers(10_000)
    let shared = numbers.stream.publish()
    var received = 0
    shared.observeNext { _ in received += 1 }
    let values = shared.values(backlog: Backlog(elements: 100))
    var iterator: StreamValues<Int, Never>.Iterator? = values.makeAsyncIterator()
    let connection = shared.connect()
    #expect(received == 100)
    _ = await iterator?.next(isolation: MainActor.shared)
    iterator = nil
    #expect(received == 10_000)
    connection.dispose()
  }

  @Test func anAsyncSequenceWaits() async {
    let (waiting, received) = await ManualContext.onThread { home in
      let far = ManualContext()
      let (sequence, continuation) = AsyncStream<Int>.makeStream()
      for number in 1...50 { continuation.yield(number) }
      continuation.finish()
      let backlog = Backlog(elements: 10)
      var received: [Int] = []
      let observation = EventStream(sequence).via(far, backlog: backlog) { $0 }
        .observeNext { received.append($0) }
      home.run(until: { backlog.waitingCount == 10 })
      let waiting = backlog.waitingCount
      while !observation.isDisposed {
        far.run()
        home.run(until: { far.pending > 0 || observation.isDisposed })
      }
      return (waiting, received)
    }
    #expect(waiting == 10)
    #expect(received == Array(1...50))
  }

  // MARK: Asynchronous work

  @Test func aSourceWaitsForWork() {
    let numbers = Numbers(1_000)
    var received: [Int] = []
    home.use {
      _ =
        numbers.stream.concatMap { number in EventStream.perform(on: far) { number } }
        .observeNext { received.append($0) }
    }
    // One is at work, and 256 wait.
    #expect(numbers.made == 257)
    var most = 0
    run { most = max(most, numbers.made - received.count) }
    #expect(received == Array(1...1_000))
    #expect(most <= 258)
  }

  @Test func aSourceWaitsForCallbacksThatAreWork() {
    let numbers = Numbers(10_000)
    var finish: [() -> Void] = []
    var received = 0
    home.use {
      _ = numbers.stream.concatMap { number in
        EventStream<Int, Never> { observer in
          finish.append {
            observer.next(number)
            observer.completed()
          }
          return .none
        }.asWork
      }.observeNext { _ in received += 1 }
    }
    #expect(numbers.made < 600)
    while let next = finish.popLast() { next() }
    #expect(received == 10_000)
  }

  @Test func aSourceWaitsForWorkThatFollowsWork() {
    let numbers = Numbers(1_000)
    var received: [Int] = []
    home.use {
      _ =
        numbers.stream.flatMap(maxConcurrent: 2) { number in
          EventStream.perform(on: far) { number }
            .flatMap { number in EventStream.perform(on: far) { number } }
            .timeout(after: .seconds(1), switchingTo: .just(0), on: TestScheduler())
        }
        .observeNext { received.append($0) }
    }
    var most = 0
    run { most = max(most, numbers.made - received.count) }
    #expect(received == Array(1...1_000))
    #expect(most <= 260)
  }

  @Test func aSourceWaitsForWorkOfAnInnerOperator() {
    let numbers = Numbers(1_000)
    var received: [Int] = []
    home.use {
      _ =
        numbers.stream.concatMap { number in
          EventStream<Int, Never>.just(number)
            .concatMap { number in EventStream.perform(on: far) { number } }
        }
        .observeNext { received.append($0) }
    }
    #expect(numbers.made == 257)
    run()
    #expect(received == Array(1...1_000))
  }

  @Test func aDisposedOperatorLetsASharedSourceGoOn() {
    let numbers = Numbers(1_000)
    let shared = numbers.stream.publish()
    var received = 0
    let operation = home.use {
      shared.concatMap { number in EventStream.perform(on: far) { number } }.observeNext { _ in }
    }
    shared.observeNext { _ in received += 1 }
    let connection = home.use { shared.connect() }
    #expect(received == 257)
    home.use { operation.dispose() }
    home.run()
    #expect(received == 1_000)
    connection.dispose()
  }

  @Test func aFailureOfWorkEndsASourceThatWaits() {
    let numbers = Numbers(.max)
    var events: [StreamEvent<Int, Broken>] = []
    home.use {
      _ =
        numbers.stream.failing(with: Broken.self).concatMap { number in
          number > 1
            ? EventStream<Int, Broken>.just(number)
            : EventStream<Int, Broken>.perform(on: far) { () throws(Broken) in throw Broken() }
        }
        .observe { events.append($0) }
    }
    run()
    #expect(events == [.failed(Broken())])
    #expect(numbers.made == 257)
  }

  @Test func aSourceDoesNotWaitForWhatWaitsForIt() {
    let numbers = Numbers(1_000)
    var received: [Int] = []
    let shared = numbers.stream.publish()
    home.use {
      // The answer to 1 comes after 900 others.
      _ =
        shared.filter { $0 == 1 }.concatMap { _ in shared.filter { $0 == 900 }.take(1) }
        .observeNext { received.append($0) }
      _ =
        shared.concatMap { number in
          EventStream.perform(on: far) { number }.flatMap { _ in shared.filter { $0 > 900 }.take(1)
          }
        }
        .observeNext { received.append($0) }
    }
    let connection = home.use { shared.connect() }
    run()
    #expect(numbers.made == 1_001)
    #expect(received.prefix(2) == [900, 901])
    connection.dispose()
  }

  // MARK: Graphs

  /// Contexts that send to each other, in all ways in which up to four can, give or take their names.
  private static let graphs: [(count: Int, edges: [(Int, Int)])] = (1...4).flatMap { count in
    let pairs = (0..<count).flatMap { from in (0..<count).map { (from, $0) } }
      .filter { $0.0 != $0.1 || count < 3 }
    let orders = permutations(Array(0..<count))
    var known: Set<[[Int]]> = []
    return (0..<1 << pairs.count).compactMap { mask in
      let edges = pairs.indices.filter { mask >> $0 & 1 == 1 }.map { pairs[$0] }
      let forms = orders.map { order in
        edges.map { [order[$0.0], order[$0.1]] }.sorted { $0.lexicographicallyPrecedes($1) }
      }
      let isNew = forms.allSatisfy { !known.contains($0) }
      if isNew { known.insert(forms[0]) }
      return isNew ? (count, edges) : nil
    }
  }

  private static func permutations(_ numbers: [Int]) -> [[Int]] {
    guard !numbers.isEmpty else { return [[]] }
    return numbers.indices.flatMap { index in
      var rest = numbers
      let number = rest.remove(at: index)
      return permutations(rest).map { [number] + $0 }
    }
  }

  @Test("Contexts that feed each other never wait for each other", arguments: seeds(2))
  func contextsThatFeedEachOtherGoOn(seed: UInt64) {
    #expect(Self.graphs.count == 246)
    var random = SeededGenerator(seed: seed)
    for graph in Self.graphs {
      let contexts = (0..<graph.count).map { _ in ManualContext() }
      nonisolated(unsafe) let inlets = contexts.map { _ in PushStream<Int>() }
      nonisolated(unsafe) var arrived = 0
      for (from, to) in graph.edges {
        contexts[from].use {
          _ = inlets[from].observe(on: contexts[to], backlog: Backlog(elements: 2)) { event in
            guard let steps = event.element else { return }
            arrived += 1
            if steps > 0 { inlets[to].next(steps - 1) }
          }
        }
      }
      // Each context has a source that can wait. Its elements go three edges further.
      for (context, inlet) in zip(contexts, inlets) {
        context.use { _ = Numbers(6).stream.observeNext { _ in inlet.next(3) } }
      }
      while let context = contexts.filter({ $0.pending > 0 }).randomElement(using: &random) {
        context.runOne()
      }
      let expected = Self.arrivals(from: 6, steps: 3, graph)
      #expect(arrived == expected, "\(graph)")
    }
  }

  /// The number of elements that arrive if each context sends some, which go some edges further.
  private static func arrivals(
    from count: Int, steps: Int, _ graph: (count: Int, edges: [(Int, Int)])
  ) -> Int {
    var walks = Array(repeating: count, count: graph.count)
    var sum = 0
    for _ in 0...steps {
      var next = Array(repeating: 0, count: graph.count)
      for (from, to) in graph.edges { next[to] += walks[from] }
      walks = next
      sum += walks.reduce(0, +)
    }
    return sum
  }

  @Test("Threads that feed each other go on", arguments: seeds(10))
  func threadsThatFeedEachOtherGoOn(seed: UInt64) async {
    let (arrived, expected) = await ManualContext.onThread { _ in
      var random = SeededGenerator(seed: seed)
      let contexts = (0..<4).map { _ in ThreadContext() }
      var edges: [(Int, Int)] = []
      for from in 0..<4 {
        for to in 0..<4 where from != to && Bool.random(using: &random) { edges.append((from, to)) }
      }
      nonisolated(unsafe) let inlets = contexts.map { _ in PushStream<Int>() }
      let limit = Int.random(in: 1...3, using: &random)
      let arrived = Monitor(0)
      for (from, to) in edges {
        contexts[from].run {
          inlets[from].observe(on: contexts[to], backlog: Backlog(elements: limit)) { event in
            guard let steps = event.element else { return }
            arrived.withLock { $0 += 1 }
            if steps > 0 { inlets[to].next(steps - 1) }
          }
          return ()
        }
      }
      for index in contexts.indices {
        contexts[index].execute {
          Numbers(200).stream.observeNext { _ in inlets[index].next(3) }
        }
      }
      let expected = Self.arrivals(from: 200, steps: 3, (4, edges))
      _ = arrived.wait(atMost: .seconds(300)) { $0 >= expected ? true : nil }
      for context in contexts { context.join() }
      return (arrived.withLock { $0 }, expected)
    }
    #expect(arrived == expected)
  }
}
