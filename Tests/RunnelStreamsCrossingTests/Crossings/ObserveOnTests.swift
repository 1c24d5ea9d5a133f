import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ObserveOnTests {
  @Test func handlesEventsInOrderOnTheContext() async {
    let (events, places) = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let events = SharedLog<StreamEvent<Int, Never>>()
      let places = SharedLog<Bool>()
      EventStream<Int, Never>.sequence(1...3).observe(on: worker) { event in
        places.append(worker.isCurrent)
        events.append(event)
      }
      events.wait(for: 4)
      return (events.all, places.all)
    }
    #expect(events == [.next(1), .next(2), .next(3), .completed])
    #expect(places == [true, true, true, true])
  }

  @Test func handlesAFailureOnTheContext() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      defer { worker.join() }
      let events = SharedLog<StreamEvent<Int, Broken>>()
      EventStream<Int, Broken>.failed(Broken()).observe(on: worker) { events.append($0) }
      events.wait(for: 1)
      return events.all
    }
    #expect(events == [.failed(Broken())])
  }

  @Test func endsAfterTheEndIsHandledOnTheContext() {
    let home = ManualContext()
    let far = ManualContext()
    let events = SharedLog<StreamEvent<Int, Never>>()
    let observation = home.use {
      EventStream<Int, Never>.just(1).observe(on: far) { events.append($0) }
    }
    #expect(!observation.isDisposed)
    far.run()
    #expect(events.all == [.next(1), .completed])
    home.run()
    #expect(observation.isDisposed)
  }

  @Test func disposalDropsElementsInTransit() {
    let home = ManualContext()
    let far = ManualContext()
    let events = SharedLog<StreamEvent<Int, Never>>()
    let numbers = PushStream<Int>()
    let observation = home.use { numbers.observe(on: far) { events.append($0) } }
    numbers.next(1)
    far.run()
    numbers.next(2)
    numbers.completed()
    observation.dispose()
    far.run()
    home.run()
    #expect(events.all == [.next(1)])
    #expect(!numbers.isObserved)
  }

  @Test func theHandlerCanDisposeTheObservation() async {
    let events = await ManualContext.onThread { home in
      let worker = ThreadContext()
      let events = SharedLog<Int>()
      let bag = Property<Disposable?>(nil)
      let remote = bag.remote
      let numbers = PushStream<Int>()
      bag.value = numbers.observe(on: worker) { event in
        guard let number = event.element else { return }
        events.append(number)
        remote.send { $0.value?.dispose() }
      }
      numbers.next(1)
      home.run(until: { bag.value?.isDisposed ?? false })
      numbers.next(2)
      worker.join()
      return events.all
    }
    #expect(events == [1])
  }
}
