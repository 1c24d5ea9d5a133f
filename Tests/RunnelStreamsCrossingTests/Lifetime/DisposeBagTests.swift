import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DisposeBagTests {
  // MARK: Values

  @Test func disposesItsContentsOnRelease() {
    var order: [Int] = []
    var bag: DisposeBag? = DisposeBag()
    for number in 0..<3 { Disposable { order.append(number) }.disposed(by: bag!) }
    #expect(bag?.count == 3)
    #expect(order == [])
    bag = nil
    #expect(order == [0, 1, 2])
  }

  @Test func releaseOnAnotherThreadRetainsNothingThere() {
    let thread = ThreadContext()
    let home = InspectedContext(thread)
    let bag = Monitor<DisposeBag?>(nil)
    thread.run {
      Current.with(context: home) {
        let disposable = Disposable()
        let new = DisposeBag()
        home.watched.withLock { [weak disposable] in $0 = { disposable != nil } }
        new.add(disposable)
        // Safety: this thread does not use the bag after the other one has it.
        nonisolated(unsafe) let handedOver = new
        bag.withLock { $0 = handedOver }
      }
    }
    bag.withLock { $0 = nil }
    thread.join()
    #expect(home.findings.all == [false])
  }

  /// A context that checks, after each job from another thread, whether an object is still alive.
  /// If the sending thread still held the job's captures, it would be the last to release them.
  // Safety: the check only compares the weak reference with nil.
  private final class InspectedContext: ExecutionContext, @unchecked Sendable {
    let watched = Monitor<(() -> Bool)?>(nil)
    let findings = SharedLog<Bool>()
    private let thread: ThreadContext

    init(_ thread: ThreadContext) {
      self.thread = thread
    }

    var isCurrent: Bool { thread.isCurrent }

    func execute(_ job: @escaping @Sendable () -> Void) {
      thread.execute(job)
      thread.flush()
      if let isThere = watched.withLock({ $0 }) { findings.append(isThere()) }
    }
  }

  @Test func replacingTheBagDisposesItsContents() {
    let push = PushStream<Int>()
    var bag = DisposeBag()
    push.observeNext { _ in }.disposed(by: bag)
    bag = DisposeBag()
    #expect(!push.isObserved)
    #expect(bag.count == 0)
  }

  @Test func countsOnlyActiveMembers() {
    let bag = DisposeBag()
    let disposable = Disposable()
    bag.add(disposable)
    bag.add(.none)
    #expect(bag.count == 1)
    disposable.dispose()
    #expect(bag.count == 0)
  }

  @Test func removesDisposedMembers() {
    let bag = DisposeBag()
    let live = Disposable()
    bag.add(live)
    var references: [() -> Disposable?] = []
    for _ in 0..<10_000 {
      let disposable = Disposable()
      bag.add(disposable)
      disposable.dispose()
      references.append { [weak disposable] in disposable }
    }
    #expect(references.count { $0() != nil } < 100)
    #expect(bag.count == 1)
    #expect(!live.isDisposed)
  }

  /// A source can be released without an end. Then there is no observation left to dispose.
  @Test func removesObservationsOfReleasedSources() {
    let bag = DisposeBag()
    let live = PushStream<Int>()
    live.observeNext { _ in }.disposed(by: bag)
    var references: [() -> Disposable?] = []
    for _ in 0..<10_000 {
      let observation = PushStream<Int>().map { $0 + 1 }.observeNext { _ in }
      bag.add(observation)
      references.append { [weak observation] in observation }
    }
    #expect(references.count { $0() != nil } < 100)
    #expect(bag.count == 1)
    #expect(live.isObserved)
  }

  @Test func countIgnoresObservationsOfReleasedSources() {
    Resources.tracking { _ in
      let bag = DisposeBag()
      PushStream<Int>().observeNext { _ in }.disposed(by: bag)
      #expect(bag.count == 0)
    }
  }

  /// An empty disposable stays in the bag, since actions can be added later. Members keep their
  /// order.
  @Test func keepsEmptyDisposables() {
    var order: [Int] = []
    var bag: DisposeBag? = DisposeBag()
    weak var empty: Disposable?
    do {
      let disposable = Disposable()
      bag?.add(disposable)
      empty = disposable
    }
    for number in 1...200 {
      PushStream<Int>().observeNext { _ in }.disposed(by: bag!)
      bag?.add(Disposable { order.append(number) })
    }
    empty?.add { order.append(0) }
    #expect(bag?.count == 201)
    bag = nil
    #expect(order == Array(0...200))
  }

  /// An observation stays in the bag while a caller holds it, or holds its observer.
  @Test func keepsObservationsThatACallerHolds() {
    let bag = DisposeBag()
    var held: Disposable? = PushStream<Int>().observeNext { _ in }
    held?.disposed(by: bag)
    var observers: [Observer<Int, Never>] = []
    var received: [Int] = []
    let stream = EventStream<Int, Never> { observer in
      observers.append(observer)
      return .none
    }
    stream.observeNext { received.append($0) }.disposed(by: bag)
    #expect(bag.count == 2)
    held = nil
    #expect(bag.count == 1)
    for observer in observers { observer.next(1) }
    #expect(received == [1])
    #expect(bag.count == 1)
  }

  // MARK: Reentrancy

  @Test func aMemberMayReleaseAnotherBag() {
    var inner: DisposeBag? = DisposeBag()
    var order: [Int] = []
    inner!.add(Disposable { order.append(2) })
    var outer: DisposeBag? = DisposeBag()
    outer!.add(
      Disposable {
        order.append(1)
        inner = nil
        order.append(3)
      })
    outer = nil
    #expect(order == [1, 2, 3])
    _ = outer
    _ = inner
  }

  // MARK: Domains

  @Test func releaseOnItsContextDisposesAtOnce() {
    let home = ManualContext()
    var count = 0
    home.use {
      let bag = DisposeBag()
      bag.add(Disposable { count += 1 })
    }
    #expect(count == 1)
    #expect(home.pending == 0)
  }

  @Test func releaseOnAnotherThreadDisposesOnItsContext() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var bag: DisposeBag? = DisposeBag()
      for number in 1...2 {
        bag?.add(Disposable { log.append("\(number) \(home.isCurrent ? "at home" : "elsewhere")") })
      }
      elsewhere.run { bag = nil }
      log.append("\(home.pending) waits")
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == ["1 waits", "1 at home", "2 at home"])
  }

  @Test func anEmptyBagSchedulesNoJob() async {
    let waiting = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var bag: DisposeBag? = DisposeBag()
      bag?.add(.none)
      elsewhere.run { bag = nil }
      elsewhere.join()
      return home.pending
    }
    #expect(waiting == 0)
  }

  @Test func disposesInPlaceWithoutAContext() async {
    let count = await Task.detached {
      var count = 0
      do {
        let bag = DisposeBag()
        bag.add(Disposable { count += 1 })
      }
      return count
    }.value
    #expect(count == 1)
  }
}
