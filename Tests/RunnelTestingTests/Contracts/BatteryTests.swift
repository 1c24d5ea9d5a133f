import RunnelStreams
import RunnelTesting
import Testing

@Suite struct BatteryTests {
  private func contracts(_ operation: @escaping Operation, _ traits: ContractTraits = []) -> Set<
    Int
  > {
    Set(contractViolations(traits, of: operation).map(\.contract))
  }

  // MARK: - Violations are found

  @Test func findsEventsAfterTheEnd() {
    #expect(contracts(BrokenOperators.sendsAfterEnd) == [1])
  }

  @Test func findsReentrantDelivery() {
    #expect(contracts(BrokenOperators.reenters) == [2])
  }

  @Test func findsConflictsDuringRelease() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = contractViolations { source, _ in BrokenOperators.releasesWhileItChanges(source) }
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("Simultaneous accesses"))
  }

  @Test func findsWrongObserverOrder() {
    #expect(contracts(BrokenOperators.deliversToTheLastObserverFirst, .shared) == [3])
  }

  @Test func findsActivityAfterDisposal() {
    #expect(contracts(BrokenOperators.leaksItsSource) == [4, 8])
    #expect(contracts(BrokenOperators.leaksAnInnerStream) == [4, 5])
    #expect(contracts(BrokenOperators.leaksAClosure) == [4, 5])
    #expect(contracts(BrokenOperators.keepsATimer, .timed) == [4, 5])
    #expect(contracts(BrokenOperators.callsAClosureAfterDispose) == [4])
    #expect(contracts(BrokenOperators.ignoresDisposalInALoop) == [4])
  }

  @Test func findsTeardownBeforeTheEnd() {
    #expect(contracts(BrokenOperators.tearsDownBeforeTheEnd) == [5])
  }

  @Test func findsSharedAndEagerObservations() {
    #expect(contracts(BrokenOperators.observesEagerly).contains(6))
    #expect(contracts(BrokenOperators.sharesItsState) == [6])
  }

  @Test func findsDelayedEvents() {
    #expect(contracts(BrokenOperators.sendsLater) == [7])
  }

  @Test func findsSourcesThatDoNotStop() {
    #expect(contracts(BrokenOperators.attachesItsSourceLate) == [8])
  }

  @Test func findsGrowingMemory() {
    #expect(contracts(BrokenOperators.keepsEveryElement) == [9])
    #expect(contracts(BrokenOperators.keepsASubject) == [9])
    let traits: ContractTraits = [.outlivesSource, .handlesFailure]
    #expect(contracts(BrokenOperators.keepsItsSource, traits) == [9])
    #expect(contracts(BrokenOperators.keepsItsSource, traits.union(.observesAgain)) == [])
  }

  @Test func findsLostFailures() {
    #expect(contracts(BrokenOperators.losesTheFailure) == [10])
    #expect(contracts(BrokenOperators.completesOnFailure) == [10])
    #expect(contracts(BrokenOperators.losesTheFailureOfAnInnerStream) == [10])
  }

  @Test func findsUseOfTheCurrentScheduler() {
    #expect(contracts({ source, _ in source.timestamps().map(\.element) }, .timed) == [12])
    #expect(contracts({ source, _ in source.take(for: .seconds(9)) }, .timed).contains(12))
  }

  @Test func findsSourcesRetainedAfterTheEnd() {
    #expect(contracts(BrokenOperators.leavesTheSourceActive, .handlesFailure) == [8])
  }

  @Test func violationDescribesBehaviourAndScript() {
    let violations = contractViolations(of: BrokenOperators.losesTheFailure)
    #expect(
      violations.map(\.description).contains("C10: the failure of the source was lost (failing)"))
    #expect(Set(violations).count == violations.count, "Each violation is reported once.")
  }

  // MARK: - Traits

  @Test func traitDisablesItsCheck() {
    #expect(contracts(BrokenOperators.completesOnFailure, .handlesFailure).isEmpty)
    #expect(contracts(BrokenOperators.keepsEveryElement, .accumulates).isEmpty)
    #expect(contracts(BrokenOperators.sendsLater, .timed).isEmpty)
    #expect(contracts(BrokenOperators.tearsDownBeforeTheEnd, .outlivesSource).isEmpty)
  }

  // MARK: - Correct operators pass

  @Test func linearOperatorsPass() {
    #expect(contracts { source, _ in source }.isEmpty)
    #expect(
      contracts { source, probe in
        source
          .map { element in
            probe.touch()
            return element
          }
          .filter { element in
            probe.touch()
            return element.value % 2 == 1
          }
      }.isEmpty)
  }

  @Test func flatteningOperatorsPass() {
    for limit in [1, 2, .max] {
      #expect(
        contracts { source, probe in
          source.flatMap(maxConcurrent: limit) { element in
            probe.touch()
            return probe.inner(element)
          }
        }.isEmpty)
    }
  }

  @Test func timedOperatorsPass() {
    for quiet in [Duration.zero, .milliseconds(500), .seconds(3)] {
      #expect(
        contracts({ source, probe in source.debounce(for: quiet, on: probe.scheduler) }, .timed)
          .isEmpty)
    }
  }

  @Test func combiningOperatorsPass() {
    #expect(
      contracts { source, _ in
        EventStream.combineLatest(source, source).map { pair throws(ContractFailure) in
          max(pair.0, pair.1)
        }
      }.isEmpty)
    #expect(
      contracts({ source, _ in source.append(.just(ContractElement(0))) }, .outlivesSource).isEmpty)
  }

  @Test func customStreamsPass() {
    #expect(
      contracts { source, probe in
        EventStream { observer in
          probe.touch()
          let child = Disposable()
          observer.observation.add(child)
          source.start(in: child, next: observer.next, end: observer.end)
          return .none
        }
      }.isEmpty)
  }
}
