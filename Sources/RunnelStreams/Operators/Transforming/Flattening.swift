/// Observes inner streams and sends their elements: the implementation of `flatMap`, `concatMap`,
/// `merge`, `flatMapLatest` and `flatMapFirst`.
///
/// When the source has ended and one inner stream is left, this object only passes its events on.
/// If its own observer is an inner stream of another such object, it hands its stream over to that
/// object and is released. Recursion through a flattening operator, such as a polling loop,
/// therefore uses neither stack nor memory where the source ends before the inner stream sends (C9).
@usableFromInline
final class Flattening<Element, Failure: Error>: Teardown {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let limit: Int
  /// The asynchronous work of the inner streams; nil without a limit.
  @usableFromInline let work: Work?
  // Flags (3): `feedsInner` never changes; the source may end while inner streams are being started.
  /// True if all events reach the observer of an inner stream unchanged.
  @usableFromInline let feedsInner: Bool
  /// The reusable slot in which inner streams are started, one at a time.
  @usableFromInline @exclusivity(unchecked) var innerSlot: InnerSlot<Element, Failure>?
  // Safety: set only while an inner stream is being started. During that time `innerSlot` retains
  // the object.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Element, Failure>>?
  /// The inner streams that did not end while they were being started.
  @usableFromInline let others = CompositeDisposable()
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<EventStream<Element, Failure>>()
  @usableFromInline @exclusivity(unchecked) var running = 0
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false
  /// True while `startWaiting()` runs. It uses a loop instead of recursion, so that a thousand
  /// inner streams that end immediately do not use a thousand stack frames.
  @usableFromInline @exclusivity(unchecked) var isLooping = false

  @inlinable
  init(limit: Int = .max, into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    self.limit = limit
    work = limit == .max ? nil : .forObservation()
    feedsInner = !observer.observation.hasSteps
    observer.observation.add(self)
  }

  /// True while the result has not ended and no inner stream is running.
  @inlinable
  var isIdle: Bool { running == 0 && output.isOpen }

  /// Observes an inner stream, at once or when the limit allows it.
  @inlinable
  @inline(__always)
  func add(_ stream: EventStream<Element, Failure>) {
    // The closure that created the stream may have ended the result.
    guard output.isOpen else { return }
    if running < limit && waiting.isEmpty { start(stream) } else { wait(stream) }
  }

  /// Keeps an inner stream for later. The source waits while many wait for work in progress.
  @usableFromInline
  func wait(_ stream: EventStream<Element, Failure>) {
    waiting.append(stream)
    if waiting.count >= Self.waitingLimit { work?.hold() }
  }

  @usableFromInline static var waitingLimit: Int { 256 }

  /// Observes an inner stream, and disposes the previous one.
  @inlinable
  @inline(__always)
  func replace(with stream: EventStream<Element, Failure>) {
    // The closure that created the stream may have disposed the observation.
    guard output.isOpen else { return }
    if running > 0 {
      running = 0
      disposeRunning()
      // Disposing the previous stream may have ended the result, or started another inner stream.
      guard isIdle else { return }
    }
    start(stream)
  }

  @usableFromInline
  func sourceEnded(_ termination: Termination<Failure>) {
    guard case .completed = termination else { return end(termination) }
    sourceHasEnded = true
    completeIfDone()
    if running == 1 { handOver() }
  }

  @inlinable
  @inline(__always)
  func start(_ stream: EventStream<Element, Failure>) {
    running += 1
    if work == nil || !Delivery.hasBegun { return startNow(stream) }
    let outer = Delivery.setWork(work)
    startNow(stream)
    _ = Delivery.setWork(outer)
  }

  @inlinable
  func startNow(_ stream: EventStream<Element, Failure>) {
    guard starting == nil else { return startNested(stream) }
    if innerSlot == nil { innerSlot = InnerSlot(for: self) }
    starting = innerSlot?.inner
    let isReusable = innerSlot?.take(stream)
    starting = nil
    if isReusable == false { keepSlot() }
  }

  /// Starts an inner stream while another one is being started.
  @usableFromInline
  func startNested(_ stream: EventStream<Element, Failure>) {
    let innerSlot = InnerSlot(for: self)
    keep(innerSlot)
    stream.run(innerSlot.observer)
  }

  /// Leaves the slot to the inner stream that is still running. The next stream gets a new slot.
  @usableFromInline
  func keepSlot() {
    guard let innerSlot = innerSlot.take(), !innerSlot.observer.observation.isDisposed
    else { return }
    keep(innerSlot)
    if sourceHasEnded { handOver() }
  }

  private func keep(_ innerSlot: borrowing InnerSlot<Element, Failure>) {
    innerSlot.inner.takeUnretainedValue().keep(self)
  }

  /// Handles the end of an inner stream. If it ends the result, the inner stream is disposed after
  /// the end is sent. Otherwise it is disposed before the next one is observed, because `concatMap`
  /// observes only one at a time.
  @inlinable
  @inline(__always)
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Element, Failure>) {
    if let key = inner.key { others.remove(key) }
    running -= 1
    switch termination {
    case .failed: end(termination)
    case .completed: completeIfDone()
    }
    work?.beginChange()
    inner.dispose()
    if !waiting.isEmpty { startWaiting() }
    work?.endChange(hasRoom: waiting.count <= Self.waitingLimit / 2)
    if sourceHasEnded && running == 1 { handOver() }
  }

  @usableFromInline
  func startWaiting() {
    guard !isLooping else { return }
    isLooping = true
    while running < limit, output.isOpen, let stream = waiting.popFirst() { start(stream) }
    isLooping = false
  }

  @inlinable
  func completeIfDone() {
    if sourceHasEnded && running == 0 && waiting.isEmpty { output.end(.completed) }
  }

  @usableFromInline
  func end(_ termination: Termination<Failure>) {
    waiting = Queue()
    output.end(termination)
    work?.resumeSources()
  }

  @usableFromInline
  func disposeRunning() {
    starting?._withUnsafeGuaranteedRef { $0.dispose() }
    others.disposeMembers()
  }

  @usableFromInline
  func tearDown() {
    starting?._withUnsafeGuaranteedRef { $0.dispose() }
    others.dispose()
    work?.resumeSources()
  }

  // MARK: - Handing over

  /// True if all that is left to do is to pass on the events of one inner stream.
  private var onlyPassesOn: Bool {
    sourceHasEnded && running == 1 && waiting.isEmpty && starting == nil && output.isIdle
  }

  /// Hands the last inner stream over, after this object has taken over the one behind it, which may
  /// have been started before the source had ended.
  @usableFromInline
  func handOver() {
    while let last = others.only as? Inner<Element, Failure>,
      let engine = last.onlyResource as? Flattening, engine.handsOver()
    {}
    _ = handsOver()
  }

  /// Hands the last inner stream over to the object that observes this one's result as an inner
  /// stream, if both have nothing else to do. Both have the same elements and the same end, so the
  /// observer sees no difference. Returns false if nothing was handed over.
  private func handsOver() -> Bool {
    guard feedsInner, onlyPassesOn,
      let place = output.observation as? Inner<Element, Failure>, let outer = place.kept,
      outer.onlyPassesOn, place.onlyResource === self,
      let last = others.only as? Inner<Element, Failure>
    else { return false }
    if let key = last.key { others.remove(key) }
    if let key = place.key { outer.others.remove(key) }
    last.keep(outer)
    place.vacate()
    return true
  }
}
