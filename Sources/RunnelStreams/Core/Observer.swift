/// The receiving end of one observation.
///
/// An observer has a handler for elements, a handler for the end, and the ``Disposable`` of the
/// observation that it belongs to. A linear chain of operators shares one observation. Once that is
/// disposed, no closure of the chain runs again (C4).
public struct Observer<Element, Failure: Error> {
  @usableFromInline let onNext: (Element) -> Void
  @usableFromInline let onEnd: (Termination<Failure>) -> Void

  // Safety: `onEnd` retains the observation for as long as the observer exists. A strong reference
  // would add a retain and release for each step of a chain.
  @usableFromInline let held: Unmanaged<Disposable>

  /// The observation that this observer belongs to. A source adds to it the resources to release
  /// when the observation ends.
  @inlinable
  public var observation: Disposable {
    defer { withExtendedLifetime(self) {} }
    return held.takeUnretainedValue()
  }

  /// Creates the observer of one step of a chain, for an operator that is written with
  /// ``EventStream/unguarded(_:)``.
  @inlinable
  public init(
    next: @escaping (Element) -> Void,
    end: @escaping (Termination<Failure>) -> Void,
    observation: Disposable
  ) {
    self.init(
      next: next,
      end: { termination in withExtendedLifetime(observation) { end(termination) } },
      heldByEnd: observation)
  }

  /// Creates an observer whose `end` closure already retains the observation. No closure is wrapped
  /// around `end`.
  @inlinable
  init(
    next: @escaping (Element) -> Void,
    end: @escaping (Termination<Failure>) -> Void,
    heldByEnd observation: Disposable
  ) {
    self.onNext = next
    self.onEnd = end
    self.held = Unmanaged.passUnretained(observation)
    if !observation.hasSteps { observation.hasSteps = true }
  }

  /// Creates the observer of one step that handles elements and forwards the end.
  @inlinable
  public init<Output>(
    before downstream: Observer<Output, Failure>,
    next: @escaping (Element) -> Void
  ) {
    self.onNext = next
    self.onEnd = downstream.onEnd
    self.held = downstream.held
    held._withUnsafeGuaranteedRef { $0.hasSteps = true }
  }

  /// Creates the observer of one step that forwards elements and handles the end.
  @inlinable
  public init(
    forwardingTo downstream: Observer,
    end: @escaping (Termination<Failure>) -> Void
  ) {
    self.onNext = downstream.onNext
    self.onEnd = { termination in withExtendedLifetime(downstream) { end(termination) } }
    self.held = downstream.held
    held._withUnsafeGuaranteedRef { $0.hasSteps = true }
  }

  /// True while the observer accepts events. A source with a loop checks it before each element
  /// (C8).
  @inlinable
  public var isActive: Bool { held._withUnsafeGuaranteedRef { $0.isActive } }

  /// Sends an element. Does nothing once the observation has ended.
  @inlinable
  public func next(_ element: Element) {
    if isActive { onNext(element) }
  }

  /// Ends the stream. Does nothing once the observation has ended.
  @inlinable
  public func end(_ termination: Termination<Failure>) {
    if isActive { onEnd(termination) }
  }
}

extension Observer: StreamSink {}
