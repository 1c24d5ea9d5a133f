/// What flattens streams of streams, and is told when one of them ends.
@usableFromInline
protocol FlatteningEngine: AnyObject {
  associatedtype Element
  associatedtype Failure: Error

  /// Where all inner streams send to.
  var output: SerializedObserver<Element, Failure> { get }

  /// An inner stream has ended: its observation is about to be disposed by this method.
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Self>)
}

/// The observation of one inner stream, and what its engine knows of it.
@usableFromInline
final class Inner<Engine: FlatteningEngine>: Disposable {
  // Safety: the engine is alive while it starts the inner stream, and after that `kept` keeps it
  // until the stream has ended. Later nobody comes here: an observer asks its observation before it
  // hands on an end.
  @usableFromInline let engine: Unmanaged<Engine>
  /// The engine, while the inner stream goes on: by then it may have no other owner.
  @usableFromInline @exclusivity(unchecked) var kept: Engine?
  /// The place among the inner streams that go on.
  @usableFromInline @exclusivity(unchecked) var key: CompositeDisposable.Key?

  @inlinable
  init(_ engine: Engine) {
    self.engine = Unmanaged.passUnretained(engine)
    super.init()
  }

  @inlinable
  @inline(__always)
  func ended(_ termination: Termination<Engine.Failure>) {
    guard beginEnding() else { return }
    engine._withUnsafeGuaranteedRef { $0.innerEnded(termination, self) }
    // Most ended before there was anything to keep.
    if kept != nil { kept = nil }
  }
}

/// Where an inner stream is observed: its observer and its observation.
///
/// An engine has one. An inner stream that ends while it is started, as `just` does, leaves it to
/// the next: then an inner stream allocates nothing. One that goes on takes it along. It cannot be
/// copied, because each copy would count two references.
@usableFromInline
struct InnerSlot<Engine: FlatteningEngine>: ~Copyable {
  @usableFromInline let observer: Observer<Engine.Element, Engine.Failure>
  // Safety: the observer keeps it, as what its end goes to.
  @usableFromInline let inner: Unmanaged<Inner<Engine>>

  @inlinable
  init(for engine: Engine) {
    let inner = Inner(engine)
    let output = engine.output
    // A closure that captures one object is that object: neither of these allocates.
    observer = Observer(
      next: { output.next($0) }, end: { inner.ended($0) }, heldByEnd: inner)
    self.inner = Unmanaged.passUnretained(inner)
  }

  /// Observes an inner stream here, and says whether it left the innerSlot to the next one, as new: it
  /// has ended, and nobody else holds its observation or could send its end.
  @inlinable
  @inline(__always)
  func take(_ stream: EventStream<Engine.Element, Engine.Failure>) -> Bool {
    stream.run(observer)
    guard inner._withUnsafeGuaranteedRef({ $0.isDisposed }), inner.isHeldOnce else { return false }
    inner._withUnsafeGuaranteedRef { $0.reactivate() }
    return true
  }

  /// Makes the inner stream keep what it needs from now on, and returns its observation.
  @usableFromInline
  func keep(_ engine: Engine) -> Inner<Engine> {
    let inner = inner.takeUnretainedValue()
    inner.kept = engine
    return inner
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
