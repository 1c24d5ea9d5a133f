import RunnelTesting
import Testing

@testable import RunnelStreams

/// Tests on real time: they wait for the event itself and make no assumption about its delay.
@MainActor
@Suite struct MainActorSchedulerTests {
  private let scheduler = MainActorScheduler()

  @Test func isTheDefaultOnTheMainActor() {
    #expect(Current.schedulerIfAny === MainActorScheduler.shared)
    let virtual = TestScheduler()
    Current.with(scheduler: virtual) { #expect(Current.schedulerIfAny === virtual) }
  }

  @Test func aTimedOperatorNeedsNoSchedulerArgument() async {
    let letters = PushStream<String>()
    let settled = letters.debounce(for: .milliseconds(1))
    let last = Property("")
    settled.bind(to: last)
    letters.next("a")
    letters.next("ab")
    #expect(await last.updates.first() == "ab")
  }

  @Test func runsActionsByDeadlineThenInOrder() async {
    let log = PushStream<String>()
    var order: [String] = []
    log.observeNext { order.append($0) }
    let start = scheduler.now
    _ = scheduler.schedule(at: start + .milliseconds(3)) { log.next("c") }
    _ = scheduler.schedule(at: start + .milliseconds(2)) { log.next("a") }
    _ = scheduler.schedule(at: start + .milliseconds(2)) { log.next("b") }
    let cancelled = scheduler.schedule(at: start + .milliseconds(1)) { log.next("never") }
    cancelled.dispose()
    _ = await log.filter { $0 == "c" }.first()
    #expect(order == ["a", "b", "c"])
    #expect(scheduler.now - start >= .milliseconds(3))
  }

  @Test func anEarlierDeadlineFiresFirst() async {
    let log = PushStream<String>()
    let far = scheduler.schedule(after: .seconds(Int64.max)) { log.next("far") }
    _ = scheduler.schedule(after: .milliseconds(1)) { log.next("near") }
    #expect(await log.first() == "near")
    far.dispose()
  }

  @Test func acceptsTheEarliestAndLatestDeadline() async {
    let log = PushStream<String>()
    let far = scheduler.schedule(after: Duration(attoseconds: .max)) { log.next("far") }
    _ = scheduler.schedule(at: Duration(attoseconds: .min)) { log.next("at once") }
    #expect(await log.first() == "at once")
    far.dispose()
  }

  @Test func anActionMayRescheduleItselfForNow() async {
    let log = PushStream<Int>()
    var count = 0
    func again() {
      _ = scheduler.schedule(after: .zero) {
        count += 1
        log.next(count)
        if count < 100 { again() }
      }
    }
    again()
    #expect(await log.filter { $0 == 100 }.first() == 100)
  }
}
