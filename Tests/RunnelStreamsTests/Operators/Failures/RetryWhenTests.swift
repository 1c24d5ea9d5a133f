import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

private struct Fault: Error, Hashable {
  let number: Int
}

@Suite struct RetryWhenTests {
  private let source = Subject<Int, Fault>()
  private let signals = Subject<Void, Fault>()

  /// Returns a stream whose n-th observation sends n and fails with n.
  private func counting() -> EventStream<Int, Fault> {
    var count = 0
    return .deferred {
      count += 1
      return .just(count).append(.failed(Fault(number: count)))
    }
  }

  @Test func observesAgainOnASignal() {
    let recorder = counting().retry { _ in signals.stream }.record()
    #expect(recorder.events == [.next(1)])
    signals.next(())
    signals.next(())
    #expect(recorder.events == [.next(1), .next(2), .next(3)])
  }

  @Test func sendsTheFailuresToTheNotifier() {
    var failures: [Int] = []
    let recorder = counting()
      .retry { errors in
        errors.failing(with: Fault.self).map { fault throws(Fault) in
          failures.append(fault.number)
          if fault.number == 3 { throw fault }
        }
      }
      .record()
    #expect(failures == [1, 2, 3])
    #expect(
      recorder.events == [.next(1), .next(2), .next(3), .failed(Fault(number: 3))])
  }

  @Test func callsTheClosureOncePerObservation() {
    var calls = 0
    let stream = counting().retry { _ in
      calls += 1
      return signals.stream
    }
    #expect(calls == 0)
    _ = stream.record()
    signals.next(())
    signals.next(())
    #expect(calls == 1)
    _ = stream.record()
    #expect(calls == 2)
  }

  @Test func manyRetriesDoNotRecurse() {
    let recorder = counting()
      .retry { errors in
        errors.failing(with: Fault.self).map { fault throws(Fault) in
          if fault.number == 100_000 { throw fault }
        }
      }
      .record()
    #expect(recorder.elements.count == 100_000)
    #expect(recorder.failure == Fault(number: 100_000))
  }

  @Test func aSignalWhileTheSourceRunsIsIgnored() {
    var observations = 0
    let recorder = EventStream<Int, Fault>
      .deferred {
        observations += 1
        return source.stream
      }
      .retry { _ in signals.stream }.record()
    signals.next(())
    #expect(observations == 1)
    source.next(1)
    #expect(recorder.events == [.next(1)])
  }

  @Test func completesWithTheSource() {
    let recorder = source.retry { _ in signals.stream }.record()
    source.next(1)
    source.completed()
    #expect(recorder.events == [.next(1), .completed])
    #expect(!signals.isObserved)
  }

  @Test func completesWithTheNotifier() {
    let recorder = source.retry { _ in signals.stream }.record()
    source.next(1)
    signals.completed()
    #expect(recorder.events == [.next(1), .completed])
    #expect(!source.isObserved)
    let other = PushStream<Int>()
    let early = other.failing(with: Fault.self)
      .retry { _ in EventStream<Int, Fault>.completed }.record()
    #expect(early.events == [.completed])
    #expect(!other.isObserved)
  }

  @Test func failsWithTheNotifier() {
    let recorder = source.retry { _ in signals.stream }.record()
    source.failed(Fault(number: 1))
    signals.failed(Fault(number: 2))
    #expect(recorder.events == [.failed(Fault(number: 2))])
  }

  @Test func tearsDownTheSourceBeforeItNotifies() {
    var log: [String] = []
    let failing = EventStream<Int, Fault> { observer in
      observer.failed(Fault(number: 1))
      return Disposable { log.append("torn down") }
    }
    let recorder =
      failing
      .retry { errors in
        errors.failing(with: Fault.self).map { _ throws(Fault) in
          log.append("told")
          throw Fault(number: 2)
        }
      }
      .record()
    #expect(log == ["torn down", "told"])
    #expect(recorder.failure == Fault(number: 2))
  }

  @Test func disposalReachesSourceAndNotifier() {
    let running = source.retry { _ in signals.stream }.record()
    running.dispose()
    #expect(!source.isObserved && !signals.isObserved)
    let waiting = counting().retry { _ in signals.stream }.record()
    #expect(signals.isObserved)
    waiting.dispose()
    #expect(!signals.isObserved)
  }

  @Test func aNotifierEndSentDuringDeliveryIsQueued() {
    var log: [String] = []
    source.retry { _ in signals.stream }.observe(
      next: { element in
        signals.completed()
        log.append("\(element)")
      }, failed: { _ in }, completed: { log.append("completed") })
    source.next(1)
    #expect(log == ["1", "completed"])
  }

  @Test func keepsTheContracts() {
    expectContracts(.outlivesSource) { source, probe in
      source.retry { errors in
        probe.touch()
        var count = 0
        return errors.failing(with: ContractFailure.self).map { error throws(ContractFailure) in
          probe.touch()
          count += 1
          if count == 3 { throw error }
        }
      }
    }
    expectContracts([.handlesFailure, .outlivesSource, .observesAgain]) { source, probe in
      source
        .filter { _ in
          probe.touch()
          return true
        }
        .retry { _ in EventStream<Int, ContractFailure>.never }
    }
  }
}
