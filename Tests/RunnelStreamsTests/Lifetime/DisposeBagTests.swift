import RunnelStreams
import RunnelTesting
import Testing

@Suite struct DisposeBagTests {
  // MARK: Values

  @Test func disposesItsContentsWhenItGoes() {
    var order: [Int] = []
    var bag: DisposeBag? = DisposeBag()
    for number in 0..<3 { Disposable { order.append(number) }.disposed(by: bag!) }
    #expect(bag?.count == 3)
    #expect(order == [])
    bag = nil
    #expect(order == [0, 1, 2])
  }

  @Test func replacingItClearsIt() {
    let push = PushStream<Int>()
    var bag = DisposeBag()
    push.observeNext { _ in }.disposed(by: bag)
    bag = DisposeBag()
    #expect(!push.isObserved)
    #expect(bag.count == 0)
  }

  @Test func countsThoseThatHaveNotEnded() {
    let bag = DisposeBag()
    let disposable = Disposable()
    bag.add(disposable)
    bag.add(.none)
    #expect(bag.count == 1)
    disposable.dispose()
    #expect(bag.count == 0)
  }

  @Test func keepsNoneOfManyThatHaveEnded() {
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

  // MARK: Re-entrancy

  @Test func whatItDisposesMayReleaseAnotherBag() {
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

  @Test func releasedAtHomeDisposesAtOnce() {
    let home = ManualContext()
    var count = 0
    home.use {
      let bag = DisposeBag()
      bag.add(Disposable { count += 1 })
    }
    #expect(count == 1)
    #expect(home.pending == 0)
  }

  @Test func releasedOnAnotherThreadHandsItsContentsHome() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: the other thread has it while this one waits.
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

  @Test func anEmptyBagHandsNothingHome() async {
    let waiting = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      // Safety: the other thread has it while this one waits.
      nonisolated(unsafe) var bag: DisposeBag? = DisposeBag()
      bag?.add(.none)
      elsewhere.run { bag = nil }
      elsewhere.join()
      return home.pending
    }
    #expect(waiting == 0)
  }

  @Test func madeWithoutAContextDisposesWhereItIsReleased() async {
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
