import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tests of recursion in tail position: an operator's last stream is created by the same function.
@Suite struct TailRecursionTests {
  private typealias Numbers = EventStream<Int, ContractFailure>

  /// The operators that continue with a last stream, each with one level of recursion.
  private static let operators: [(name: String, level: @Sendable (Int, Numbers) -> Numbers)] = [
    ("append", { number, rest in Numbers.just(number).append(rest) }),
    ("concat", { number, rest in .concat(.just(number), .completed, rest) }),
    ("concat of one", { _, rest in .concat([rest]) }),
    ("catch", { _, rest in Numbers.failed(ContractFailure()).catch { _ in rest } }),
    (
      "flatMapFailure",
      { _, rest in
        Numbers.failed(ContractFailure()).flatMapFailure(to: ContractFailure.self) { _ in rest }
      }
    ),
    ("ifEmpty", { _, rest in Numbers.completed.ifEmpty(switchTo: rest) }),
    (
      "retry",
      { _, rest in
        var attempts = 0
        return Numbers.deferred {
          attempts += 1
          return attempts == 1 ? .failed(ContractFailure()) : rest
        }.retry(2)
      }
    ),
    (
      "repeated",
      { number, rest in
        var runs = 0
        return Numbers.deferred {
          runs += 1
          return runs == 1 ? .just(number) : rest
        }.repeated(2)
      }
    ),
    (
      "andThen",
      { _, rest in Completable<ContractFailure>.completed.andThen(rest) }
    ),
  ]

  /// A recursion whose levels end as soon as they are observed. It records the stack address at
  /// which each level is created, and the number of living objects that the levels capture.
  private final class Recursion {
    let depth: Int
    let level: (Int, Numbers) -> Numbers
    private(set) var alive = 0
    private(set) var mostAlive = 0
    private(set) var stack: [UInt] = []

    init(depth: Int, _ level: @escaping (Int, Numbers) -> Numbers) {
      self.depth = depth
      self.level = level
    }

    func stream(from number: Int) -> Numbers {
      noteStack()
      if number == depth { return .just(number) }
      alive += 1
      mostAlive = max(alive, mostAlive)
      let captive = Captive { self.alive -= 1 }
      return level(
        number,
        .deferred {
          captive.hold()
          return self.stream(from: number + 1)
        })
    }

    private func noteStack() {
      var local = 0
      stack.append(withUnsafePointer(to: &local) { UInt(bitPattern: $0) })
    }
  }

  @Test(arguments: operators.indices)
  func recursionTakesNoStackOrMemory(_ index: Int) {
    let (name, level) = Self.operators[index]
    let recursion = Recursion(depth: 20_000, level)
    let recorder = recursion.stream(from: 0).record()
    #expect(recorder.elements.last == 20_000, "\(name)")
    #expect(recorder.isCompleted, "\(name)")
    #expect(recursion.stack.count == 20_001, "\(name)")
    #expect(recursion.stack[10] == recursion.stack[20_000], "\(name)")
    #expect(recursion.mostAlive <= 3, "\(name)")
    #expect(recursion.alive == 0, "\(name)")
  }

  @Test(arguments: operators.indices)
  func recursionStopsOnDisposal(_ index: Int) {
    let (name, level) = Self.operators[index]
    let observation = Disposable()
    let recursion = Recursion(depth: .max) { number, rest in
      level(number, rest.do(observed: { if number == 100 { observation.dispose() } }))
    }
    recursion.stream(from: 0).start(in: observation, next: { _ in }, end: { _ in })
    #expect(recursion.stack.count <= 103, "\(name)")
    #expect(recursion.alive == 0, "\(name)")
  }

  /// Each page waits for its push, so each level continues from an event of its own.
  @Test func recursionOverTimeTakesNoMemory() {
    var waiting = PushStream<Int>()
    var alive = 0
    func pages(from number: Int) -> EventStream<Int, Never> {
      alive += 1
      let captive = Captive { alive -= 1 }
      return EventStream.deferred {
        waiting = PushStream()
        return waiting.stream
      }.append(
        .deferred {
          captive.hold()
          return pages(from: number + 1)
        })
    }
    var sum = 0
    let names = Resources.tracking { resources in
      let observation = pages(from: 0).observeNext { sum += $0 }
      for _ in 0..<1_000 {
        let page = waiting
        page.next(1)
        page.completed()
        #expect(alive <= 2)
      }
      let names = resources.names
      observation.dispose()
      return names
    }
    #expect(sum == 1_000)
    #expect(names.count <= 3, "\(names)")
    #expect(alive == 0)
  }

  // MARK: - Flattening

  /// The operators that flatten, each with one level of a polling loop.
  private static let flatteners:
    [(name: String, poll: @Sendable (Numbers, @escaping () -> Numbers) -> Numbers)] = [
      ("flatMap", { source, rest in source.flatMap { _ in rest() } }),
      ("concatMap", { source, rest in source.concatMap { _ in rest() } }),
      ("flatMapLatest", { source, rest in source.flatMapLatest { _ in rest() } }),
      ("flatMapFirst", { source, rest in source.flatMapFirst { _ in rest() } }),
      ("merge", { source, rest in .merge([.completed, source.flatMap { _ in rest() }]) }),
      (
        "append in flatMap",
        { source, rest in source.flatMap { Numbers.just($0).append(.deferred { rest() }) } }
      ),
      (
        "flatMap in append",
        { source, rest in .concat(.just(-1), source.flatMapLatest { _ in rest() }) }
      ),
    ]

  /// A polling loop. Each level waits for an event, which starts the next level.
  private final class Polling {
    private var waiting = Subject<Int, ContractFailure>()
    private let poll: (Numbers, @escaping () -> Numbers) -> Numbers
    private(set) var alive = 0
    private(set) var stack: [UInt] = []

    init(_ poll: @escaping (Numbers, @escaping () -> Numbers) -> Numbers) {
      self.poll = poll
    }

    func stream() -> Numbers {
      alive += 1
      let captive = Captive { self.alive -= 1 }
      return poll(
        .deferred {
          self.waiting = Subject()
          return self.waiting.stream
        }
      ) {
        captive.hold()
        var local = 0
        self.stack.append(withUnsafePointer(to: &local) { UInt(bitPattern: $0) })
        return self.stream()
      }
    }

    func answer(_ number: Int) {
      let current = waiting
      current.next(number)
      current.completed()
    }

    func send(_ number: Int) { waiting.next(number) }
    func fail() { waiting.failed(ContractFailure()) }
    var isObserved: Bool { waiting.isObserved }
  }

  @Test(arguments: flatteners.indices)
  func pollingTakesNoStackOrMemory(_ index: Int) {
    let (name, poll) = Self.flatteners[index]
    let polling = Polling(poll)
    let recorder = polling.stream().record()
    for number in 0..<2_000 {
      polling.answer(number)
      #expect(polling.alive <= 4, "\(name)")
    }
    #expect(polling.stack.count == 2_000, "\(name)")
    #expect(polling.stack[10] == polling.stack[1_999], "\(name)")
    polling.fail()
    #expect(recorder.events.last == .failed(ContractFailure()), "\(name)")
    #expect(polling.alive == 0, "\(name)")
  }

  @Test(arguments: flatteners.indices)
  func pollingStopsOnDisposal(_ index: Int) {
    let (name, poll) = Self.flatteners[index]
    let polling = Polling(poll)
    let observation = polling.stream().observe { _ in }
    for number in 0..<10 { polling.answer(number) }
    #expect(polling.isObserved, "\(name)")
    observation.dispose()
    #expect(!polling.isObserved, "\(name)")
    #expect(polling.alive == 0, "\(name)")
  }

  /// A stream that is handed over keeps the resources of the levels before it.
  @Test func resourcesOfEachLevelLiveUntilTheEnd() {
    var open: Set<Int> = []
    var sources: [PushStream<Int>] = []
    func level(_ number: Int) -> EventStream<Int, Never> {
      .using({ open.insert(number) }, dispose: { _ in open.remove(number) }) { _ in
        let source = PushStream<Int>()
        sources.append(source)
        return source.flatMap { number == 3 ? .just($0) : level(number + 1) }
      }
    }
    let recorder = level(0).record()
    for number in 0...3 {
      #expect(open == Set(0...number))
      sources[number].next(number)
      if number < 3 { sources[number].completed() }
    }
    #expect(recorder.elements == [3])
    sources[3].completed()
    #expect(recorder.isCompleted)
    #expect(open.isEmpty)
  }

  /// The operators between two levels still get the events of the inner one.
  @Test func operatorsBetweenTheLevelsRemain() {
    var sources: [PushStream<Int>] = []
    func level(_ number: Int) -> EventStream<Int, Never> {
      let source = PushStream<Int>()
      sources.append(source)
      return source.flatMap { number == 3 ? .just($0) : level(number + 1).map { $0 * 2 } }
    }
    let recorder = level(0).record()
    for number in 0..<3 {
      sources[number].next(0)
      sources[number].completed()
    }
    sources[3].next(1)
    sources[3].next(2)
    sources[3].completed()
    #expect(recorder.elements == [8, 16])
    #expect(recorder.isCompleted)
  }

  /// Several inner streams of one level: the last one that runs is handed over.
  @Test func theLastOfSeveralInnerStreamsIsHandedOver() {
    let outer = PushStream<Int>()
    let middle = PushStream<Int>()
    let leaves = [PushStream<Int>(), PushStream<Int>()]
    let recorder = outer.flatMap { _ in middle.flatMap { leaves[$0].stream } }.record()
    outer.next(0)
    outer.completed()
    middle.next(0)
    middle.next(1)
    leaves[1].next(1)
    middle.completed()
    leaves[0].next(2)
    leaves[0].completed()
    leaves[1].next(3)
    #expect(!recorder.isCompleted)
    leaves[1].completed()
    #expect(recorder.elements == [1, 2, 3])
    #expect(recorder.isCompleted)
  }

  /// A level that ends while the observer handles an event must not overtake that event (C2).
  @Test func handingOverDuringDeliveryKeepsTheOrder() {
    let outer = PushStream<Int>()
    let middle = PushStream<Int>()
    let leaf = PushStream<Int>()
    var seen: [Int] = []
    var isHandling = false
    outer.flatMap { _ in middle.flatMap { _ in leaf.stream } }.observeNext { number in
      #expect(!isHandling)
      isHandling = true
      if number == 1 {
        middle.completed()
        leaf.next(2)
      }
      seen.append(number)
      isHandling = false
    }
    outer.next(0)
    outer.completed()
    middle.next(0)
    leaf.next(1)
    leaf.next(3)
    #expect(seen == [1, 2, 3])
  }

  // MARK: - Ends

  /// A producer's own events follow the elements of a stream that it started, even when that stream
  /// ends in a last stream.
  @Test func aProducerContinuesAfterTheStreamsItStarted() {
    let inner = Numbers.just(1).append(.deferred { Numbers.just(2).append(.just(3)) })
    let produced = Numbers { observer in
      inner.observe(next: { observer.next($0) }, failed: { observer.failed($0) })
      observer.next(4)
      observer.completed()
      return .none
    }
    let started = Numbers { observer in
      Numbers.just(0).append(.just(1)).start(
        Observer(next: { observer.next($0) }, end: { _ in }, observation: observer.observation))
      observer.next(2)
      observer.completed()
      return .none
    }
    #expect(Numbers.just(0).append(produced).record().elements == [0, 1, 2, 3, 4])
    #expect(Numbers.just(-1).append(started).record().elements == [-1, 0, 1, 2])
  }

  @Test func theLastStreamSendsTheEndOnce() {
    let last = Numbers.unguarded { observer in
      observer.next(1)
      observer.completed()
      observer.next(2)
      observer.failed(ContractFailure())
    }
    #expect(Numbers.completed.append(last).record().events == [.next(1), .completed])
  }
}
