import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct PausableTests {
  let numbers = NumberSubject()

  @Test func passesElementsWhileTheLatestIsTrue() {
    let isRunning = PushStream<Bool>()
    let recorder = numbers.pausable(by: isRunning).record()
    numbers.next(1)
    isRunning.next(false)
    numbers.next(2)
    isRunning.next(true)
    numbers.next(3)
    #expect(recorder.events == [.next(1), .next(3)])
  }

  @Test func aPropertyAppliesFromTheStart() {
    let isRunning = Property(false)
    let recorder = EventStream<Int, Never>.just(1).pausable(by: isRunning).record()
    #expect(recorder.events == [.completed])
  }

  @Test func theLatestValueSurvivesItsCompletion() {
    let paused = numbers.pausable(by: EventStream<Bool, Never>.just(false)).record()
    let passing = numbers.pausable(by: EventStream<Bool, Never>.completed).record()
    numbers.next(1)
    #expect(paused.events.isEmpty)
    #expect(passing.events == [.next(1)])
  }

  @Test func theEndPassesWhilePaused() {
    for end in [StreamEvent<Int, ContractFailure>.completed, .failed(ContractFailure())] {
      let numbers = NumberSubject()
      let isRunning = Property(false)
      let recorder = numbers.pausable(by: isRunning).record()
      numbers.send(end)
      #expect(recorder.events == [end])
      #expect(!isRunning.isObserved)
    }
  }

  @Test func theEndDisposesTheGateUnderADelay() {
    let isRunning = Property(true)
    let recorder = NumberStream.completed.pausable(by: isRunning)
      .delay(for: .seconds(1), on: TestScheduler()).record()
    #expect(!isRunning.isObserved)
    #expect(recorder.events.isEmpty)
  }

  @Test func disposalReachesBothStreams() {
    let isRunning = Property(true)
    let recorder = numbers.pausable(by: isRunning).record()
    recorder.dispose()
    #expect(!numbers.isObserved && !isRunning.isObserved)
  }

  @Test func theObserverCanPauseIt() {
    let isRunning = Property(true)
    var log: [Int] = []
    numbers.pausable(by: isRunning).observe(
      next: { [numbers] number in
        log.append(number)
        isRunning.value = false
        numbers.next(2)
      }, completed: { [numbers] in numbers.next(9) })
    numbers.next(1)
    numbers.completed()
    #expect(log == [1])
    #expect(!isRunning.isObserved)
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in source.pausable(by: EventStream<Bool, Never>.just(true)) }
    expectContracts { source, probe in source.pausable(by: EventStream<Bool, Never>.just(false)) }
    expectContracts(.timed) { source, probe in
      source.pausable(
        by: EventStream<Int, Never>.interval(.seconds(2), on: probe.scheduler)
          .map {
            probe.touch()
            return $0 % 2 == 0
          })
    }
  }
}
