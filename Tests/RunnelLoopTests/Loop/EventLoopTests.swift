import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct EventLoopTests {
  @Test func runsAJobOnItsThread() async {
    await withLoop("mine") { loop in
      #expect(!loop.isCurrent)
      #expect(loop.wait { loop.isCurrent })
      #expect(loop.wait { EventLoop.current === loop })
      #expect(EventLoop.current == nil)
    }
  }

  @Test func stopsAfterWhatWasGivenBefore() async {
    await withLoop { loop in
      let log = Log<Int>()
      for number in 0..<100 { loop.execute { log.add(number) } }
      loop.stop()
      loop.execute { log.add(100) }
      loop.join()
      #expect(log.all == Array(0..<100))
      loop.start()
      #expect(log.wait(for: 101) == Array(0...100))
    }
  }

  @Test func stoppingTwiceIsStoppingOnce() async {
    await withLoop { loop in
      for _ in 0..<20 {
        loop.stop()
        loop.stop()
        loop.start()
        #expect(loop.wait { true })
      }
    }
  }

  @Test func stopFromAJobSkipsThoseBehindIt() async {
    await withLoop { loop in
      let log = Log<String>()
      let isQueued = Log<Void>()
      loop.execute {
        isQueued.wait(for: 1)
        loop.stop()
        loop.execute { log.add("later") }
      }
      loop.execute { log.add("before") }
      isQueued.add(())
      loop.join()
      #expect(log.all == ["before"])
      loop.start()
      #expect(log.wait(for: 2) == ["before", "later"])
    }
  }

  @Test func timersRunInOrder() async {
    await withLoop { loop in
      let log = Log<Int>()
      loop.execute {
        let now = loop.now
        for number in [3, 1, 2, 0] {
          _ = loop.schedule(at: now + .milliseconds(number)) { log.add(number) }
        }
      }
      #expect(log.wait(for: 4) == [0, 1, 2, 3])
    }
  }

  @Test func readableSendsWhileSomethingIsThere() async {
    await withLoop { loop in
      let pipe = Pipe()
      let log = Log<String>()
      let observation = Confined<Disposable?>(nil)
      loop.wait {
        observation.value = loop.readable(pipe.reading).observe(next: { log.add(pipe.read()) })
      }
      pipe.write("one")
      #expect(log.wait(for: 1) == ["one"])
      pipe.write("two")
      #expect(log.wait(for: 2) == ["one", "two"])
      loop.wait { observation.value?.dispose() }
    }
  }

  actor Pinned {
    let loop: EventLoop
    var count = 0
    init(_ loop: EventLoop) { self.loop = loop }
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    func step() -> Bool {
      count += 1
      return loop.isCurrent
    }
  }

  @Test func actorsArePinned() async {
    let loop = EventLoop(name: "actors")
    let actor = Pinned(loop)
    for _ in 0..<100 { #expect(await actor.step()) }
    #expect(loop.hosts(actor))
    let isCurrent = await Task(executorPreference: loop) {
      let before = loop.isCurrent
      await Task.yield()
      _ = await actor.step()
      return before && loop.isCurrent
    }.value
    #expect(isCurrent)
    loop.stop()
  }
}
