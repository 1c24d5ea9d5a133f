import RunnelStreams

/// What the operator under test captures in its closures.
///
/// Call ``touch()`` in each closure that is given to the operator: the battery then sees closures
/// that run after disposal (C4), disposes from within them, and sees whether they were released.
public final class ContractProbe {
  /// Virtual time for operators that take a scheduler.
  public let scheduler: TestScheduler
  /// Called at each touch.
  let onTouch: () -> Void
  /// Called when the closures that captured the probe are released.
  private let onRelease: () -> Void
  private let makeInner: (ContractElement) -> EventStream<ContractElement, ContractFailure>

  init(
    scheduler: TestScheduler, onTouch: @escaping () -> Void, onRelease: @escaping () -> Void,
    makeInner: @escaping (ContractElement) -> EventStream<ContractElement, ContractFailure>
  ) {
    self.scheduler = scheduler
    self.onTouch = onTouch
    self.onRelease = onRelease
    self.makeInner = makeInner
  }

  deinit {
    onRelease()
  }

  /// Says that a closure of the operator runs.
  public func touch() {
    onTouch()
  }

  /// An inner stream for an operator that flattens. It sends the element; then, as the check wants
  /// it, it ends at once or later, fails at once or later, or stays open.
  ///
  ///     let violations = contractViolations { source, probe in
  ///       source.flatMap { element in
  ///         probe.touch()
  ///         return probe.inner(element)
  ///       }
  ///     }
  ///     #expect(violations.isEmpty)
  public func inner(
    _ element: ContractElement
  ) -> EventStream<ContractElement, ContractFailure> {
    makeInner(element)
  }
}
