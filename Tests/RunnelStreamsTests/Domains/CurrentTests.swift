import RunnelStreams
import RunnelTesting
import Testing

@Suite struct CurrentTests {
  @MainActor @Test func knowsTheMainActorAlsoOffTheMainThread() {
    // The tests have an async main: their main actor is not on the main thread.
    #expect(ActorContext.main.isCurrent)
    #expect(Current.contextIfAny === ActorContext.main)
    #expect(Current.context(orOf: MainActor.shared) === ActorContext.main)
  }

  @Test func isNotTheMainActorElsewhere() {
    let thread = ThreadContext()
    #expect(!thread.run { ActorContext.main.isCurrent })
    thread.join()
  }

  @Test func prefersTheThreadsContextToTheMainActor() {
    let home = ManualContext()
    #expect(home.use { Current.context(orOf: MainActor.shared) === home })
    #expect(home.use { Current.context(orOf: nil) === home })
  }

  @Test func prefersAnActorToTheThreadThatItBorrows() {
    let home = ManualContext()
    #expect(home.use { Current.context(orOf: Someone()) is ActorContext })
  }

  @Test func runsTheJobsOfAnActorInOrder() async {
    let context = ActorContext(Someone())
    let log = SharedLog<Int>()
    for number in 1...1000 { context.execute { log.append(number) } }
    await withCheckedContinuation { continuation in
      context.execute { continuation.resume() }
    }
    #expect(log.all == Array(1...1000))
  }
}

private actor Someone {}
