import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct PerformTests {
  @Test func worksOnTheContextAndSendsTheResultBack() async {
    let (events, wasThere, wasHere) = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      var wasHere = false
      let recorder = EventStream<Bool, Never>.perform(on: worker) { worker.isCurrent }
        .map { isThere in
          wasHere = home.isCurrent && !worker.isCurrent
          return isThere
        }
        .record()
      home.run(until: { recorder.isCompleted })
      return (recorder.events, recorder.elements == [true], wasHere)
    }
    #expect(events == [.next(true), .completed])
    #expect(wasThere && wasHere)
  }

  @Test func failsWithTheErrorThatTheWorkThrows() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let recorder = EventStream<Int, Broken>.perform(on: worker) { () throws(Broken) in
        throw Broken()
      }.record()
      home.run(until: { recorder.failure != nil })
      return recorder.events
    }
    #expect(events == [.failed(Broken())])
  }

  @Test func runsTheWorkOncePerObservation() {
    let turns = TurnContext()
    let runs = SharedLog<Int>()
    Current.with(context: turns) {
      let stream = EventStream<Int, Never>.perform(on: turns) {
        runs.append(1)
        return runs.count
      }
      #expect(runs.count == 0)
      #expect(stream.record().elements == [1])
      #expect(stream.record().elements == [2])
    }
  }

  @Test func disposalBeforeTheWorkSkipsIt() {
    let home = ManualContext()
    let far = ManualContext()
    let runs = SharedLog<Int>()
    let recorder = home.use {
      EventStream<Int, Never>.perform(on: far) {
        runs.append(1)
        return 1
      }.record()
    }
    recorder.dispose()
    far.run()
    home.run()
    #expect(runs.count == 0)
    #expect(recorder.events == [])
  }

  @Test func disposalDuringTheWorkDropsItsResult() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      let began = Gate()
      let mayEnd = Gate()
      let recorder = EventStream<Int, Never>.perform(on: worker) {
        began.open()
        mayEnd.pass()
        return 1
      }.record()
      began.pass()
      recorder.dispose()
      mayEnd.open()
      worker.join()
      home.run()
      return recorder.events
    }
    #expect(events == [])
  }

  @Test func sendsItsResultToAnUnretainedObservation() async {
    let value = await Loader().load()
    #expect(value == 42)
  }
}

private actor Loader {
  func load() async -> Int {
    let worker = ThreadContext()
    defer { worker.join() }
    return await withCheckedContinuation { continuation in
      EventStream.perform(on: worker) { 42 }.observeNext { value in
        self.preconditionIsolated()
        continuation.resume(returning: value)
      }
    }
  }
}
