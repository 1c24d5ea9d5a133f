import RunnelProxies
import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Proxied
private protocol SharedDelegate: AnyObject, Sendable {
  func changed(_ row: Int)
}

@Suite struct ProtocolProxyTests {
  private let list = SongList()
  private let controller = Controller()

  // MARK: - Events

  @Test func anEventReachesStreamsThenTheTarget() {
    list.rDelegate.forwardTo = controller
    for name in ["first", "second"] {
      list.rDelegate.stream(\.songList_didSelect) { (push: PushStream<Int>, _, row) in
        push.next(row)
      }
      .observeNext { controller.log.append("\(name) \($0)") }
    }
    list.select(3)
    #expect(controller.log == ["first 3", "second 3", "select 3"])
  }

  @Test func withoutAClosureAStreamSendsTheArguments() {
    var rows: [Int] = []
    list.rDelegate.stream(\.songList_didSelect).observeNext { [list] sender, row in
      #expect(sender === list)
      rows.append(row)
    }
    var changes = 0
    list.rDelegate.stream(\.rowsDidChange).observeNext { changes += 1 }
    list.select(4)
    list.delegate?.rowsDidChange()
    #expect(rows == [4])
    #expect(changes == 1)
  }

  @Test func aVariadicParameterBecomesAnArray() {
    list.rDelegate.forwardTo = controller
    var dropped: [[Int]] = []
    list.rDelegate.stream(\.drop).observeNext { dropped.append($0) }
    list.delegate?.drop(1, 2, 3)
    list.delegate?.drop()
    #expect(dropped == [[1, 2, 3], []])
    #expect(controller.log == ["drop [1, 2, 3]", "drop []"])
  }

  @Test func unobservedMethodsAreForwarded() {
    list.rDelegate.forwardTo = controller
    list.delegate?.rowsDidChange()
    list.delegate?.didScroll(to: 2)
    #expect(controller.log == ["rows", "scroll 2"])
  }

  @Test func forwardingContinuesAfterObservations() {
    list.rDelegate.forwardTo = controller
    list.rDelegate.stream(\.rowsDidChange).observeNext { controller.log.append("heard") }.dispose()
    list.delegate?.rowsDidChange()
    #expect(controller.log == ["rows"])
  }

  @Test func aClosureRunsWhileItsStreamIsObserved() {
    var runs = 0
    let stream: EventStream<Void, Never> = list.rDelegate.stream(\.rowsDidChange) { _ in runs += 1 }
    list.delegate?.rowsDidChange()
    #expect(runs == 0)
    let observation = stream.observeNext {}
    list.delegate?.rowsDidChange()
    #expect(runs == 1)
    observation.dispose()
    list.delegate?.rowsDidChange()
    #expect(runs == 1)
  }

  @Test func aClosureMayCompleteItsStream() {
    var events: [StreamEvent<Int, Never>] = []
    list.rDelegate.stream(\.songList_didSelect) { (push: PushStream<Int>, _, row) in
      push.next(row)
      if row == 2 { push.completed() }
    }.observe { events.append($0) }
    for row in 1...3 { list.select(row) }
    #expect(events == [.next(1), .next(2), .completed])
  }

  @Test func aCallInsideAnObserverIsQueued() {
    var log: [String] = []
    list.rDelegate.forwardTo = controller
    let rows: EventStream<Int, Never> = list.rDelegate.stream(\.songList_didSelect) {
      push, _, row in
      push.next(row)
    }
    rows.observeNext { [list] row in
      log.append("first \(row)")
      if row == 1 { list.select(2) }
    }
    rows.observeNext { log.append("second \($0)") }
    list.select(1)
    #expect(log == ["first 1", "second 1", "first 2", "second 2"])
    #expect(controller.log == ["select 2", "select 1"])
  }

  @Test func disposalDuringACallStopsAtOnce() {
    var log: [Int] = []
    let bag = CompositeDisposable()
    for name in 1...3 {
      bag.add(
        list.rDelegate.stream(\.rowsDidChange).observeNext {
          log.append(name)
          if name == 2 { bag.dispose() }
        })
    }
    list.delegate?.rowsDidChange()
    list.delegate?.rowsDidChange()
    #expect(log == [1, 2])
  }

  // MARK: - Refined protocols

  @Test func keysOfARefinedProtocolAreAvailable() {
    list.rDelegate.forwardTo = controller
    var rows: [Int] = []
    list.rDelegate.stream(\.didScroll_to).observeNext { rows.append($0) }
    list.delegate?.didScroll(to: 9)
    #expect(rows == [9])
    #expect(controller.log == ["scroll 9"])
  }

  // MARK: - Forward target

  @Test func theTargetIsNotRetainedByDefault() {
    var target: Controller? = Controller()
    list.rDelegate.forwardTo = target
    weak let held = target
    target = nil
    #expect(held == nil)
    list.select(1)
  }

  @Test func aTargetThatIsNotRetainedIsReleased() {
    weak var held: Controller?
    do {
      let target = Controller()
      held = target
      list.rDelegate.forwardTo(target, retained: false)
    }
    #expect(held == nil)
  }

  @Test func aRetainedTargetLivesUntilItIsReplaced() {
    weak var held: Controller?
    do {
      let target = Controller()
      held = target
      list.rDelegate.forwardTo(target, retained: true)
    }
    #expect(held != nil)
    list.delegate?.rowsDidChange()
    #expect(held?.log == ["rows"])
    list.rDelegate.forwardTo = controller
    #expect(held == nil)
    list.rDelegate.forwardTo(controller, retained: false)
    #expect(list.rDelegate.forwardTo === controller)
  }

  @Test("A retained target that sets another one when it is released wins over the new target")
  func aReleasedTargetMaySetAnother() {
    final class Successor: ScrollDelegate {
      let proxy: ScrollDelegateProxy
      let next: any ScrollDelegate
      init(_ proxy: ScrollDelegateProxy, _ next: any ScrollDelegate) {
        (self.proxy, self.next) = (proxy, next)
      }
      deinit { proxy.forwardTo = next }
      func didScroll(to row: Int) {}
    }
    let proxy = ScrollDelegateProxy()
    proxy.forwardTo(Successor(proxy, controller), retained: true)
    weak var late: Controller?
    do {
      let target = Controller()
      late = target
      proxy.forwardTo(target, retained: true)
    }
    #expect(proxy.forwardTo === controller)
    #expect(late == nil)
  }

  @Test func aTargetMayReplaceItselfDuringACall() {
    final class SelfReplacingDelegate: ScrollDelegate {
      var proxy: ScrollDelegateProxy?
      var other: (any ScrollDelegate)?
      var calls = 0
      func didScroll(to row: Int) {
        calls += 1
        proxy?.forwardTo = other
      }
    }
    let proxy = ScrollDelegateProxy()
    let second = SelfReplacingDelegate()
    let first = SelfReplacingDelegate()
    first.proxy = proxy
    first.other = second
    proxy.forwardTo = first
    proxy.didScroll(to: 1)
    proxy.didScroll(to: 2)
    #expect(first.calls == 1)
    #expect(second.calls == 1)
  }

  @Test func aProxyAsItsOwnTargetTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let proxy = ScrollDelegateProxy()
      proxy.forwardTo = proxy
    }
    #expect(result.says("ScrollDelegateProxy.forwardTo is the proxy itself"))
  }

  // MARK: - Release

  @Test func releasingTheProxyCompletesItsStreams() {
    var proxy: SongListDelegateProxy? = SongListDelegateProxy()
    var log: [String] = []
    proxy?.stream(\.rowsDidChange).observe(next: { _ in }, completed: { log.append("told") })
    let asked = proxy?.stream(\.title_of) { (_: PushStream<Int>, row) in "\(row)" }
    asked?.observe(next: { _ in }, completed: { log.append("asked") })
    proxy = nil
    #expect(log.sorted() == ["asked", "told"])
    asked?.observe(next: { _ in }, completed: { log.append("late") })
    #expect(log.last == "late")
  }

  @Test func capturesAndResourcesAreReleased() {
    Resources.tracking { resources in
      var released = 0
      do {
        let list = SongList()
        let captive = Captive { released += 1 }
        list.rDelegate.stream(\.songList_didSelect) { (push: PushStream<Int>, _, row) in
          captive.hold()
          push.next(row)
        }.observeNext { _ in captive.hold() }
        list.rDelegate.answer(\.title_of) { row in
          captive.hold()
          return "\(row)"
        }
        list.select(1)
      }
      #expect(released == 1)
      #expect(resources.total == 0)
    }
  }

  @Test func manyObservationsLeaveNoResources() {
    Resources.tracking { resources in
      let rows: EventStream<Int, Never> = list.rDelegate.stream(\.songList_didSelect) {
        push, _, row in push.next(row)
      }
      var sum = 0
      rows.observeNext { _ in }.dispose()
      let before = resources.total
      for row in 0..<10_000 {
        let observation = rows.observeNext { sum += $0 }
        list.select(row)
        observation.dispose()
      }
      #expect(sum == (0..<10_000).reduce(0, +))
      #expect(resources.total == before)
    }
  }

  @Test func aProxyWithoutAContextIsCalledOnAnyThread() {
    let proxy = SharedDelegateProxy()
    var rows: [Int] = []
    proxy.stream(\.changed).observeNext { rows.append($0) }
    let elsewhere = ThreadContext()
    elsewhere.run { proxy.changed(1) }
    elsewhere.join()
    #expect(rows == [1])
  }

  @Test func releaseOnAnotherThreadCompletesOnContext() async {
    let log = await ManualContext.onThread { home in
      let elsewhere = ThreadContext()
      var log: [String] = []
      // Safety: only the other thread uses the variable while this thread waits.
      nonisolated(unsafe) var list: SongList? = SongList()
      list?.rDelegate.stream(\.rowsDidChange).observe(
        next: { _ in }, completed: { log.append(home.isCurrent ? "at home" : "elsewhere") })
      elsewhere.run { list = nil }
      home.run()
      elsewhere.join()
      return log
    }
    #expect(log == ["at home"])
  }
}
