import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct DisposableTests {
  // MARK: Values

  @Test func runsItsActionOnce() {
    var count = 0
    let disposable = Disposable { count += 1 }
    #expect(!disposable.isDisposed)
    disposable.dispose()
    disposable.dispose()
    disposable.tearDown()
    #expect(count == 1)
    #expect(disposable.isDisposed)
  }

  @Test func tearsDownInReverseOrder() {
    var order: [Int] = []
    let disposable = Disposable { order.append(0) }
    disposable.add { order.append(1) }
    disposable.add(Disposable { order.append(2) })
    disposable.add(CompositeDisposable([Disposable { order.append(3) }]))
    disposable.dispose()
    #expect(order == [3, 2, 1, 0])
  }

  @Test func tearsDownNestedDisposablesInReverseOrder() {
    var order: [Int] = []
    func nest(_ number: Int, around inner: Disposable...) -> Disposable {
      let outer = Disposable { order.append(number) }
      for disposable in inner { outer.add(disposable) }
      outer.add { order.append(-number) }
      return outer
    }
    let nested = nest(1, around: nest(2, around: nest(3)), nest(4, around: nest(5), nest(6)))
    nested.dispose()
    #expect(order == [-1, -4, -6, 6, -5, 5, 4, -2, -3, 3, 2, 1])
  }

  /// A timer is a disposable that does more than release its resources.
  @Test func tearsDownATimerAmongNestedDisposables() {
    let scheduler = VirtualScheduler()
    var order: [String] = []
    let timer = scheduler.schedule(after: .seconds(1)) { order.append("fired") }
    timer.add(Disposable { order.append("resource of the timer") })
    let outer = Disposable { order.append("first") }
    let middle = Disposable()
    middle.add(timer)
    outer.add(middle)
    outer.dispose()
    #expect(order == ["resource of the timer", "first"])
    scheduler.advance(by: .seconds(2))
    #expect(order.count == 2)
  }

  @Test func disposablesMayBeNestedDeeply() {
    var disposals = 0
    var nested = Disposable { disposals += 1 }
    for level in 0..<300_000 {
      let outer = Disposable()
      if level.isMultiple(of: 3) { outer.add { disposals += 1 } }
      outer.add(nested)
      nested = outer
    }
    nested.dispose()
    #expect(disposals == 100_001)
  }

  @Test func anActionAddedAfterDisposalRunsAtOnce() {
    let disposable = Disposable()
    disposable.dispose()
    var order: [Int] = []
    disposable.add { order.append(1) }
    let child = Disposable { order.append(2) }
    disposable.add(child)
    #expect(order == [1, 2])
    #expect(child.isDisposed)
  }

  @Test func aDisposedChildIsNotRetained() {
    let disposable = Disposable()
    weak var ended: Disposable?
    do {
      let child = Disposable()
      child.dispose()
      disposable.add(child)
      ended = child
    }
    #expect(ended == nil)
  }

  @Test func noneIsAlwaysDisposed() {
    #expect(Disposable.none.isDisposed)
    Disposable.none.dispose()
    var count = 0
    Disposable.none.add { count += 1 }
    #expect(count == 1)
  }

  // MARK: Disposal

  @Test func releasingItDoesNotDisposeIt() {
    var count = 0
    var wasReleased = false
    do {
      let captive = Captive { wasReleased = true }
      _ = Disposable {
        captive.hold()
        count += 1
      }
    }
    #expect(count == 0)
    #expect(wasReleased)
  }

  @Test func disposeReleasesAddedActions() {
    let disposable = Disposable()
    var released = 0
    do {
      let captives = [Captive { released += 1 }, Captive { released += 1 }]
      for captive in captives { disposable.add { captive.hold() } }
    }
    #expect(released == 0)
    disposable.dispose()
    #expect(released == 2)
  }

  // MARK: Reentrancy

  @Test func mayBeDisposedAndAddedToDuringTearDown() {
    var order: [Int] = []
    let disposable = Disposable { order.append(0) }
    disposable.add {
      disposable.dispose()
      disposable.add { order.append(2) }
      order.append(1)
      #expect(disposable.isDisposed)
    }
    disposable.dispose()
    #expect(order == [2, 1, 0])
  }

  @Test func aReleasedCaptureMayDisposeAgain() {
    let disposable = Disposable()
    do {
      let captive = Captive { disposable.dispose() }
      disposable.add { captive.hold() }
    }
    disposable.dispose()
    #expect(disposable.isDisposed)
  }

  @Test func twoDisposablesCanDisposeEachOther() {
    var count = 0
    let first = Disposable { count += 1 }
    let second = Disposable { count += 1 }
    first.add(second)
    second.add(first)
    second.dispose()
    #expect(count == 2)
  }
}
