/// The receiving end of one observation: what a stream sends to.
///
/// An observer is three things: what to do with an element, what to do with the end, and the
/// ``Disposable`` of the observation it belongs to. A linear chain of operators shares one
/// observation, so once that is disposed nothing in the chain runs again (C4).
public struct Observer<Element, Failure: Error> {
  @usableFromInline let onNext: (Element) -> Void
  @usableFromInline let onEnd: (Termination<Failure>) -> Void

  // Safety: `onEnd` keeps it. Each step of a chain has an observer, which would count it once more.
  @usableFromInline let held: Unmanaged<Disposable>

  /// The observation that this observer belongs to. A source adds to it what must be undone when
  /// the observation ends.
  @inlinable
  public var observation: Disposable {
    defer { withExtendedLifetime(self) {} }
    return held.takeUnretainedValue()
  }

  /// Makes the observer of one step of a chain, for those who write operators on
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

  /// The same for an `end` that holds the observation, or another observer in it: nothing has to be
  /// put around it.
  @inlinable
  init(
    next: @escaping (Element) -> Void,
    end: @escaping (Termination<Failure>) -> Void,
    heldByEnd observation: Disposable
  ) {
    self.onNext = next
    self.onEnd = end
    self.held = Unmanaged.passUnretained(observation)
  }

  /// Makes the observer of one step that treats elements in its own way and hands on the end.
  @inlinable
  public init<Output>(
    before downstream: Observer<Output, Failure>,
    next: @escaping (Element) -> Void
  ) {
    self.onNext = next
    self.onEnd = downstream.onEnd
    self.held = downstream.held
  }

  /// Makes the observer of one step that hands on elements and treats the end in its own way.
  @inlinable
  public init(
    forwardingTo downstream: Observer,
    end: @escaping (Termination<Failure>) -> Void
  ) {
    self.onNext = downstream.onNext
    self.onEnd = { termination in withExtendedLifetime(downstream) { end(termination) } }
    self.held = downstream.held
  }

  /// Whether anybody still listens. A source that loops asks before each element (C8).
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
