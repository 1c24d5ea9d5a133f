import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct GroupByTests {
  let source = Subject<Int, ContractFailure>()

  // MARK: - Values

  @Test func sendsAGroupBeforeItsFirstElement() {
    var log: [String] = []
    source.groupBy { $0 % 2 }.observe(
      next: { group in
        log.append("group \(group.key)")
        group.observe(
          next: { log.append("\(group.key): \($0)") }, failed: { _ in },
          completed: { log.append("\(group.key) completed") })
      }, failed: { _ in }, completed: { log.append("completed") })
    for number in [1, 3, 2, 5] { source.next(number) }
    source.completed()
    #expect(
      log == [
        "group 1", "1: 1", "1: 3", "group 0", "0: 2", "1: 5", "1 completed", "0 completed",
        "completed",
      ])
  }

  @Test func groupsEndInOrderOfCreation() {
    var ended: [Int] = []
    source.groupBy { $0 }.observe(
      next: { group in
        group.observe(failed: { _ in }, completed: { ended.append(group.key) })
      }, failed: { _ in })
    for number in 0..<100 { source.next(number * 7 % 100) }
    source.completed()
    #expect(ended == (0..<100).map { $0 * 7 % 100 })
  }

  @Test func aGroupIsHot() {
    let groups = source.groupBy { $0 % 2 }.record()
    source.next(1)
    source.next(3)
    let late = groups.elements[0].record()
    source.next(5)
    let later = groups.elements[0].record()
    source.next(7)
    source.completed()
    let tooLate = groups.elements[0].record()
    #expect(late.events == [.next(5), .next(7), .completed])
    #expect(later.events == [.next(7), .completed])
    #expect(tooLate.events == [.completed])
  }

  @Test func groupsCanBeFlattenedAgain() {
    let sums = EventStream<Int, Never>.sequence(1...10)
      .groupBy { $0 % 3 }
      .flatMap { group in group.reduce(0, +).map { [group.key, $0] }.stream }
    #expect(
      sums.record().events == [.next([1, 22]), .next([2, 15]), .next([0, 18]), .completed])
  }

  // MARK: - Failure

  @Test func aFailureEndsTheGroupsBeforeTheStream() {
    var log: [String] = []
    source.groupBy { $0 % 2 }.observe(
      next: { group in group.observe(failed: { _ in log.append("\(group.key) failed") }) },
      failed: { _ in log.append("failed") })
    source.next(1)
    source.next(2)
    source.failed(ContractFailure())
    #expect(log == ["1 failed", "0 failed", "failed"])
  }

  @Test func anErrorThrownByTheClosureFailsAllStreams() {
    let groups = source.groupBy { number throws(ContractFailure) in
      if number < 0 { throw ContractFailure() }
      return number % 2
    }.record()
    source.next(1)
    let group = groups.elements[0].record()
    source.next(-1)
    #expect(group.events == [.failed(ContractFailure())])
    #expect(groups.failure == ContractFailure())
    #expect(!source.isObserved)
  }

  // MARK: - Disposal

  @Test func disposalSilencesTheGroups() {
    let groups = source.groupBy { $0 % 2 }.record()
    source.next(1)
    let group = groups.elements[0].record()
    source.next(3)
    groups.dispose()
    source.next(5)
    #expect(!source.isObserved)
    #expect(group.events == [.next(3)])
  }

  @Test func disposalWhileAGroupIsSentSilencesAll() {
    let observation = Disposable()
    var elements: [Int] = []
    source.groupBy { $0 % 2 }.start(
      in: observation,
      next: { group in
        group.observe(next: { elements.append($0) }, failed: { _ in })
        if group.key == 0 { observation.dispose() }
      }, end: { _ in })
    for number in 1...4 { source.next(number) }
    #expect(elements == [1])
  }

  @Test func theEndReleasesTheGroups() {
    final class Key: Hashable {
      let number: Int
      let held: Counted
      init(_ number: Int, _ census: Counted.Census) {
        self.number = number
        held = Counted(census)
      }
      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let census = Counted.Census()
    var freedAtTheEnd = -1
    let observation = source.groupBy { Key($0, census) }.observe(
      next: { _ in }, failed: { _ in }, completed: { freedAtTheEnd = census.alive })
    for number in 1...100 { source.next(number) }
    for number in 1...100 { source.next(number) }
    #expect(census.alive == 100)
    source.completed()
    #expect(freedAtTheEnd == 0)
    #expect(census.alive == 0)
    #expect(observation.isDisposed)
  }

  @Test func observedGroupsAreReleased() {
    Resources.tracking { resources in
      let numbers = PushStream<Int>()
      let recorder = numbers.groupBy { $0 % 10 }.flatMap { $0.stream }.record()
      for number in 1...100 { numbers.next(number) }
      #expect(resources.total > 10)
      recorder.dispose()
      // Only the subject is left.
      #expect(resources.total == 1)
    }
  }

  // MARK: - Reentrancy

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [String] = []
    source.groupBy { $0 % 2 }.observe(
      next: { group in
        log.append("<group \(group.key)")
        if group.key == 1 { source.next(2) }
        group.observe(
          next: { number in
            log.append("<\(number)")
            if number == 1 { source.next(3) }
            log.append("\(number)>")
          }, failed: { _ in })
        log.append("group \(group.key)>")
      }, failed: { _ in })
    source.next(1)
    #expect(
      log == [
        "<group 1", "group 1>", "<1", "1>", "<group 0", "group 0>", "<2", "2>", "<3", "3>",
      ])
  }

  // MARK: - Contracts

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      source.groupBy {
        probe.touch()
        return $0.value % 3
      }
    }
    expectContracts { source, probe in
      source.groupBy {
        probe.touch()
        return $0.value % 3
      }.flatMap { $0.stream }
    }
  }
}
