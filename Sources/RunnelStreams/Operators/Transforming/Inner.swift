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
  // Safety: the engine starts the inner stream, and so is alive until `keep` is set.
  @usableFromInline @exclusivity(unchecked) unowned(unsafe) var engine: Engine
  /// Keeps the engine while the inner stream goes on: by then it may have no other owner.
  @usableFromInline @exclusivity(unchecked) var kept: Engine?
  /// The place among the inner streams that go on.
  @usableFromInline @exclusivity(unchecked) var key: CompositeDisposable.Key?

  @inlinable
  init(_ engine: Engine) {
    self.engine = engine
  }

  /// Observes the stream.
  @inlinable
  @inline(__always)
  func start(_ stream: EventStream<Engine.Element, Engine.Failure>) {
    // A closure that captures one object is that object: neither of these allocates.
    let outlet = engine.outlet
    stream.run(
      Observer(next: { outlet.next($0) }, end: { self.ended($0) }, observation: observation))
  }

  @inlinable
  func ended(_ termination: Termination<Engine.Failure>) {
    guard observation.beginEnding() else { return }
    engine.innerEnded(termination, self)
    kept = nil
  }

  /// Makes it as new, if that cannot be noticed: its stream has ended, and nobody else holds it or
  /// its observation.
  @inlinable
  static func recycle(_ inner: inout Inner?) -> Bool {
    guard inner?.observation.isDisposed == true, isKnownUniquelyReferenced(&inner),
      isKnownUniquelyReferenced(&inner!.observation)
    else { return false }
    inner?.observation.reactivate()
    return true
  }
}
