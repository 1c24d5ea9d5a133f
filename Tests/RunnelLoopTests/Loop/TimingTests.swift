import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct TimingTests {
  @Test func runsTimersByDeadlineThenOrder() async {
    await withLoop { loop in
      let log = EventLog<[Int]>()
      loop.execute {
        let now = loop.now
        for number in 0..<1_000 {
          let group = number % 7
          _ = loop.schedule(at: now + .microseconds(group)) { log.add([group, number]) }
        }
      }
      let order = log.wait(for: 1_000)
      #expect(order == order.sorted { $0.lexicographicallyPrecedes($1) })
    }
  }

  @Test(arguments: seeds(3) as Range<UInt64>)
  func timersAreNeverEarly(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let delays = (0..<500).map { _ in
      Duration.nanoseconds(Int.random(in: 0...3_000_000, using: &random))
    }
    await withLoop { loop in
      let log = EventLog<Duration>()
      loop.execute {
        for delay in delays {
          let deadline = loop.now + delay
          _ = loop.schedule(at: deadline) { log.add(loop.now - deadline) }
        }
      }
      #expect(log.wait(for: delays.count).allSatisfy { $0 >= .zero })
    }
  }

  @Test func acceptsAnyDeadline() async {
    await withLoop { loop in
      let count = loop.wait {
        let lengths: [Duration] = [
          .seconds(Int64.max), .seconds(1 << 40), .milliseconds(Int64.max),
          .init(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999),
        ]
        for length in lengths { _ = loop.schedule(at: length) {} }
        _ = loop.schedule(at: .seconds(Int64.min)) { loop.execute {} }
        return loop.statistics.timers
      }
      #expect(count == 5)
      // The next turn sets the clock to the nearest deadline, and still runs this job.
      #expect(loop.wait { true })
      #expect(loop.wait { loop.statistics.timers } == 4)
    }
  }

  /// Each delay is tested alone, so that it is the deadline of the clock and is added to the time.
  @Test func acceptsAnyDelay() async {
    for delay: Duration in [.seconds(Int64.max), Duration(attoseconds: .max)] {
      await withLoop { loop in
        loop.execute { _ = loop.schedule(after: delay) {} }
        // The loop has slept between these two jobs.
        #expect(loop.wait { loop.statistics.timers } == 1)
        #expect(loop.wait { loop.statistics.timers } == 1)
      }
    }
  }

  @Test func earliestDeadlineIsDue() async {
    await withLoop { loop in
      let log = EventLog<Duration>()
      loop.execute {
        _ = loop.schedule(at: Duration(attoseconds: .min)) { log.add(loop.statistics.lag) }
      }
      #expect(log.wait(for: 1)[0] >= .zero)
    }
  }

  @Test func cancelledTimerNeverFires() async {
    await withLoop { loop in
      let log = EventLog<String>()
      loop.execute {
        let now = loop.now
        // One is cancelled by an earlier timer, one by its predecessor, and one in its own action.
        let third = loop.schedule(at: now + .milliseconds(2)) { log.add("third") }
        let own = Confined<Disposable?>(nil)
        let second = Confined<Disposable?>(nil)
        own.value = loop.schedule(at: now + .milliseconds(1)) {
          log.add("first")
          own.value?.dispose()
          second.value?.dispose()
          third.dispose()
        }
        second.value = loop.schedule(at: now + .milliseconds(1)) { log.add("second") }
        _ = loop.schedule(at: now + .milliseconds(3)) { log.add("last") }
      }
      #expect(log.wait(for: 2) == ["first", "last"])
    }
  }

  @Test func cancellingReleasesCaptures() async {
    await withLoop { loop in
      let isAlive = loop.wait {
        let token = Confined(0)
        weak let weakToken = token
        let timer = loop.schedule(after: .seconds(60)) { [token] in token.value += 1 }
        timer.dispose()
        _ = consume token
        return weakToken != nil
      }
      #expect(!isAlive)
    }
  }

  @Test func millionCancelledTimersLeaveNothing() async {
    await withLoop { loop in
      let timers = loop.wait {
        for number in 0..<1_000_000 {
          loop.schedule(at: loop.now + .seconds(60 + number % 100)) {}.dispose()
        }
        return loop.statistics.timers
      }
      #expect(timers == 0)
    }
  }

  /// After a stall, all timers are due at once, and one turn does not run them all.
  @Test func burstOfTimersDoesNotStarveJobs() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      loop.execute {
        let count = Confined(0)
        for _ in 0..<20_000 {
          _ = loop.schedule(at: .zero) {
            count.value += 1
            if count.value == 20_000 { log.add(count.value) }
          }
        }
        loop.execute { log.add(count.value) }
      }
      let counts = log.wait(for: 2)
      #expect(counts[0] <= 256 && counts[1] == 20_000)
    }
  }

  /// The first timer of a burst cancels the others, and schedules as many for a time in the past.
  @Test func reschedulingBurstEnds() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      loop.execute {
        let timers = Confined<[Disposable]>([])
        let left = Confined(300)
        func burst() {
          for timer in timers.value { timer.dispose() }
          left.value -= 1
          if left.value == 0 { return log.add(loop.statistics.timers) }
          timers.value = (0..<100).map { _ in loop.schedule(at: .zero, burst) }
        }
        burst()
      }
      #expect(log.wait(for: 1) == [0])
    }
  }

  @Test(arguments: seeds(7) as Range<UInt64>)
  func randomTimersMatchSortedList(seed: UInt64) async {
    var random = SeededGenerator(seed: seed)
    let plan = (0..<300).map { _ in
      (delay: Int.random(in: 0...50, using: &random), isCancelled: Bool.random(using: &random))
    }
    await withLoop { loop in
      let log = EventLog<Int>()
      loop.execute {
        let start = loop.now
        let timers = plan.enumerated().map { number, step in
          loop.schedule(at: start + .microseconds(step.delay * 20)) { log.add(number) }
        }
        for (timer, step) in zip(timers, plan) where step.isCancelled { timer.dispose() }
      }
      let expected = plan.enumerated().filter { !$0.element.isCancelled }
        .sorted { ($0.element.delay, $0.offset) < ($1.element.delay, $1.offset) }.map(\.offset)
      #expect(log.wait(for: expected.count) == expected)
    }
  }

  @Test func timedOperatorsUseCurrentLoop() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      loop.execute {
        EventStream<Int, Never>.interval(.milliseconds(1)).take(3)
          .observeNext { if loop.isCurrent { log.add($0) } }
      }
      #expect(log.wait(for: 3) == [0, 1, 2])
    }
  }
}
