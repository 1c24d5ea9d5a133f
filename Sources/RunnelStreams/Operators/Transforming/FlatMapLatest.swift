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
          guard switching.output.isOpen else { return }
          do throws(Failure) {
            switching.observe(try transform(element))
          } catch {
            switching.output.end(.failed(error))
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
  @usableFromInline let output: SerializedObserver<Element, Failure>
  /// Where inner streams are started.
  @usableFromInline @exclusivity(unchecked) var innerSlot: InnerSlot<Switching>?
  // Safety: cleared when the inner stream was started; until then it has the innerSlot.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Switching>>?
  /// The observation of the inner stream, once it went on after it was started.
  @usableFromInline @exclusivity(unchecked) var current: Disposable?
  @usableFromInline @exclusivity(unchecked) var isRunning = false
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false

  @inlinable
  init(into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    observer.observation.add(self)
  }

  /// Whether an inner stream may be observed, and none is.
  @inlinable
  var isIdle: Bool { !isRunning && output.isOpen }

  /// Observes an inner stream in the place of the one before.
  @inlinable
  @inline(__always)
  func observe(_ stream: EventStream<Element, Failure>) {
    // The closure that made the stream may have disposed the observation.
    guard output.isOpen else { return }
    guard starting == nil else { return observeAnother(stream) }
    if current != nil {
      tearDown()
      // What the old stream did when it was disposed may have ended it all, or brought a new one.
      guard output.isOpen && current == nil else { return }
    }
    if innerSlot == nil { innerSlot = InnerSlot(for: self) }
    starting = innerSlot?.inner
    isRunning = true
    let isVacant = innerSlot?.take(stream)
    starting = nil
    if isVacant == false { giveSeatAway() }
  }

  /// Observes an inner stream while another one is being started, which ends that.
  @usableFromInline
  func observeAnother(_ stream: EventStream<Element, Failure>) {
    tearDown()
    guard output.isOpen else { return }
    let innerSlot = InnerSlot(for: self)
    current = innerSlot.keep(self)
    isRunning = true
    stream.run(innerSlot.observer)
  }

  /// The inner stream goes on with its innerSlot: the next one needs another.
  @usableFromInline
  func giveSeatAway() {
    if let innerSlot = innerSlot.take(), !innerSlot.observer.observation.isDisposed {
      current = innerSlot.keep(self)
    }
  }

  /// The source of inner streams has ended.
  @inlinable
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: output.end(termination)
    case .completed:
      sourceHasEnded = true
      if !isRunning { output.end(.completed) }
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
    case .failed: output.end(termination)
    case .completed:
      if sourceHasEnded { output.end(.completed) }
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
