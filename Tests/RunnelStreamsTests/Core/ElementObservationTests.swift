import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

/// Tests of `observeNext`. HooksTests covers the reporting of failures.
@Suite struct ElementObservationTests {
  @Test func endsWithTheStream() {
    let numbers = PushStream<Int>()
    var seen: [Int] = []
    let observation = numbers.observeNext { seen.append($0) }
    numbers.next(1)
    #expect(!observation.isDisposed)
    numbers.completed()
    #expect(observation.isDisposed)
    #expect(seen == [1])
  }

  @Test func releasingTheSourceReleasesTheObserver() {
    var released = 0
    let observation: Disposable
    do {
      let captive = Captive { released += 1 }
      let numbers = PushStream<Int>()
      observation = numbers.observeNext { _ in captive.hold() }
    }
    #expect(released == 1)
    #expect(!observation.isDisposed)
  }
}
