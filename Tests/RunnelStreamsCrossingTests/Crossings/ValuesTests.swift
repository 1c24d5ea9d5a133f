import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@MainActor @Suite struct ValuesTests {
  // MARK: Values

  @Test func yieldsTheElementsOfAColdStream() async {
    var log: [Int] = []
    for await number in EventStream<Int, Never>.sequence(1...3).values { log.append(number) }
    #expect(log == [1, 2, 3])
  }

  @Test func observesWhenTheIterationBegins() async {
    let numbers = PushStream<Int>()
    let values = numbers.values
    numbers.next(1)
    #expect(!numbers.isObserved)
    var iterator = values.makeAsyncIterator()
    #expect(numbers.isObserved)
    numbers.next(2)
    #expect(await iterator.next(isolation: #isolation) == 2)
  }

  @Test func waitsForLaterElements() async {
    let numbers = PushStream<Int>()
    let reading = Task {
      var log: [Int] = []
      for await number in numbers.values { log.append(number) }
      return log
    }
    await until { numbers.isObserved }
    for number in 1...3 {
      numbers.next(number)
      await Task.yield()
    }
    numbers.completed()
    #expect(await reading.value == [1, 2, 3])
    #expect(!numbers.isObserved)
  }

  @Test(arguments: [
    (StreamBuffering.unbounded, [1, 2, 3, 4, 5]), (.newest(2), [4, 5]), (.oldest(2), [1, 2]),
    (.newest(1), [5]), (.oldest(9), [1, 2, 3, 4, 5]),
  ])
  func keepsElementsByTheBufferingPolicy(buffering: StreamBuffering, expected: [Int]) async {
    var log: [Int] = []
    for await number in EventStream<Int, Never>.sequence(1...5).values(buffering: buffering) {
      log.append(number)
    }
    #expect(log == expected)
  }

  @Test func canBeReadInAnActor() async {
    #expect(await Reader().read() == [1, 2, 3])
  }

  @Test func canBeReadOutsideActors() async {
    #expect(await readOnThePool() == [1, 2, 3])
  }

  // MARK: Failure

  @Test func throwsTheFailureAfterBufferedElements() async {
    let source = Subject<Int, Broken>()
    var iterator = source.values.makeAsyncIterator()
    source.next(1)
    source.failed(Broken())
    do throws(Broken) {
      #expect(try await iterator.next(isolation: #isolation) == 1)
      _ = try await iterator.next(isolation: #isolation)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == Broken())
    }
  }

  // MARK: Disposal

  @Test func leavingTheLoopEndsTheObservation() async {
    let numbers = Property(1)
    for await number in numbers.values where number == 1 { break }
    #expect(!numbers.isObserved)
  }

  @Test func endsWhenItsTaskIsCancelled() async {
    let numbers = PushStream<Int>()
    let reading = Task {
      var log: [Int] = []
      for await number in numbers.values { log.append(number) }
      return log
    }
    await until { numbers.isObserved }
    numbers.next(1)
    await Task.yield()
    reading.cancel()
    #expect(await reading.value.count <= 1)
    #expect(!numbers.isObserved)
  }

  @Test func endsWhenItsTaskIsCancelledFromAnotherThread() async {
    let worker = ThreadContext()
    for _ in 1...100 {
      let numbers = PushStream<Int>()
      let reading = Task { for await _ in numbers.values {} }
      await until { numbers.isObserved }
      worker.execute { reading.cancel() }
      numbers.next(1)
      await reading.value
      #expect(!numbers.isObserved)
    }
    worker.join()
  }

  @Test func endsAtOnceInACancelledTask() async {
    let numbers = Property(1)
    let reading = Task {
      while !Task.isCancelled { await Task.yield() }
      var log: [Int] = []
      for await number in numbers.values { log.append(number) }
      return log
    }
    reading.cancel()
    #expect(await reading.value == [])
    #expect(!numbers.isObserved)
  }

  // MARK: Misuse

  @Test func trapsOnABufferWithoutRoom() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.values(buffering: .newest(0))
    }
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.values(buffering: .oldest(-1))
    }
  }
}

private func readOnThePool() async -> [Int] {
  var log: [Int] = []
  for await number in EventStream<Int, Never>.sequence(1...3).values { log.append(number) }
  return log
}

private actor Reader {
  private let numbers = Property(1)

  func read() async -> [Int] {
    var log: [Int] = []
    for await number in numbers.values {
      log.append(number)
      if number == 3 { break }
      numbers.value += 1
    }
    return log
  }
}
