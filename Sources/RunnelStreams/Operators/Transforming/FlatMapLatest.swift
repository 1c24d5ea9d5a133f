extension StreamProtocol {
  /// Makes a stream of each element and sends what the latest of them sends.
  ///
  ///     thrice(x)                      x--x--x|
  ///     source                         --1----2---|
  ///     flatMapLatest { thrice($0) }   --1--1-2--2--2|
  ///
  ///     searchText.flatMapLatest { api.search($0).recover(with: []) }.observeNext { show($0) }
  ///
  /// *Events*: it completes when the source and the latest inner stream have; the first failure of
  /// either ends it, and so does an error thrown by the closure.
  ///
  /// *Disposal*: a new element calls the closure first, then the inner stream before is disposed,
  /// and then the new one is observed. An inner stream leaves nothing behind (C9).
  @inlinable
  public func flatMapLatest<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let switching = Switching(into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard switching.outlet.isOpen else { return }
          do throws(Failure) {
            switching.observe(try transform(element))
          } catch {
            switching.outlet.end(.failed(error))
          }
        },
        end: { switching.sourceEnded($0) })
    }
  }
}

/// Observes one inner stream at a time and sends what it sends: the engine of `flatMapLatest` and
/// `flatMapFirst`.
@usableFromInline
final class Switching<Element, Failure: Error>: FlatteningEngine, Teardown {
  @usableFromInline let outlet: Outlet<Element, Failure>
  /// Where inner streams are started.
  @usableFromInline @exclusivity(unchecked) var seat: Seat<Switching>?
  // Safety: cleared when the inner stream was started; until then it has the seat.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Switching>>?
  /// The observation of the inner stream, once it went on after it was started.
  @usableFromInline @exclusivity(unchecked) var current: Disposable?
  @usableFromInline @exclusivity(unchecked) var isRunning = false
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false

  @inlinable
  init(into observer: Observer<Element, Failure>) {
    outlet = Outlet(observer)
    observer.observation.add(self)
  }

  /// Whether an inner stream may be observed, and none is.
  @inlinable
  var isIdle: Bool { !isRunning && outlet.isOpen }

  /// Observes an inner stream in the place of the one before.
  @inlinable
  @inline(__always)
  func observe(_ stream: EventStream<Element, Failure>) {
    // The closure that made the stream may have disposed the observation.
    guard outlet.isOpen else { return }
    guard starting == nil else { return observeAnother(stream) }
    if current != nil {
      tearDown()
      // What the old stream did when it was disposed may have ended it all, or brought a new one.
      guard outlet.isOpen && current == nil else { return }
    }
    if seat == nil { seat = Seat(for: self) }
    starting = seat?.inner
    isRunning = true
    let isVacant = seat?.take(stream)
    starting = nil
    if isVacant == false { giveSeatAway() }
  }

  /// Observes an inner stream while another one is being started, which ends that.
  @usableFromInline
  func observeAnother(_ stream: EventStream<Element, Failure>) {
    tearDown()
    guard outlet.isOpen else { return }
    let seat = Seat(for: self)
    current = seat.keep(self)
    isRunning = true
    stream.run(seat.observer)
  }

  /// The inner stream goes on with its seat: the next one needs another.
  @usableFromInline
  func giveSeatAway() {
    if let seat = seat.take(), !seat.observer.observation.isDisposed { current = seat.keep(self) }
  }

  /// The source of inner streams has ended.
  @inlinable
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      sourceHasEnded = true
      if !isRunning { outlet.end(.completed) }
    }
  }

  /// The current inner stream has ended: one that was replaced is disposed, and has no end.
  @inlinable
  @inline(__always)
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Switching>) {
    isRunning = false
    // Most have ended before they would have become it: then there is nothing to release.
    if current != nil { current = nil }
    switch termination {
    case .failed: outlet.end(termination)
    case .completed:
      if sourceHasEnded { outlet.end(.completed) }
    }
    inner.dispose()
  }

  /// Disposes the inner stream that runs, if one does.
  @usableFromInline
  func tearDown() {
    let previous = current
    current = nil
    isRunning = false
    previous?.dispose()
    starting?._withUnsafeGuaranteedRef { $0.dispose() }
  }
}
