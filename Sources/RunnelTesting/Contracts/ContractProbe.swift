import RunnelStreams

/// An object that the closures of the tested operator capture.
///
/// Call ``touch()`` in each closure that is passed to the operator. The battery then detects
/// closures that run after disposal (C4), disposes from within them, and checks that they are
/// released.
public final class ContractProbe {
  /// The scheduler for operators that take one.
  public let scheduler: TestScheduler
  let onTouch: () -> Void
  /// A callback for the release of the closures that captured the probe.
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

  /// Reports that a closure of the operator runs.
  public func touch() {
    onTouch()
  }

  /// Returns an inner stream for a flattening operator. It sends the element. Then, depending on
  /// the check, it ends at once or later, fails at once or later, or stays open.
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
