import RunnelTesting
import StreamTestSupport
import Testing

@testable import RunnelStreams

/// Values that are created in one domain and used in another, where the compiler cannot detect it.
@Suite struct ConfinementTests {
  @Test func timedOperatorOfMainTrapsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = await MainActor.run { Sent(delayed()) }
      sent.value.next(1)
    }
    #expect(result.says("schedule(at:) is only allowed on the thread of the main actor"))
    #expect(result.says("observe(on:) or via"))
  }

  @Test func timerOfMainTrapsWhenDisposedElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = await MainActor.run {
        Sent(EventStream<Void, Never>.timer(after: .seconds(60)).observeNext { _ in })
      }
      sent.value.dispose()
    }
    #expect(result.says("disposing a timer is only allowed on the thread of the main actor"))
  }

  @Test func sourceOfViaTrapsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (home, worker) = (ThreadContext(), ThreadContext())
      let sent = home.run { Sent(crossing(to: worker)) }
      sent.value.next(1)
    }
    #expect(result.says("The source of a via or observe(on:) is used on another thread"))
    #expect(result.says("Observe it in the domain that uses it"))
  }

  @Test func observationOfViaTrapsElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let (home, worker) = (ThreadContext(), ThreadContext())
      let sent = home.run { Sent(PushStream<Int>().via(worker) { $0 }.observeNext { _ in }) }
      sent.value.dispose()
    }
  }

  @Test func subjectWithRemoteWorksOnItsContext() {
    let told = ThreadContext().run {
      let (subject, log) = (PushStream<Int>(), SharedLog<Int>())
      let observation = subject.observeNext { log.append($0) }
      _ = subject.remote
      subject.next(1)
      subject.observeNext { log.append(10 * $0) }
      observation.dispose()
      subject.next(2)
      return log.all
    }
    #expect(told == [1, 20])
  }

  @Test func subjectWithRemoteTrapsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      withRemote().value.subject.next(1)
    }
    #expect(result.says("than the one that its Remote was made on"))
    await #expect(processExitsWith: .failure) { withRemote().value.subject.completed() }
    await #expect(processExitsWith: .failure) {
      let sent = withRemote()
      sent.value.observation.dispose()
      // Once its subject is released, an observation has nothing to dispose.
      withExtendedLifetime(sent.value.subject) {}
    }
  }

  @Test func subjectWithRemoteIsGuardedAfterDelivery() async {
    await #expect(processExitsWith: .failure) {
      let sent = ThreadContext().run {
        let subject = PushStream<Int>()
        subject.observeNext { number in if number == 1 { _ = subject.remote } }
        subject.next(1)
        return Sent(subject)
      }
      sent.value.next(2)
    }
  }

  @Test func propertyWithRemoteTrapsElsewhere() async {
    await #expect(processExitsWith: .success) {
      let value = ThreadContext().run {
        let property = Property(1)
        _ = property.remote
        property.value += 1
        property.mutate { $0 += 1 }
        return property.value
      }
      guard value == 3 else { fatalError("\(value)") }
    }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let sent = ThreadContext().run {
        let property = Property(1)
        _ = property.remote
        property.mutate { $0 += 1 }
        return Sent(property)
      }
      _ = sent.value.value
    }
    #expect(result.says("A subject or property was used on another thread"))
  }

  @Test func lifetimeWithoutContextTrapsElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let lifetime = Monitor<Lifetime?>(Lifetime())
      lifetime.withLock { $0 }?.ended().observeNext {}
      ThreadContext().run { lifetime.withLock { $0 = nil } }
    }
    #expect(result.says("An object was released by another thread or task"))
    #expect(result.says("Observe it in an actor or on an EventLoop."))
  }

  @Test func lifetimeOfAnActorEndsInsideTheActor() async {
    await #expect(processExitsWith: .success) {
      let watcher = Watcher()
      let lifetime = Monitor<Lifetime?>(Lifetime())
      let (stream, told) = AsyncStream<Void>.makeStream()
      if let lifetime = lifetime.withLock({ $0 }) { await watcher.watch(lifetime, told) }
      ThreadContext().run { lifetime.withLock { $0 = nil } }
      for await _ in stream { break }
      withExtendedLifetime(watcher) {}
    }
  }

  private actor Watcher {
    func watch(_ lifetime: Lifetime, _ told: AsyncStream<Void>.Continuation) {
      lifetime.ended().observeNext {
        self.preconditionIsolated()
        told.yield()
      }
    }
  }
}

/// A value that moves to another domain without the compiler's knowledge.
// Safety: the sending domain does not use the value after it is sent.
private struct Sent<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}

private func delayed() -> PushStream<Int> {
  let numbers = PushStream<Int>()
  numbers.delay(for: .seconds(1)).observeNext { _ in }
  return numbers
}

private func crossing(to context: any ExecutionContext) -> PushStream<Int> {
  let numbers = PushStream<Int>()
  numbers.via(context) { $0 }.observeNext { _ in }
  return numbers
}

private func withRemote() -> Sent<(subject: PushStream<Int>, observation: Disposable)> {
  ThreadContext().run {
    let subject = PushStream<Int>()
    let observation = subject.observeNext { _ in }
    _ = subject.remote
    return Sent((subject, observation))
  }
}
