import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ReadinessTests {
  @Test func sendsWhileBytesAreLeft() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let log = EventLog<String>()
      let observation = Confined<Disposable?>(nil)
      loop.wait {
        observation.value = loop.readable(pipe.reading).observe(next: { log.add(pipe.read(3)) })
      }
      pipe.write("onetwo")
      #expect(log.wait(for: 2) == ["one", "two"])
      pipe.write("six")
      #expect(log.wait(for: 3).last == "six")
      loop.wait { observation.value?.dispose() }
    }
  }

  @Test func writableSendsWhenPipeHasRoom() async {
    await withLoop { loop in
      let pipe = TestPipe()
      _ = fcntl(pipe.writing, F_SETFL, O_NONBLOCK)
      let block = [UInt8](repeating: 7, count: 4_096)
      while Glibc.write(pipe.writing, block, block.count) > 0 {}
      let log = EventLog<String>()
      loop.wait {
        _ = loop.writable(pipe.writing).take(1).observe(next: { log.add("room") })
      }
      #expect(log.count == 0)
      _ = pipe.read(65_536)
      #expect(log.wait(for: 1) == ["room"])
    }
  }

  @Test func watchesBothDirectionsOfSocket() async {
    await withLoop { loop in
      let pair = SocketPair()
      let log = EventLog<String>()
      loop.wait {
        loop.readable(pair.near).take(1).observe(next: { log.add("readable") })
        loop.writable(pair.near).take(1).observe(next: { log.add("writable") })
      }
      pair.sendFar("x")
      #expect(Set(log.wait(for: 2)) == ["readable", "writable"])
    }
  }

  // MARK: - Reuse of numbers

  /// Two descriptors are ready in one turn. The callback of the first disposes the other and closes
  /// it. It then watches a new descriptor that gets the same number.
  @Test func reusedNumberGetsNoOldEvent() async {
    await withLoop { loop in
      let log = EventLog<String>()
      loop.wait {
        let pipes = [TestPipe(), TestPipe()]
        let observations = Confined<[Disposable]>([])
        for (number, pipe) in pipes.enumerated() {
          pipe.write("x")
          let observation = loop.readable(pipe.reading).observe(next: {
            log.add("old")
            let other = pipes[1 - number]
            for observation in observations.value { observation.dispose() }
            let fresh = TestPipe()
            dup2(fresh.reading, other.reading)
            loop.readable(other.reading).take(1).observe(next: {
              log.add(other.read())
              withExtendedLifetime(fresh) {}
            })
            loop.execute { fresh.write("fresh") }
          })
          observations.value.append(observation)
        }
      }
      #expect(log.wait(for: 2) == ["old", "fresh"])
    }
  }

  /// A duplicate keeps a pipe open, as in a child that inherited it. Its readiness must not be
  /// reported to the new owner of the number.
  @Test func duplicateDoesNotNotifyNewOwner() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let kept = Confined<[Int32]>([])
      loop.wait {
        let old = TestPipe()
        let inherited = dup(old.reading)
        let number = old.reading
        let observation = loop.readable(number).observe(next: { log.add("old") })
        observation.dispose()
        let fresh = TestPipe()
        dup2(fresh.reading, number)
        loop.readable(number).observe(next: { log.add(fresh.read()) })
        old.write("for the old one")
        kept.value = [inherited]
        loop.execute {
          fresh.write("fresh")
          withExtendedLifetime(old) {}
        }
      }
      #expect(log.wait(for: 1) == ["fresh"])
      let turns = loop.wait { loop.statistics.turns }
      #expect(loop.wait { loop.statistics.turns } - turns <= 2, "The loop spins.")
      for descriptor in kept.value { close(descriptor) }
    }
  }

  /// Closing before disposing is misuse. The loop must not spin, and the next owner still gets its
  /// events.
  @Test func closingBeforeDisposingIsTolerated() async {
    await withLoop { loop in
      let log = EventLog<String>()
      loop.wait {
        let old = SocketPair()
        let observation = loop.readable(old.near).observe(next: { log.add("old") })
        let number = old.near
        let fresh = SocketPair()
        dup2(fresh.near, number)
        loop.readable(number).take(1).observe(next: { log.add("fresh") })
        observation.dispose()
        fresh.sendFar("x")
        loop.execute { withExtendedLifetime((old, fresh)) {} }
      }
      #expect(log.wait(for: 1) == ["fresh"])
    }
  }

  // MARK: - Failures

  @Test func unwatchableDescriptorFails() async {
    await withLoop { loop in
      let log = EventLog<DescriptorError>()
      loop.execute {
        for descriptor: Int32 in [-1, -400, 9_999] {
          loop.readable(descriptor).observe(next: {}, failed: { log.add($0) })
          loop.writable(descriptor).observe(next: {}, failed: { log.add($0) })
        }
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        loop.readable(file).observe(next: {}, failed: { log.add($0) })
        close(file)
      }
      let errors = log.wait(for: 7)
      for (index, descriptor) in [-1, -400, 9_999].enumerated() as EnumeratedSequence<[Int32]> {
        #expect(errors[2 * index] == .notOpen(descriptor))
        #expect(errors[2 * index + 1] == .notOpen(descriptor))
      }
      guard case .alwaysReady = errors[6] else {
        Issue.record("\(errors[6])")
        return
      }
      #expect("\(errors[6])".contains("Read it with bytes(from:)"))
    }
  }

  @Test func errorNamesDescriptorOfCaller() async {
    await withLoop { loop in
      let log = EventLog<DescriptorError>()
      let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      loop.execute { loop.readable(file).observe(next: {}, failed: { log.add($0) }) }
      #expect(log.wait(for: 1) == [.alwaysReady(file)])
      close(file)
    }
  }

  @Test func failsAtDescriptorLimit() async {
    await #expect(processExitsWith: .success) {
      await withLoop { loop in
        let pipe = TestPipe()
        let log = EventLog<DescriptorError>()
        var few = rlimit(rlim_cur: 128, rlim_max: 1_024)
        setrlimit(__rlimit_resource_t(7), &few)
        loop.wait {
          // Other threads of the process may close descriptors meanwhile.
          while log.count == 0 {
            while dup(pipe.reading) >= 0 {}
            loop.readable(pipe.reading).observe(next: {}, failed: { log.add($0) })
          }
        }
        precondition(log.all == [.tooMany])
        precondition("\(log.all[0])".contains("ulimit -n"))
        precondition(loop.wait { true })
        // A sanitizer opens files when the process ends.
        few.rlim_cur = 1_024
        setrlimit(__rlimit_resource_t(7), &few)
      }
    }
  }

  // MARK: - Disposal

  @Test func disposingInsideCallbackStopsDelivery() async {
    await withLoop { loop in
      let pipe = TestPipe()
      pipe.write("x")
      let log = EventLog<String>()
      loop.wait {
        let own = Confined<Disposable?>(nil)
        own.value = loop.readable(pipe.reading).observe(next: {
          log.add("once")
          own.value?.dispose()
        })
      }
      #expect(log.wait(for: 1) == ["once"])
      #expect(loop.wait { log.count } == 1)
    }
  }

  @Test func disposesOnStoppedLoopFromOtherThread() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let observations = Confined<[Disposable]>([])
      loop.wait {
        observations.value = [
          loop.readable(pipe.reading).observe(next: {}), loop.schedule(after: .seconds(60)) {},
          loop.lines(from: pipe.reading).observe(next: { _ in }),
        ]
      }
      loop.stop()
      loop.join()
      for observation in observations.value { observation.dispose() }
      #expect(loop.statistics.timers == 0)
      #expect(loop.statistics.descriptors == 0)
      loop.start()
      #expect(loop.wait { true })
    }
  }

  @Test func disposingAfterLoopIsReleasedDoesNothing() async {
    let isGone = await ManualContext.onThread { _ in
      let pipe = TestPipe()
      let observations = Confined<[Disposable]>([])
      var loop: EventLoop? = EventLoop(name: "short")
      weak let weakLoop = loop
      loop?.wait {
        guard let loop = EventLoop.current else { return }
        observations.value = [
          loop.readable(pipe.reading).observe(next: {}), loop.schedule(after: .seconds(60)) {},
        ]
      }
      loop?.stop()
      loop?.join()
      loop = nil
      while weakLoop != nil { sched_yield() }
      for observation in observations.value { observation.dispose() }
      return weakLoop == nil
    }
    #expect(isGone)
  }

  @Test func releasedLoopReleasesObservers() async {
    let isAlive = await ManualContext.onThread { _ in
      var loop: EventLoop? = EventLoop(name: "short")
      weak let weakLoop = loop
      let token = Confined(0)
      weak let weakToken = token
      let pipe = TestPipe()
      loop?.wait { [token] in
        _ = EventLoop.current?.readable(pipe.reading).observe(next: { token.value += 1 })
      }
      loop?.stop()
      loop?.join()
      loop = nil
      _ = consume token
      while weakLoop != nil || weakToken != nil { sched_yield() }
      return weakToken != nil
    }
    #expect(!isAlive)
  }

  @Test func oneCallbackDisposesAll() async {
    await withLoop { loop in
      let pipes = (0..<100).map { _ in TestPipe() }
      for pipe in pipes { pipe.write("x") }
      let log = EventLog<Int>()
      loop.wait {
        let all = Confined<[Disposable]>([])
        for number in pipes.indices {
          all.value.append(
            loop.readable(pipes[number].reading).observe(next: {
              log.add(number)
              for observation in all.value { observation.dispose() }
            }))
        }
      }
      #expect(log.wait(for: 1).count == 1)
      #expect(loop.wait { log.count } == 1)
    }
  }

  @Test func closesDescriptors() async {
    await withLoop { loop in
      let pipe = TestPipe()
      let (before, after) = loop.wait {
        let before = Self.copies(of: pipe.reading)
        for _ in 0..<100 {
          loop.readable(pipe.reading).observe(next: {}).dispose()
          loop.lines(from: pipe.reading).observe(next: { _ in }).dispose()
        }
        return (before, Self.copies(of: pipe.reading))
      }
      #expect(before == 2 && after == 2)
    }
  }

  /// The number of descriptors of a pipe, at both ends. Other tests open others meanwhile.
  private static func copies(of descriptor: Int32) -> Int {
    func file(_ descriptor: Int32) -> [UInt]? {
      var state = stat()
      return fstat(descriptor, &state) == 0 ? [UInt(state.st_dev), UInt(state.st_ino)] : nil
    }
    let pipe = file(descriptor)
    return (0..<Int32(10_000)).count { file($0) == pipe }
  }
}
