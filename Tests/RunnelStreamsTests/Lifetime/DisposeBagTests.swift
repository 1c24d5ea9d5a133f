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
    let home = HandContext()
    var count = 0
    home.enter {
      let bag = DisposeBag()
      bag.add(Disposable { count += 1 })
    }
    #expect(count == 1)
    #expect(home.waiting == 0)
  }

  @Test func releasedOnAnotherThreadHandsItsContentsHome() async {
    let home = HandContext()
    let log = Log()
    // Safety: one thread at a time uses what is in the holder, each after the one before.
    nonisolated(unsafe) var bag: DisposeBag? = home.enter { DisposeBag() }
    home.enter {
      bag?.add(Disposable { log.entries.append(home.isCurrent ? "1 at home" : "1 elsewhere") })
      bag?.add(Disposable { log.entries.append("2") })
    }
    await Task.detached { bag = nil }.value
    #expect(log.entries == [])
    #expect(home.waiting == 1)
    home.run()
    #expect(log.entries == ["1 at home", "2"])
  }

  @Test func anEmptyBagHandsNothingHome() {
    let home = HandContext()
    var bag: DisposeBag? = home.enter { DisposeBag() }
    #expect(bag?.count == 0)
    bag = nil
    #expect(home.waiting == 0)
  }

  @Test func madeWithoutAContextDisposesWhereItIsReleased() async {
    let log = Log()
    await Task.detached {
      let bag = DisposeBag()
      bag.add(Disposable { log.entries.append("disposed") })
    }.value
    #expect(log.entries == ["disposed"])
  }
}

/// What happened, written by one thread after the other.
///
/// Safety: the tests wait for one thread before another writes or reads.
private final class Log: @unchecked Sendable {
  var entries: [String] = []
}
