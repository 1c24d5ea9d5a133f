import RunnelStreams
import RunnelTesting
import Testing

@Suite struct CurrentTests {
  // MARK: The scheduler

  @Test func aSchedulerIsCurrentForABlock() {
    let outer = TestScheduler()
    let inner = TestScheduler()
    #expect(Current.schedulerIfAny == nil)
    let result = Current.with(scheduler: outer) {
      #expect(Current.scheduler === outer)
      Current.with(scheduler: inner) { #expect(Current.scheduler === inner) }
      #expect(Current.scheduler === outer)
      return 7
    }
    #expect(result == 7)
    #expect(Current.schedulerIfAny == nil)
  }

  @Test func aThrowingBlockRestoresTheScheduler() {
    #expect(throws: ContractFailure.self) {
      try Current.with(scheduler: TestScheduler()) { () throws(ContractFailure) in
        throw ContractFailure()
      }
    }
    #expect(Current.schedulerIfAny == nil)
  }

  @Test func aThreadWithoutASchedulerTraps() async {
    await #expect(processExitsWith: .failure) { _ = Current.scheduler }
    await #expect(processExitsWith: .failure) {
      EventStream<Int, Never>.never.debounce(for: .seconds(1)).observeNext { _ in }
    }
  }

  // MARK: The context

  @Test func aContextIsCurrentForABlock() {
    let outer = ManualContext()
    let inner = ManualContext()
    Current.with(context: outer) {
      #expect(Current.contextIfAny === outer)
      Current.with(context: inner) { #expect(Current.contextIfAny === inner) }
      #expect(Current.contextIfAny === outer)
      #expect(Current.context(orOf: nil) === outer)
      #expect(Current.context(orOf: MainActor.shared) === outer)
    }
  }

  @Test func aThrowingBlockRestoresTheContext() {
    let context = ManualContext()
    #expect(throws: ContractFailure.self) {
      try Current.with(context: context) { () throws(ContractFailure) in throw ContractFailure() }
    }
    #expect(Current.contextIfAny !== context)
  }

  @MainActor @Test func detectsTheMainActorOffTheMainThread() {
    // The test process has an async main, so its main actor is not on the main thread.
    #expect(ActorContext.main.isCurrent)
    #expect(Current.contextIfAny === ActorContext.main)
    #expect(Current.context(orOf: MainActor.shared) === ActorContext.main)
  }

  @Test func anotherThreadIsNotTheMainActor() {
    let thread = ThreadContext()
    #expect(!thread.run { ActorContext.main.isCurrent })
    thread.join()
  }

  @Test func prefersTheThreadsContextToTheMainActor() {
    let home = ManualContext()
    #expect(home.use { Current.context(orOf: MainActor.shared) === home })
    #expect(home.use { Current.context(orOf: nil) === home })
  }

  @Test func prefersAnActorToTheThreadItRunsOn() {
    let home = ManualContext()
    #expect(home.use { Current.context(orOf: Someone()) is ActorContext })
  }

  @Test func trapsWithoutAContextOrActor() async {
    await #expect(processExitsWith: .failure) {
      await Task.detached { _ = Current.context(orOf: nil) }.value
    }
  }
}

private actor Someone {}
