import RunnelBus
import RunnelLoop
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct RemoteBusTests {
  private struct Tick: Sendable {
    let producer: Int
    let number: Int
  }

  /// Each event arrives once, and those of one producer arrive in order.
  @Test func keepsOrderOfEightThreads() async {
    let (counts, isInOrder) = await ManualContext.onThread { home in
      let producers = 8
      let number = 5_000
      let bus = EventBus()
      var next = [Int](repeating: 0, count: producers)
      var isInOrder = true
      bus.events(Tick.self).observeNext { tick in
        if next[tick.producer] != tick.number { isInOrder = false }
        next[tick.producer] += 1
      }
      let remote = bus.remote
      let threads = (0..<producers).map { producer in
        let thread = ThreadContext()
        thread.execute {
          for number in 0..<number { remote.publish(Tick(producer: producer, number: number)) }
        }
        return thread
      }
      home.run(until: { next.allSatisfy { $0 == number } })
      threads.forEach { $0.join() }
      return (next, isInOrder)
    }
    #expect(counts == [Int](repeating: 5_000, count: 8))
    #expect(isInOrder)
  }

  @Test func deliversOnEventLoop() async {
    let loop = EventLoop(name: "bus")
    let received = await withCheckedContinuation { continuation in
      loop.execute {
        let bus = EventBus()
        bus.events(Tick.self).take(1).observeNext { tick in
          continuation.resume(returning: (tick.number, loop.isCurrent))
          withExtendedLifetime(bus) {}
        }
        let remote = bus.remote
        let other = EventLoop(name: "other")
        other.execute {
          remote.publish(Tick(producer: 0, number: 7))
          other.stop()
        }
      }
    }
    #expect(received == (7, true))
    loop.stop()
    loop.join()
  }
}
