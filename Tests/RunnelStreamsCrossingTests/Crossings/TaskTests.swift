import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@MainActor @Suite struct TaskTests {
  @Test func sendsItsResult() async {
    let events = await events(of: EventStream<Int, Never>.task { 42 })
    #expect(events == [.next(42), .completed])
  }

  @Test func failsWithTheErrorThatTheWorkThrows() async {
    let stream = EventStream<Int, Broken>.task { () async throws(Broken) in throw Broken() }
    #expect(await events(of: stream) == [.failed(Broken())])
  }

  @Test func infersAnyErrorFromTry() async {
    var message = ""
    await withCheckedContinuation { continuation in
      EventStream.task { try fail() }.observe(failed: { error in
        message = "\(error)"
        continuation.resume()
      })
    }
    #expect(message == "Broken()")
  }

  @Test func startsOncePerObservation() async {
    let starts = SharedLog<Int>()
    let stream = EventStream<Int, Never>.task {
      starts.append(1)
      return starts.count
    }
    #expect(starts.count == 0)
    #expect(await events(of: stream) == [.next(1), .completed])
    #expect(await events(of: stream) == [.next(2), .completed])
  }

  @Test func isCancelledOnDisposal() async {
    let isCancelled = await withCheckedContinuation { continuation in
      let observation = EventStream<Int, Never>.task {
        await untilCancelled()
        continuation.resume(returning: Task.isCancelled)
        return 1
      }.observeNext { _ in Issue.record("disposed") }
      observation.dispose()
    }
    #expect(isCancelled)
    await Task.yield()
  }

  @Test func deliversInTheObservingActor() async {
    let fetcher = Fetcher()
    #expect(await fetcher.fetch() == 7)
  }

  // MARK: Async sequences

  @Test func sendsTheElementsOfAnAsyncSequence() async {
    let (numbers, input) = AsyncStream.makeStream(of: Int.self)
    for number in 1...3 { input.yield(number) }
    input.finish()
    let stream = EventStream(numbers)
    #expect(await events(of: stream) == [.next(1), .next(2), .next(3), .completed])
  }

  @Test func failsWithTheAsyncSequence() async {
    let stream = EventStream(Sums(limit: 2))
    #expect(await events(of: stream) == [.next(1), .next(2), .failed(Broken())])
  }

  @Test func requestsTheNextElementAfterHandlingTheLast() async {
    let asked = SharedLog<Int>()
    let numbers = AsyncStream<Int> {
      asked.append(asked.count)
      return asked.count
    }
    var log: [Int] = []
    await withCheckedContinuation { continuation in
      let place = SerialDisposable()
      place.current = EventStream(numbers).observeNext { number in
        log.append(asked.count)
        if number == 5 {
          place.dispose()
          continuation.resume()
        }
      }
    }
    #expect(log == [1, 2, 3, 4, 5])
  }

  @Test func stopsTheIterationOnDisposal() async {
    let (numbers, input) = AsyncStream.makeStream(of: Int.self)
    await withCheckedContinuation { continuation in
      input.onTermination = { _ in continuation.resume() }
      let observation = EventStream(numbers).observeNext { _ in }
      observation.dispose()
    }
  }

  private func events<Element, Failure: Error>(
    of stream: EventStream<Element, Failure>
  ) async -> [StreamEvent<Element, Failure>] {
    var events: [StreamEvent<Element, Failure>] = []
    await withCheckedContinuation { continuation in
      stream.observe { event in
        MainActor.preconditionIsolated()
        events.append(event)
        if event.termination != nil { continuation.resume() }
      }
    }
    return events
  }
}

private func fail() throws -> Int { throw Broken() }

/// Returns when the task is cancelled, without a clock.
func untilCancelled() async {
  let (never, input) = AsyncStream.makeStream(of: Never.self)
  for await _ in never {}
  input.finish()
}

/// The numbers 1, 2, …, then a typed failure.
private struct Sums: AsyncSequence, Sendable {
  let limit: Int

  func makeAsyncIterator() -> Iterator { Iterator(limit: limit) }

  struct Iterator: AsyncIteratorProtocol {
    let limit: Int
    var number = 0

    mutating func next(isolation: isolated (any Actor)?) async throws(Broken) -> Int? {
      number += 1
      if number > limit { throw Broken() }
      return number
    }
  }
}

private actor Fetcher {
  private var value = 0

  func fetch() async -> Int {
    await withCheckedContinuation { continuation in
      EventStream<Int, Never>.task { 7 }.observe(
        next: {
          self.preconditionIsolated()
          self.value = $0
        },
        completed: { continuation.resume(returning: self.value) })
    }
  }
}
