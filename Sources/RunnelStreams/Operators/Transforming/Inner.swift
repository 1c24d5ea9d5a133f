/// An engine that observes inner streams and sends their elements.
@usableFromInline
protocol FlatteningEngine: AnyObject {
  associatedtype Element
  associatedtype Failure: Error

  /// The observer to which all inner streams send.
  var output: SerializedObserver<Element, Failure> { get }

  /// Handles the end of an inner stream. The engine must dispose `inner`.
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Self>)
}

/// The observation of one inner stream, with the data that its engine stores for it.
@usableFromInline
final class Inner<Engine: FlatteningEngine>: Disposable {
  // Safety: the engine is alive while it starts the inner stream. After that, `kept` retains it
  // until the stream has ended. No later access is possible, because an observer checks its
  // observation before it delivers an end.
  @usableFromInline let engine: Unmanaged<Engine>
  /// The engine, while the inner stream is running. At that time the engine may have no other
  /// owner.
  @usableFromInline @exclusivity(unchecked) var kept: Engine?
  /// The key in the set of running inner streams.
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
    // Most inner streams end before `kept` is set.
    if kept != nil { kept = nil }
  }
}

/// A slot in which an inner stream is observed: its observer and its observation.
///
/// An engine has one slot. An inner stream that ends while it is being started, as `just` does,
/// leaves the slot to the next one, so that no memory is allocated for it. A stream that keeps
/// running takes the slot with it. The type is not copyable, because each copy would retain two
/// references.
@usableFromInline
struct InnerSlot<Engine: FlatteningEngine>: ~Copyable {
  @usableFromInline let observer: Observer<Engine.Element, Engine.Failure>
  // Safety: the observer retains the object, because its `end` closure captures it.
  @usableFromInline let inner: Unmanaged<Inner<Engine>>

  @inlinable
  init(for engine: Engine) {
    let inner = Inner(engine)
    let output = engine.output
    // A closure that captures only one object stores the object directly, so neither closure
    // allocates memory.
    observer = Observer(
      next: { output.next($0) }, end: { inner.ended($0) }, heldByEnd: inner)
    self.inner = Unmanaged.passUnretained(inner)
  }

  /// Observes an inner stream in this slot. Returns true if the slot can be reused: the stream has
  /// ended, and no other reference to its observation exists, through which it could send an end.
  @inlinable
  @inline(__always)
  func take(_ stream: EventStream<Engine.Element, Engine.Failure>) -> Bool {
    stream.run(observer)
    guard inner._withUnsafeGuaranteedRef({ $0.isDisposed }), inner.isUniquelyReferenced else {
      return false
    }
    inner._withUnsafeGuaranteedRef { $0.reactivate() }
    return true
  }

  /// Makes the inner stream retain its engine while it runs, and returns its observation.
  @inlinable
  func keep(_ engine: Engine) -> Inner<Engine> {
    let inner = inner.takeUnretainedValue()
    inner.kept = engine
    return inner
  }
}

extension Unmanaged {
  /// True while exactly one strong reference to the object exists.
  @inlinable
  @inline(__always)
  var isUniquelyReferenced: Bool {
    var reference = self
    // Safety: an `Unmanaged` has the memory layout of the reference that it stores, and the
    // reference is only read. A strong reference in a local variable would be a second one, so the
    // memory is rebound instead. No out-of-bounds write is possible, so stack protection is not
    // needed.
    return _withUnprotectedUnsafeMutablePointer(to: &reference) { pointer in
      pointer.withMemoryRebound(to: Instance.self, capacity: 1) {
        isKnownUniquelyReferenced(&$0.pointee)
      }
    }
  }
}
