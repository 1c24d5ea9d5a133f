import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TakeTests {
  @Test func takesTheFirstElements() {
    for length in 0...5 {
      for count in 0...6 {
        let recorder = EventStream<Int, Never>.sequence(0..<length).take(count).record()
        #expect(recorder.elements == Array((0..<length).prefix(count)))
        #expect(recorder.isCompleted)
      }
    }
  }

  @Test func takingZeroDoesNotObserve() {
    let source = EventStream<Int, Never>.unguarded { _ in Issue.record("observed") }
    #expect(source.take(0).record().events == [.completed])
  }

  @Test func passesOnAFailureBeforeTheLastElement() {
    let numbers = NumberSubject()
    let recorder = numbers.take(2).record()
    numbers.next(1)
    numbers.failed(ContractFailure())
    #expect(recorder.events == [.next(1), .failed(ContractFailure())])
  }

  @Test func disposesTheSourceAfterTheLastElement() {
    let numbers = PushStream<Int>()
    let recorder = numbers.take(1).record()
    numbers.next(1)
    #expect(!numbers.isObserved)
    numbers.next(2)
    #expect(recorder.events == [.next(1), .completed])
  }

  @Test func stopsAnEndlessSourceUnderADelayedEnd() {
    let scheduler = TestScheduler()
    let endless = EventStream<Int, Never>.sequence(1...)
    let merged = endless.take(2).flatMap { _ in EventStream<Int, Never>.never }.record()
    #expect(merged.events.isEmpty)
    let delayed = endless.take(2).delay(for: .seconds(1), on: scheduler).record()
    scheduler.run()
    #expect(delayed.events == [.next(1), .next(2), .completed])
  }

  @Test func completesBeforeTheSourceIsTornDown() {
    var log: [String] = []
    let source = EventStream<Int, Never> { observer in
      observer.next(1)
      return Disposable { log.append("torn down") }
    }
    source.take(1).observe(completed: { log.append("completed") })
    #expect(log == ["completed", "torn down"])
  }

  @Test func disposalInTheLastElementSkipsCompletion() {
    let numbers = PushStream<Int>()
    var observation = Disposable.none
    observation = numbers.take(1).observe { event in
      #expect(event == .next(1))
      observation.dispose()
    }
    numbers.next(1)
    #expect(!numbers.isObserved)
  }

  @Test func elementsSentDuringTheEndAreDropped() {
    let numbers = PushStream<Int>()
    var mapped: [Int] = []
    var log: [StreamEvent<Int, Never>] = []
    let source = numbers.map { number in
      mapped.append(number)
      return number
    }
    source.take(2).observe { event in
      log.append(event)
      numbers.next(9)
    }
    numbers.next(1)
    #expect(log == [.next(1), .next(9), .completed])
    #expect(mapped == [1, 9])
  }

  @Test func aNegativeCountTraps() async {
    await #expect(processExitsWith: .failure) { _ = EventStream<Int, Never>.never.take(-1) }
  }

  @Test func keepsTheContracts() {
    for count in [0, 1, 3, 5, 6] {
      expectContracts { source, probe in source.take(count) }
    }
  }
}
