import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct EventLoopTests {
  @Test func runsJobsOnItsThread() async {
    await withLoop("mine") { loop in
      #expect(!loop.isCurrent)
      #expect(EventLoop.current == nil)
      #expect(loop.wait { loop.isCurrent })
      #expect(loop.wait { EventLoop.current === loop })
      #expect(loop.wait { Current.schedulerIfAny === loop })
    }
  }

  // MARK: - Stopping

  @Test func runsJobsAddedBeforeStop() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      for number in 0..<100 { loop.execute { log.add(number) } }
      loop.stop()
      loop.execute { log.add(100) }
      loop.join()
      #expect(log.all == Array(0..<100))
      loop.start()
      #expect(log.wait(for: 101) == Array(0...100))
    }
  }

  @Test func stoppingTwiceIsHarmless() async {
    await withLoop { loop in
      for _ in 0..<20 {
        loop.stop()
        loop.stop()
        loop.start()
        #expect(loop.wait { true })
      }
    }
  }

  @Test func stopInsideJobKeepsLaterJobs() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let isQueued = EventLog<Void>()
      loop.execute {
        isQueued.wait(for: 1)
        loop.stop()
        loop.execute { log.add("after") }
      }
      loop.execute { log.add("before") }
      isQueued.add(())
      loop.join()
      #expect(log.all == ["before"])
      loop.start()
      #expect(log.wait(for: 2) == ["before", "after"])
    }
  }

  @Test func restartKeepsTimersAndDescriptors() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      let bag = Confined<DisposeBag?>(nil)
      loop.wait {
        bag.value = DisposeBag()
        let observation = loop.readable(pipe.reading).observe(next: { log.add(pipe.read()) })
        if let bag = bag.value { observation.disposed(by: bag) }
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { log.add("timer") }
        loop.stop()
      }
      loop.join()
      pipe.write("pipe")
      loop.start()
      #expect(Set(log.wait(for: 2)) == ["timer", "pipe"])
      loop.wait { bag.value = nil }
    }
  }

  @Test func idleMainLoopBelongsToMainThread() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = EventLoop.main.schedule(after: .seconds(1)) {}
    }
    #expect(result.says("schedule(at:) is allowed only on the thread of its EventLoop"))
    await #expect(processExitsWith: .success) {
      await MainActor.run { EventLoop.main.schedule(after: .seconds(1)) {}.dispose() }
    }
  }

  @Test func stoppedLoopBelongsToOneThread() async {
    await #expect(processExitsWith: .success) {
      let loop = EventLoop(name: "stopped")
      loop.stop()
      loop.join()
      loop.schedule(after: .seconds(1)) {}.dispose()
      guard loop.admitsCaller && !loop.isCurrent else { fatalError() }
      // The thread that calls join() owns the loop from then on.
      ThreadContext().run {
        guard !loop.admitsCaller else { fatalError() }
        loop.join()
        loop.schedule(after: .seconds(1)) {}.dispose()
      }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let loop = EventLoop(name: "stopped")
      loop.stop()
      loop.join()
      ThreadContext().run { _ = loop.schedule(after: .seconds(1)) {} }
    }
    #expect(result.says("A loop that does not run belongs to the thread that called join()"))
  }

  @Test func releasedLoopReleasesWaitingJobs() async {
    let isAlive = await ManualContext.onThread { _ in
      var loop: EventLoop? = EventLoop(name: "short")
      weak let weakLoop = loop
      let token = Confined(0)
      weak let weakToken = token
      loop?.execute { _ = EventLoop.current?.schedule(after: .seconds(3_600)) {} }
      loop?.stop()
      loop?.join()
      loop?.execute { [token] in token.value += 1 }
      loop = nil
      _ = consume token
      return weakLoop != nil || weakToken != nil
    }
    #expect(!isAlive)
  }

  /// The joined thread may release the loop, so the loop's own thread must not do so later.
  @Test func joinedThreadNoLongerRetainsLoop() async {
    let areReleased = await ManualContext.onThread { _ in
      (0..<2_000).allSatisfy { _ in
        var loop: EventLoop? = EventLoop(name: "short")
        weak let weakLoop = loop
        loop?.stop()
        loop?.join()
        let timer = loop?.schedule(at: .seconds(99_999)) {}
        loop = nil
        timer?.dispose()
        return weakLoop == nil && timer?.isDisposed == true
      }
    }
    #expect(areReleased)
  }

  /// One thread disposes the timers and watches of a stopped loop while another thread releases the
  /// loop. The first release waits for the disposals. The thread that releases the loop must release
  /// the captures of all timers.
  @Test func observationsOfLoopInReleaseCanBeDisposed() async {
    let releases = await ManualContext.onThread { _ in
      let pipe = TestPipe()
      let loop = Confined<EventLoop?>(EventLoop(name: "short"))
      loop.value?.stop()
      loop.value?.join()
      let isReleasing = EventLog<Void>()
      let isDisposed = EventLog<Void>()
      let releases = EventLog<String>()
      let owner = callingThread()
      var observations: [Disposable] = []
      let probe = ReleaseProbe {
        isReleasing.add(())
        isDisposed.wait(for: 1)
      }
      _ = loop.value?.schedule(at: .seconds(3)) { [probe] in withExtendedLifetime(probe) {} }
      _ = consume probe
      for second in [1, 2, 4, 5] {
        let probe = ReleaseProbe { releases.add(callingThread() == owner ? "owner" : "other") }
        let timer = loop.value?.schedule(at: .seconds(second)) { withExtendedLifetime(probe) {} }
        if let timer { observations.append(timer) }
      }
      if let watch = loop.value?.readable(pipe.reading).observe(next: {}, failed: { _ in }) {
        observations.append(watch)
      }
      let thread = startThread { loop.value = nil }
      isReleasing.wait(for: 1)
      for observation in observations { observation.dispose() }
      isDisposed.add(())
      pthread_join(thread, nil)
      return releases.all
    }
    #expect(releases == ["other", "other", "other", "other"])
  }

  // MARK: - Jobs

  @Test func keepsOrderOfEightProducers() async {
    await withLoop { loop in
      let producers = 8
      let count = 100_000
      let next = Confined([Int](repeating: 0, count: producers))
      let disorder = Confined(0)
      let threads = (0..<producers).map { producer in
        startThread {
          for number in 0..<count {
            loop.execute {
              if next.value[producer] != number { disorder.value += 1 }
              next.value[producer] += 1
            }
          }
        }
      }
      for thread in threads { pthread_join(thread, nil) }
      #expect(loop.wait { next.value } == [Int](repeating: count, count: producers))
      #expect(loop.wait { disorder.value } == 0)
    }
  }

  /// A job from another thread runs first if it was added before the loop's own job.
  @Test func ownJobRunsAfterEarlierForeignJob() async {
    await withLoop { loop in
      for _ in 0..<1_000 {
        let log = EventLog<String>()
        let isAdded = EventLog<Void>()
        loop.execute {
          isAdded.wait(for: 1)
          loop.execute { log.add("own") }
        }
        loop.execute { log.add("foreign") }
        isAdded.add(())
        guard log.wait(for: 2) == ["foreign", "own"] else {
          Issue.record("The loop's own job came first.")
          return
        }
      }
    }
  }

  @Test func repostingJobDoesNotStarveOthers() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      let isDone = Confined(false)
      @Sendable func postAgain() {
        if !isDone.value { loop.execute { postAgain() } }
      }
      loop.wait {
        loop.readable(pipe.reading).take(1).observe(next: { log.add(pipe.read()) })
        postAgain()
        _ = loop.schedule(at: loop.now + .milliseconds(1)) { log.add("timer") }
      }
      pipe.write("pipe")
      #expect(Set(log.wait(for: 2)) == ["timer", "pipe"])
      loop.wait { isDone.value = true }
    }
  }

  @Test func repeatedTimerDoesNotStarveOthers() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      let isDone = Confined(false)
      @Sendable func setAgain() {
        if !isDone.value { _ = loop.schedule(at: .zero) { setAgain() } }
      }
      loop.wait {
        loop.readable(pipe.reading).take(1).observe(next: { log.add(pipe.read()) })
        setAgain()
      }
      pipe.write("pipe")
      loop.execute { log.add("job") }
      #expect(Set(log.wait(for: 2)) == ["job", "pipe"])
      loop.wait { isDone.value = true }
    }
  }

  @Test func failureInCallbackKeepsLoopRunning() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      pipe.write("x")
      loop.execute {
        loop.readable(pipe.reading).mapFailure { $0 as any Error }
          .map { _ in throw Broken() }
          .observe(next: { (_: Int) in }, failed: { _ in log.add("failed") })
      }
      #expect(log.wait(for: 1) == ["failed"])
      #expect(loop.wait { true })
    }
  }

  /// Five idle seconds take one turn, which ends with the question. That also holds after many
  /// jobs, which make the loop spin.
  @Test func idleLoopDoesNotWakeUp() async {
    await withLoop { loop in
      let clock = EventLoop(name: "clock")
      func wait(for time: Duration) {
        let log = EventLog<Void>()
        clock.execute { _ = clock.schedule(after: time) { log.add(()) } }
        log.wait(for: 1)
      }
      loop.wait { _ = loop.schedule(after: .seconds(3_600)) {} }
      for _ in 0..<1_000 { loop.wait {} }
      let last = loop.wait { loop.statistics.turns }
      wait(for: .milliseconds(50))
      let before = loop.wait { loop.statistics.turns }
      #expect(before - last <= 1_000, "The loop spins forever.")
      wait(for: .seconds(5))
      #expect(loop.wait { loop.statistics.turns } - before <= 2)
      clock.stop()
    }
  }

  /// Two loops that exchange jobs stay awake, and still run their descriptors and timers.
  @Test func spinningLoopRunsDescriptorsAndTimers() async {
    await withLoop { loop in
      let other = EventLoop(name: "other")
      let isOver = Confined(false)
      let log = EventLog<String>()
      @Sendable func play() {
        if !isOver.value { other.execute { loop.execute { play() } } }
      }
      loop.wait {
        let pipe = TestPipe()
        loop.readable(pipe.reading).observe(next: {
          log.add(pipe.read())
          isOver.value = true
        })
        _ = loop.schedule(after: .milliseconds(5)) {
          log.add("timer")
          pipe.write("descriptor")
        }
        play()
      }
      #expect(log.wait(for: 2) == ["timer", "descriptor"])
      other.stop()
      other.join()
    }
  }

  // MARK: - Statistics

  @Test func statisticsCountTimersJobsAndDescriptors() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let statistics = loop.wait {
        let quiet = loop.statistics
        let observation = loop.readable(pipe.reading).observe(next: {})
        let timers = (0..<3).map { _ in loop.schedule(after: .seconds(60)) {} }
        for _ in 0..<5 { loop.execute {} }
        let busy = loop.statistics
        observation.dispose()
        for timer in timers { timer.dispose() }
        return [quiet, busy, loop.statistics]
      }
      #expect(statistics.map(\.timers) == [0, 3, 0])
      #expect(statistics[1].queueDepth - statistics[0].queueDepth == 5)
      #expect(statistics[1].descriptors - statistics[0].descriptors == 1)
      #expect(statistics[2].descriptors == statistics[0].descriptors)
    }
  }

  @Test func lagIsDelayOfLastTimer() async {
    await withLoop { loop in
      let log = EventLog<Duration>()
      loop.execute {
        _ = loop.schedule(at: loop.now - .seconds(2)) { log.add(loop.statistics.lag) }
      }
      #expect(log.wait(for: 1)[0] >= .seconds(2))
    }
  }

  @Test func sendsStatisticsPeriodically() async {
    await withLoop { loop in
      let log = EventLog<Int>()
      loop.execute {
        loop.statistics(every: .milliseconds(1)).take(3).observeNext { log.add($0.turns) }
      }
      let turns = log.wait(for: 3)
      #expect(turns == turns.sorted())
    }
  }
}

private struct Broken: Error {}

/// Calls a closure when it is released.
private final class ReleaseProbe {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
