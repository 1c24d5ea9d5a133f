import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct ExecutionTests {
  // MARK: - Actors and tasks

  @Test func pinnedActorRunsOnItsLoop() async {
    let loop = EventLoop(name: "actor")
    let actor = Pinned(loop)
    #expect(loop.hosts(actor))
    #expect(!loop.hosts(MainActor.shared))
    #expect(EventLoop.main.hosts(MainActor.shared))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<500 { group.addTask { await actor.step() } }
      for await isOnLoop in group { #expect(isOnLoop) }
    }
    #expect(await actor.count == 500)
    loop.stop()
  }

  @Test func taskWithPreferenceStaysOnLoop() async {
    let loop = EventLoop(name: "task")
    let actor = Pinned(loop)
    let places = await Task(executorPreference: loop) {
      var places = [loop.isCurrent]
      await Task.yield()
      places.append(loop.isCurrent)
      places.append(await actor.step())
      places.append(loop.isCurrent)
      try? await Task.sleep(for: .milliseconds(1))
      places.append(loop.isCurrent)
      async let child = loop.isCurrent
      places.append(await child)
      let ordinary = Ordinary()
      for _ in 0..<10 { await ordinary.step() }
      places.append(loop.isCurrent)
      return places
    }.value
    #expect(places == [Bool](repeating: true, count: 7))
    loop.stop()
  }

  @Test func callbackMayAssumeIsolationOfPinnedActor() async {
    let loop = EventLoop(name: "assumed")
    let actor = Pinned(loop)
    let count = EventLog<Int>()
    loop.execute { count.add(actor.assumeIsolated { $0.count }) }
    await ManualContext.onThread { _ in #expect(count.wait(for: 1) == [0]) }
    loop.stop()
  }

  @Test func assumingIsolationOffLoopTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await ManualContext.onThread { _ in
        let actor = Pinned(EventLoop(name: "elsewhere"))
        _ = actor.assumeIsolated { $0.count }
      }
    }
    #expect(result.says("is allowed only on the thread of its EventLoop"))
  }

  // MARK: - Streams between loops

  @Test func sectionRunsOnOtherLoop() async {
    await withLoop("home") { home in
      let far = EventLoop(name: "far")
      let log = EventLog<Bool>()
      home.execute {
        EventStream<Int, Never>.sequence(1...100)
          .via(far) { $0.map { ($0, far.isCurrent) } }
          .observeNext { log.add($0.1 && home.isCurrent) }
      }
      #expect(log.wait(for: 100) == [Bool](repeating: true, count: 100))
      far.stop()
      far.join()
    }
  }

  @Test func remoteAndObserveOnReachOtherLoop() async {
    await withLoop("home") { home in
      let far = EventLoop(name: "far")
      let log = EventLog<String>()
      let guests = Confined<Property<[String]>?>(nil)
      home.wait { guests.value = Property([]) }
      let remote = home.wait { guests.value.map { Remote($0) } }
      let observation = Confined<Disposable?>(nil)
      home.wait {
        observation.value = guests.value?.observe(on: far) { event in
          if case .next(let names) = event, far.isCurrent { log.add(names.joined()) }
        }
      }
      far.execute { remote?.send { guests in guests.mutate { $0.append("Ann") } } }
      #expect(log.wait(for: 2) == ["", "Ann"])
      home.wait {
        observation.value?.dispose()
        observation.value = nil
        guests.value = nil
      }
      far.stop()
      far.join()
    }
  }

  @Test func bagReleasedOffLoopDisposesOnLoop() async {
    await withLoop { loop in
      let log = EventLog<Bool>()
      let bag = Confined<DisposeBag?>(nil)
      loop.wait {
        let made = DisposeBag()
        Disposable { log.add(loop.isCurrent) }.disposed(by: made)
        bag.value = made
      }
      bag.value = nil
      #expect(log.wait(for: 1) == [true])
    }
  }

  // MARK: - Misuse

  @Test func schedulingOffLoopTrapsWithRemedy() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = EventLoop(name: "clock").schedule(after: .seconds(1)) {}
    }
    #expect(
      result.says(
        "schedule(at:) is allowed only on the thread of its EventLoop, here \"clock\"."))
    #expect(result.says("loop.execute { … }"))
  }

  @Test func disposingTimerOffLoopTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await withLoop { loop in
        let timer = Confined<Disposable?>(nil)
        loop.wait { timer.value = loop.schedule(after: .seconds(60)) {} }
        timer.value?.dispose()
      }
    }
    #expect(result.says("disposing a timer is allowed only on the thread of its EventLoop"))
  }

  @Test func watchingOffLoopTraps() async {
    await #expect(processExitsWith: .failure) {
      EventLoop(name: "elsewhere").readable(0).observe(next: {})
    }
    await #expect(processExitsWith: .failure) {
      _ = EventLoop(name: "elsewhere").statistics
    }
  }

  @Test func wrongRunOrStartNamesTheOther() async {
    var result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      EventLoop(name: "named").run()
    }
    #expect(result.says("After stop(), call start()."))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      EventLoop(name: "named").run(until: EventStream<Int, Never>.just(1))
    }
    #expect(result.says("After stop(), call start()."))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      EventLoop.main.start()
    }
    #expect(result.says("call run() on the main thread"))
    await #expect(processExitsWith: .failure) {
      await withLoop { loop in loop.wait { loop.join() } }
    }
  }
}

private actor Pinned {
  private let loop: EventLoop
  private(set) var count = 0

  init(_ loop: EventLoop) {
    self.loop = loop
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func step() -> Bool {
    count += 1
    return loop.isCurrent
  }
}

private actor Ordinary {
  private var count = 0

  func step() { count += 1 }
}
