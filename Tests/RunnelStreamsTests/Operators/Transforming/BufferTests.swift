import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct BufferTests {
  typealias Event = StreamEvent<[Int], ContractFailure>
  let scheduler = TestScheduler()
  let source = Subject<Int, ContractFailure>()

  private func at(_ seconds: Int, _ event: Event) -> Timed<Event> {
    Timed(.seconds(seconds), event)
  }

  // MARK: - buffer(count:)

  @Test func sendsArraysOfTheGivenCount() {
    let numbers = EventStream<Int, Never>.sequence(1...5)
    #expect(
      numbers.buffer(count: 2).record().events
        == [.next([1, 2]), .next([3, 4]), .next([5]), .completed])
    #expect(numbers.buffer(count: 1).record().elements == [[1], [2], [3], [4], [5]])
    #expect(numbers.buffer(count: .max).record().elements == [[1, 2, 3, 4, 5]])
  }

  @Test func sendsNoEmptyLastArray() {
    let numbers = EventStream<Int, Never>.sequence(1...4)
    #expect(
      numbers.buffer(count: 2).record().events == [.next([1, 2]), .next([3, 4]), .completed])
    #expect(EventStream<Int, Never>.completed.buffer(count: 2).record().events == [.completed])
  }

  @Test func aFailureDropsAPartialArray() {
    let recorder = source.buffer(count: 2).record()
    for number in 1...3 { source.next(number) }
    source.failed(ContractFailure())
    #expect(recorder.events == [.next([1, 2]), .failed(ContractFailure())])
  }

  @Test func disposalInTheLastArraySkipsCompletion() {
    let observation = Disposable()
    var log: [String] = []
    EventStream<Int, Never>.just(1).buffer(count: 2).start(
      in: observation,
      next: { array in
        log.append("\(array)")
        observation.dispose()
      }, end: { _ in log.append("end") })
    #expect(log == ["[1]"])
  }

  @Test func anArrayMayCauseTheNext() {
    var arrays: [[Int]] = []
    source.buffer(count: 2).observeNext { array in
      arrays.append(array)
      guard arrays.count < 3 else { return }
      source.next(arrays.count * 10)
      source.next(arrays.count * 10 + 1)
    }
    source.next(1)
    source.next(2)
    #expect(arrays == [[1, 2], [10, 11], [20, 21]])
  }

  // MARK: - buffer(for:)

  @Test func sendsAnArrayForEachPeriod() {
    let recorder = scheduler.record(source.buffer(for: .seconds(3), on: scheduler))
    scheduler.advance(by: .seconds(1))
    source.next(1)
    scheduler.advance(by: .seconds(1))
    source.next(2)
    scheduler.advance(by: .seconds(3))
    source.next(3)
    scheduler.advance(by: .seconds(4))
    source.next(4)
    scheduler.advance(by: .seconds(1))
    source.completed()
    scheduler.advance(by: .seconds(10))
    #expect(
      recorder.timedEvents == [
        at(3, .next([1, 2])), at(6, .next([3])), at(9, .next([])), at(10, .next([4])),
        at(10, .completed),
      ])
    #expect(scheduler.pending == 0)
  }

  @Test func completionEndsTheLastPeriod() {
    let empty = EventStream<Int, Never>.completed
    #expect(
      empty.buffer(for: .seconds(3), on: scheduler).record().events == [.next([]), .completed])
    let numbers = EventStream<Int, Never>.sequence(1...3)
    #expect(
      numbers.buffer(for: .seconds(3), on: scheduler).record().events
        == [.next([1, 2, 3]), .completed])
    #expect(scheduler.pending == 0)
  }

  @Test func aFailureDropsThePeriodsElements() {
    let recorder = scheduler.record(source.buffer(for: .seconds(3), on: scheduler))
    source.next(1)
    scheduler.advance(by: .seconds(4))
    source.next(2)
    source.failed(ContractFailure())
    scheduler.advance(by: .seconds(10))
    #expect(recorder.timedEvents == [at(3, .next([1])), at(4, .failed(ContractFailure()))])
    #expect(scheduler.pending == 0)
  }

  @Test func disposalCancelsTheTimer() {
    let recorder = source.buffer(for: .seconds(3), on: scheduler).record()
    source.next(1)
    recorder.dispose()
    #expect(scheduler.pending == 0)
    #expect(!source.isObserved)
    scheduler.advance(by: .seconds(10))
    #expect(recorder.events == [])
  }

  @Test func usesTheSchedulerOfTheThread() {
    let recorder = Current.with(scheduler: scheduler) {
      scheduler.record(source.buffer(for: .seconds(3)))
    }
    source.next(1)
    scheduler.advance(by: .seconds(3))
    #expect(recorder.timedEvents == [at(3, .next([1]))])
  }

  @Test func aPeriodThatEndsDuringDeliveryIsQueued() {
    var log: [String] = []
    source.buffer(for: .seconds(3), orCount: 2, on: scheduler).observeNext { array in
      log.append("<\(array)")
      if array == [1, 2] {
        source.next(3)
        scheduler.advance(by: .seconds(3))
      }
      log.append("\(array)>")
    }
    source.next(1)
    source.next(2)
    scheduler.advance(by: .seconds(3))
    // The subject queues the third element until the array has been handled.
    #expect(log == ["<[1, 2]", "[1, 2]>", "<[]", "[]>", "<[3]", "[3]>"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), Duration(attoseconds: .min)])
  func aDurationOfZeroSendsEachElementAtOnce(duration: Duration) {
    let recorders = [
      scheduler.record(source.buffer(for: duration, on: scheduler)),
      scheduler.record(source.buffer(for: duration, orCount: 2, on: scheduler)),
    ]
    scheduler.advance(by: .seconds(1))
    source.next(1)
    source.next(2)
    scheduler.advance(by: .seconds(1))
    source.next(3)
    source.completed()
    for recorder in recorders {
      #expect(
        recorder.timedEvents == [
          at(1, .next([1])), at(1, .next([2])), at(2, .next([3])), at(2, .completed),
        ])
    }
    #expect(scheduler.pending == 0)
  }

  // MARK: - buffer(for:orCount:)

  @Test func aFullArrayStartsANewPeriod() {
    let recorder = scheduler.record(source.buffer(for: .seconds(3), orCount: 2, on: scheduler))
    source.next(1)
    scheduler.advance(by: .seconds(2))
    source.next(2)
    scheduler.advance(by: .seconds(2))
    source.next(3)
    scheduler.advance(by: .seconds(5))
    source.next(4)
    source.next(5)
    source.completed()
    #expect(
      recorder.timedEvents == [
        at(2, .next([1, 2])), at(5, .next([3])), at(8, .next([])), at(9, .next([4, 5])),
        at(9, .next([])), at(9, .completed),
      ])
    #expect(scheduler.pending == 0)
  }

  @Test func aFailureDropsAnArrayThatIsNotFull() {
    let recorder = source.buffer(for: .seconds(3), orCount: 2, on: scheduler).record()
    for number in 1...3 { source.next(number) }
    source.failed(ContractFailure())
    #expect(recorder.events == [.next([1, 2]), .failed(ContractFailure())])
  }

  // MARK: - Misuse

  @Test func aCountBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.buffer(count: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.buffer(for: .seconds(1), orCount: 0)
    }
  }

  // MARK: - Contracts

  @Test func keepTheContracts() {
    expectContracts { source, _ in source.buffer(count: 2) }
    expectContracts(.timed) { source, probe in
      source.buffer(for: .seconds(2), on: probe.scheduler)
    }
    expectContracts(.timed) { source, probe in
      source.buffer(for: .milliseconds(2500), orCount: 2, on: probe.scheduler)
    }
    expectContracts { source, probe in source.buffer(for: .zero, on: probe.scheduler) }
  }
}
