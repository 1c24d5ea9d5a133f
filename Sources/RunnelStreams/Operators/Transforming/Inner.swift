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

/// What an engine knows of one inner stream.
@usableFromInline
final class Inner<Engine: FlatteningEngine> {
  // Safety: the engine is alive while it starts the inner stream, and after that `kept` keeps it
  // until the stream has ended.
  @usableFromInline let engine: Unmanaged<Engine>
  // Safety: the seat keeps the observation while the inner stream is started, and after that `kept`
  // does. Later nobody comes here: an observer asks its observation before it hands on an end.
  @usableFromInline let observation: Unmanaged<Disposable>
  /// Keeps what is needed while the inner stream goes on: by then it may have no other owner.
  @usableFromInline @exclusivity(unchecked) var kept: (engine: Engine, observation: Disposable)?
  /// The place among the inner streams that go on.
  @usableFromInline @exclusivity(unchecked) var key: CompositeDisposable.Key?

  @inlinable
  init(_ engine: Engine, observedIn observation: Disposable) {
    self.engine = Unmanaged.passUnretained(engine)
    self.observation = Unmanaged.passUnretained(observation)
  }

  @inlinable
  func ended(_ termination: Termination<Engine.Failure>) {
    guard observation._withUnsafeGuaranteedRef({ $0.beginEnding() }) else { return }
    engine._withUnsafeGuaranteedRef { $0.innerEnded(termination, self) }
    // Most ended before there was anything to keep.
    if kept != nil { kept = nil }
  }

  @inlinable
  @inline(__always)
  func dispose() {
    observation._withUnsafeGuaranteedRef { $0.dispose() }
  }
}

/// Where an inner stream is observed: its observer, and what the engine knows of it.
///
/// An engine keeps one. An inner stream that ends while it is started, as `just` does, leaves it to
/// the next: then an inner stream allocates nothing. One that goes on takes it along. It cannot be
/// copied, because each copy would count three references.
@usableFromInline
struct Seat<Engine: FlatteningEngine>: ~Copyable {
  @usableFromInline let observer: Observer<Engine.Element, Engine.Failure>
  // Safety: the observer keeps it, as what its end goes to.
  @usableFromInline let inner: Unmanaged<Inner<Engine>>

  @inlinable
  init(for engine: Engine) {
    let observation = Disposable()
    let inner = Inner(engine, observedIn: observation)
    let outlet = engine.outlet
    // A closure that captures one object is that object: neither of these allocates.
    observer = Observer(
      next: { outlet.next($0) }, end: { inner.ended($0) }, observation: observation)
    self.inner = Unmanaged.passUnretained(inner)
  }

  /// Makes it as new, if that cannot be noticed: its stream has ended, and nobody else holds its
  /// observation or could send its end.
  @inlinable
  @inline(__always)
  func vacate() -> Bool {
    guard observer.observation.isDisposed, inner.isHeldOnce,
      inner._withUnsafeGuaranteedRef({ $0.observation.isHeldOnce })
    else { return false }
    observer.observation.reactivate()
    return true
  }

  /// Makes the inner stream keep what it needs from now on, and returns its observation.
  @usableFromInline
  func keep(_ engine: Engine) -> Disposable {
    inner._withUnsafeGuaranteedRef { $0.kept = (engine, observer.observation) }
    return observer.observation
  }
}

extension Unmanaged {
  /// Whether there is one strong reference to the object, and no more.
  @inlinable
  @inline(__always)
  var isHeldOnce: Bool {
    var reference = self
    // Safety: it is laid out as the reference that it stands for, and that is only looked at. A
    // strong reference, made to ask with, would be a second one. Nothing is written beyond it, which
    // a protector of the stack would look for.
    return _withUnprotectedUnsafeMutablePointer(to: &reference) { pointer in
      pointer.withMemoryRebound(to: Instance.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}
