/// The observation of one inner stream, with the data that its engine stores for it.
@usableFromInline
final class Inner<Element, Failure: Error>: Disposable {
  @usableFromInline
  typealias Engine = Flattening<Element, Failure>

  // Safety: the engine is alive while it starts the inner stream. After that, `kept` retains it
  // until the stream has ended. No later access is possible, because an observer checks its
  // observation before it delivers an end.
  @usableFromInline @exclusivity(unchecked) var engine: Unmanaged<Engine>
  @usableFromInline let outlet: InnerOutlet<Element, Failure>
  /// The engine, while the inner stream is running. At that time the engine may have no other
  /// owner.
  @usableFromInline @exclusivity(unchecked) var kept: Engine?
  /// The key in the set of running inner streams.
  @usableFromInline @exclusivity(unchecked) var key: CompositeDisposable.Key?

  @inlinable
  init(_ engine: Engine) {
    self.engine = Unmanaged.passUnretained(engine)
    outlet = InnerOutlet(engine.output)
    super.init()
  }

  @inlinable
  @inline(__always)
  func ended(_ termination: Termination<Failure>) {
    guard beginEnding() else { return }
    engine._withUnsafeGuaranteedRef { $0.innerEnded(termination, self) }
    // Most inner streams end before `kept` is set.
    if kept != nil { kept = nil }
  }

  /// Becomes one of the running inner streams of an engine, which it retains.
  func keep(_ engine: Engine) {
    self.engine = Unmanaged.passUnretained(engine)
    outlet.output = engine.output
    kept = engine
    key = engine.others.add(self)
  }

  /// Gives up its place to an inner stream of its only resource.
  func vacate() {
    state = .disposed
    hasResources = false
    first = nil
    others = []
    kept = nil
  }

  /// The first resource, if there are no others. One that is ending releases itself.
  var onlyResource: (any Teardown)? {
    func isHeld(_ resource: any Teardown) -> Bool { (resource as? Disposable)?.isActive ?? true }
    return others.contains(where: isHeld) ? nil : first
  }
}

/// The way of the elements of an inner stream to its engine. It is not the ``Inner`` itself: of that,
/// an observer holds only one reference, in its `end` closure.
@usableFromInline
final class InnerOutlet<Element, Failure: Error> {
  @usableFromInline @exclusivity(unchecked) var output: SerializedObserver<Element, Failure>

  @inlinable
  init(_ output: SerializedObserver<Element, Failure>) {
    self.output = output
  }

  @inlinable
  @inline(__always)
  func next(_ element: Element) {
    // Safety: `output` is replaced only while it delivers nothing, and the caller retains this
    // object. So it needs no retain, which would cost more than the call.
    Unmanaged.passUnretained(output)._withUnsafeGuaranteedRef { $0.next(element) }
  }
}

/// A slot in which an inner stream is observed: its observer and its observation.
///
/// An engine has one slot. An inner stream that ends while it is being started, as `just` does,
/// leaves the slot to the next one, so that no memory is allocated for it. A stream that keeps
/// running takes the slot with it. The type is not copyable, because each copy would retain two
/// references.
@usableFromInline
struct InnerSlot<Element, Failure: Error>: ~Copyable {
  @usableFromInline let observer: Observer<Element, Failure>
  // Safety: the observer retains the object, because its `end` closure captures it.
  @usableFromInline let inner: Unmanaged<Inner<Element, Failure>>

  @inlinable
  init(for engine: Flattening<Element, Failure>) {
    let inner = Inner(engine)
    let outlet = inner.outlet
    // A closure that captures only one object stores the object directly, so neither closure
    // allocates memory.
    observer = Observer(
      next: { outlet.next($0) }, end: { inner.ended($0) }, heldByEnd: inner)
    inner.hasSteps = false
    self.inner = Unmanaged.passUnretained(inner)
  }

  /// Observes an inner stream in this slot. Returns true if the slot can be reused: the stream has
  /// ended, and no other reference to its observation exists, through which it could send an end.
  @inlinable
  @inline(__always)
  func take(_ stream: EventStream<Element, Failure>) -> Bool {
    stream.run(observer)
    guard inner._withUnsafeGuaranteedRef({ $0.isDisposed }), inner.isUniquelyReferenced else {
      return false
    }
    inner._withUnsafeGuaranteedRef { $0.reactivate() }
    return true
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
