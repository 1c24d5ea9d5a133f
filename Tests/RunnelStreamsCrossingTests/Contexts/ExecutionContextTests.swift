import RunnelTesting
import StreamTestSupport
import Testing

@testable import RunnelStreams

@Suite struct ExecutionContextTests {
  @Test func anActorRunsJobsInOrder() async {
    let keeper = Keeper()
    let context = ActorContext(keeper)
    for number in 0..<1000 {
      context.execute { keeper.assumeIsolated { $0.numbers.append(number) } }
    }
    await finish(context)
    #expect(await keeper.numbers == Array(0..<1000))
  }

  /// Jobs of one task keep their order, none is lost, and no two run at the same time.
  @Test func anActorKeepsTheOrderOfEachTask() async {
    let keeper = Keeper()
    let context = ActorContext(keeper)
    await withTaskGroup { group in
      for task in 0..<16 {
        group.addTask {
          for number in 0..<500 {
            context.execute { keeper.assumeIsolated { $0.numbers.append(task * 1000 + number) } }
            if number % 50 == 0 { await Task.yield() }
          }
        }
      }
    }
    await finish(context)
    let numbers = await keeper.numbers
    for task in 0..<16 {
      #expect(numbers.filter { $0 / 1000 == task } == (0..<500).map { task * 1000 + $0 })
    }
    #expect(numbers.count == 16 * 500)
  }

  @Test func aJobAddedByAJobRunsAfterTheQueue() async {
    let keeper = Keeper()
    let context = ActorContext(keeper)
    context.execute {
      context.execute { keeper.assumeIsolated { $0.numbers.append(3) } }
      keeper.assumeIsolated { $0.numbers.append(1) }
    }
    await finish(context)
    await finish(context)
    #expect(await keeper.numbers == [1, 3])
  }

  @Test func theMainActorsContextRunsOnTheMainActor() async {
    await withCheckedContinuation { continuation in
      ActorContext.main.execute {
        MainActor.assertIsolated()
        continuation.resume()
      }
    }
  }

  @Test func anActorCannotBeDetectedByItsThread() async {
    let context = ActorContext(Keeper())
    await withCheckedContinuation { continuation in
      context.execute {
        #expect(!context.isCurrent)
        continuation.resume()
      }
    }
  }

  @Test func aReleasedValueDiesOnItsContext() async {
    let log = await ManualContext.onThread { worker in
      let home = ThreadContext()
      // Safety: one thread at a time uses these variables, while the other one waits.
      nonisolated(unsafe) var place: Captive?
      nonisolated(unsafe) var log: [String] = []
      home.run { place = Captive { log.append(home.isCurrent ? "released at home" : "elsewhere") } }
      MeetingContext(home).letGo(&place)
      home.join()
      return log
    }
    #expect(log == ["released at home"])
  }

  @Test func jobsAreReleasedAfterTheyRun() async {
    let context = ActorContext(Keeper())
    weak var released: Marker?
    do {
      let marker = Marker()
      released = marker
      context.execute { withExtendedLifetime(marker) {} }
    }
    await finish(context)
    await finish(context)
    #expect(released == nil)
  }
}

private actor Keeper {
  var numbers: [Int] = []
}

private final class Marker: Sendable {}

/// Waits until all jobs that were added before have run.
private func finish(_ context: ActorContext) async {
  await withCheckedContinuation { continuation in
    context.execute { continuation.resume() }
  }
}
