import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@MainActor @Suite struct FirstTests {
  @Test func returnsTheFirstElement() async {
    let numbers = Property(7)
    #expect(await numbers.first() == 7)
    #expect(!numbers.isObserved)
  }

  @Test func waitsForTheFirstElement() async {
    let numbers = PushStream<Int>()
    let waiting = Task { await numbers.first() }
    await until { numbers.isObserved }
    numbers.next(1)
    numbers.next(2)
    #expect(await waiting.value == 1)
    #expect(!numbers.isObserved)
  }

  @Test func returnsAnElementThatIsNotSendable() async {
    final class Note { let text = "note" }
    #expect(await EventStream<Note, Never>.just(Note()).first()?.text == "note")
  }

  @Test func returnsNilFromAnEmptyStream() async {
    #expect(await EventStream<Int, Never>.completed.first() == nil)
  }

  @Test func throwsTheFailure() async {
    await #expect(throws: Broken()) {
      try await EventStream<Int, Broken>.failed(Broken()).first()
    }
  }

  @Test func endsAnEndlessStream() async {
    #expect(await EventStream<Int, Never>.sequence(1...).first() == 1)
  }

  @Test func endsWhenItsTaskIsCancelled() async {
    let numbers = PushStream<Int>()
    let waiting = Task { await numbers.first() }
    await until { numbers.isObserved }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(!numbers.isObserved)
  }

  @Test func worksInAnActor() async {
    #expect(await Guesser().guess() == 3)
  }
}

private actor Guesser {
  private let guesses = Property(3)

  func guess() async -> Int? { await guesses.first() }
}
