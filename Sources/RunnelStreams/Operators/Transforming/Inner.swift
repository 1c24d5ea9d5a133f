/// What flattens streams of streams, and is told when one of them ends.
@usableFromInline
protocol FlatteningEngine: AnyObject {
  associatedtype Element
  associatedtype Failure: Error

  /// Where all inner streams send to.
  var outlet: Outlet<Element, Failure> { get }

  /// An inner stream has ended: its observation is about to be disposed by this method.
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Self>)
}

/// The observation of one inner stream, on behalf of an engine.
///
/// An engine keeps one for the inner stream that it is just starting. One that ends while it is
/// started, as `just` does, leaves it to the next: then an inner stream allocates nothing. One
/// that goes on takes it along.
@usableFromInline
final class Inner<Engine: FlatteningEngine> {
  @usableFromInline @exclusivity(unchecked) var observation = Disposable()
  // Safety: the same object, which `observation` keeps, for calls that need not retain it.
  @usableFromInline let unretainedObservation: Unmanaged<Disposable>
  // Safety: the engine is alive while it starts the inner stream, and after that `kept` keeps it
  // until the stream has ended.
  @usableFromInline let engine: Unmanaged<Engine>
  /// Keeps the engine while the inner stream goes on: by then it may have no other owner.
  @usableFromInline @exclusivity(unchecked) var kept: Engine?
  /// The place among the inner streams that go on.
  @usableFromInline @exclusivity(unchecked) var key: CompositeDisposable.Key?

  @inlinable
  init(_ engine: Engine) {
    self.engine = Unmanaged.passUnretained(engine)
    unretainedObservation = Unmanaged.passUnretained(observation)
  }

  /// Observes the stream.
  @inlinable
  @inline(__always)
  func start(_ stream: EventStream<Engine.Element, Engine.Failure>) {
    // A closure that captures one object is that object: neither of these allocates.
    stream.run(
      Observer(next: { self.next($0) }, end: { self.ended($0) }, observation: observation))
  }

  @inlinable
  func next(_ element: Engine.Element) {
    engine._withUnsafeGuaranteedRef { $0.outlet.next(element) }
  }

  @inlinable
  func ended(_ termination: Termination<Engine.Failure>) {
    guard unretainedObservation._withUnsafeGuaranteedRef({ $0.beginEnding() }) else { return }
    engine._withUnsafeGuaranteedRef { $0.innerEnded(termination, self) }
    kept = nil
  }

  @inlinable
  func dispose() {
    unretainedObservation._withUnsafeGuaranteedRef { $0.dispose() }
  }

  /// Makes it as new, if that cannot be noticed: its stream has ended, and nobody else holds it or
  /// its observation.
  @inlinable
  static func recycle(_ inner: inout Inner?) -> Bool {
    guard isKnownUniquelyReferenced(&inner) else { return false }
    // Safety: what is uniquely referenced is not nil. The unwrapped copy would count as a second
    // reference, and cost one.
    guard inner.unsafelyUnwrapped.observation.isDisposed,
      isKnownUniquelyReferenced(&inner.unsafelyUnwrapped.observation)
    else { return false }
    inner.unsafelyUnwrapped.observation.reactivate()
    return true
  }
}
