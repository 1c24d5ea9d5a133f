/// The receiving end of one observation.
///
/// An observer has a handler for elements, a handler for the end, and the ``Disposable`` of the
/// observation that it belongs to. A linear chain of operators shares one observation. Once that is
/// disposed, no closure of the chain runs again (C4).
public struct Observer<Element, Failure: Error> {
  @usableFromInline let onNext: (Element) -> Void
  @usableFromInline let onEnd: (Termination<Failure>) -> Void

  /// The address of the observation. The lowest bit is `isInner`, because a further property would
  /// make each step of a chain three times as slow.
  @usableFromInline let bits: UInt

  // Safety: `onEnd` retains the observation for as long as the observer exists. A strong reference
  // would add a retain and release for each step of a chain.
  @inlinable
  var held: Unmanaged<Disposable> {
    .fromOpaque(UnsafeRawPointer(bitPattern: bits & ~1).unsafelyUnwrapped)
  }

  /// True if this is the observer of an ``Inner`` stream itself. An operator that passes events
  /// through a closure of its own creates another observer, for which it is false.
  @inlinable
  var isInner: Bool { bits & 1 != 0 }

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
    heldByEnd observation: Disposable,
    isInner: Bool = false
  ) {
    self.onNext = next
    self.onEnd = end
    // Safety: objects are aligned, so the lowest bit of an address is free.
    bits =
      UInt(bitPattern: Unmanaged.passUnretained(observation).toOpaque()) | (isInner ? 1 : 0)
  }

  /// Creates the observer of one step that handles elements and forwards the end.
  @inlinable
  public init<Output>(
    before downstream: Observer<Output, Failure>,
    next: @escaping (Element) -> Void
  ) {
    self.onNext = next
    self.onEnd = downstream.onEnd
    self.bits = downstream.bits & ~1
  }

  /// Creates the observer of one step that forwards elements and handles the end.
  @inlinable
  public init(
    forwardingTo downstream: Observer,
    end: @escaping (Termination<Failure>) -> Void
  ) {
    self.onNext = downstream.onNext
    self.onEnd = { termination in withExtendedLifetime(downstream) { end(termination) } }
    self.bits = downstream.bits & ~1
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
