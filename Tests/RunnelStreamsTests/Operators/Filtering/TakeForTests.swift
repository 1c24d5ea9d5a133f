import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct TakeForTests {
  @Test func takesElementsWithinTheTime() {
    let scheduler = TestScheduler()
    let numbers = scheduler.subject(
      at(1, .next(1)), at(2, .next(2)), at(4, StreamEvent<Int, ContractFailure>.next(3)))
    let recorder = scheduler.record(numbers.take(for: .seconds(3), on: scheduler))
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .next(1)), at(2, .next(2)), at(3, .completed)])
    #expect(!numbers.isObserved)
  }

  @Test func endsWithTheSource() {
    let scheduler = TestScheduler()
    for end in [StreamEvent<Int, ContractFailure>.completed, .failed(ContractFailure())] {
      let start = scheduler.now
      let numbers = NumberSubject()
      let recorder = numbers.take(for: .seconds(3), on: scheduler).record()
      scheduler.advance(ticks: 1)
      numbers.send(end)
      #expect(recorder.events == [end])
      #expect(scheduler.pending == 0)
      #expect(scheduler.now == start + .seconds(1))
    }
  }

  @Test func zeroTimeTakesNothing() {
    let source = EventStream<Int, Never>.unguarded { _ in Issue.record("observed") }
    #expect(source.take(for: .zero).record().events == [.completed])
    #expect(source.take(for: .seconds(-1)).record().events == [.completed])
  }

  @Test func usesTheCurrentScheduler() {
    let scheduler = TestScheduler()
    let stream = NumberStream.never.take(for: .seconds(1))
    let recorder = Current.with(scheduler: scheduler) { scheduler.record(stream) }
    scheduler.run()
    #expect(recorder.timedEvents == [at(1, .completed)])
  }

  @Test func elementsSentDuringTheEndAreDropped() {
    let scheduler = TestScheduler()
    let numbers = PushStream<Int>()
    var log: [StreamEvent<Int, Never>] = []
    var mapped: [Int] = []
    let source = numbers.map { number in
      mapped.append(number)
      return number
    }
    source.take(for: .seconds(1), on: scheduler).observe { event in
      log.append(event)
      numbers.next(9)
    }
    scheduler.run()
    #expect(log == [.completed])
    #expect(mapped.isEmpty)
  }

  @Test func keepsTheContracts() {
    for seconds in [0, 3, 50] {
      expectContracts(.timed) { source, probe in
        source.take(for: .seconds(seconds), on: probe.scheduler)
      }
    }
  }
}
