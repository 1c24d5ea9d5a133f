extension StreamProtocol {
  /// Creates a stream from each element, and sends the elements of the latest of these inner
  /// streams.
  ///
  ///     thrice(x)                      x--x--x|
  ///     source                         --1----2---|
  ///     flatMapLatest { thrice($0) }   --1--1-2--2--2|
  ///
  ///     searchText.flatMapLatest { api.search($0).recover(with: []) }.observeNext { show($0) }
  ///
  /// *Events*: completes when the source and the latest inner stream have completed. The first
  /// failure of either ends it, and so does an error thrown by the closure.
  ///
  /// *Disposal*: for a new element, the closure is called first. Then the previous inner stream is
  /// disposed, and the new one is observed. Inner streams are released when they end or are
  /// replaced (C9).
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

/// The engine of `flatMapLatest` and `flatMapFirst`. It observes one inner stream at a time, and
/// sends its elements.
@usableFromInline
final class Switching<Element, Failure: Error>: FlatteningEngine, Teardown {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  /// The reusable slot in which inner streams are started.
  @usableFromInline @exclusivity(unchecked) var innerSlot: InnerSlot<Switching>?
  // Safety: set only while an inner stream is being started. During that time `innerSlot` retains
  // the object.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Switching>>?
  /// The observation of the inner stream, if it did not end while it was being started.
  @usableFromInline @exclusivity(unchecked) var current: Disposable?
  @usableFromInline @exclusivity(unchecked) var isRunning = false
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false

  @inlinable
  init(into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    observer.observation.add(self)
  }

  /// True while the result has not ended and no inner stream is running.
  @inlinable
  var isIdle: Bool { !isRunning && output.isOpen }

  /// Observes an inner stream, and disposes the previous one.
  @inlinable
  @inline(__always)
  func observe(_ stream: EventStream<Element, Failure>) {
    // The closure that created the stream may have disposed the observation.
    guard output.isOpen else { return }
    guard starting == nil else { return observeNested(stream) }
    if current != nil {
      tearDown()
      // Disposing the previous stream may have ended the result, or started another inner stream.
      guard output.isOpen && current == nil else { return }
    }
    if innerSlot == nil { innerSlot = InnerSlot(for: self) }
    starting = innerSlot?.inner
    isRunning = true
    let isReusable = innerSlot?.take(stream)
    starting = nil
    if isReusable == false { handOverSlot() }
  }

  /// Observes an inner stream while another one is being started, and disposes the other one.
  @usableFromInline
  func observeNested(_ stream: EventStream<Element, Failure>) {
    tearDown()
    guard output.isOpen else { return }
    let innerSlot = InnerSlot(for: self)
    current = innerSlot.keep(self)
    isRunning = true
    stream.run(innerSlot.observer)
  }

  /// Moves the slot to the inner stream that is still running. The next stream gets a new slot.
  @inlinable
  func handOverSlot() {
    if let innerSlot = innerSlot.take(), !innerSlot.observer.observation.isDisposed {
      current = innerSlot.keep(self)
    }
  }

  /// Handles the end of the source.
  @inlinable
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: output.end(termination)
    case .completed:
      sourceHasEnded = true
      if !isRunning { output.end(.completed) }
    }
  }

  /// Handles the end of the current inner stream. A replaced stream is disposed, so it sends no
  /// end.
  @inlinable
  @inline(__always)
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Switching>) {
    isRunning = false
    // Most inner streams end while they are being started, before `current` is set.
    if current != nil { current = nil }
    switch termination {
    case .failed: output.end(termination)
    case .completed:
      if sourceHasEnded { output.end(.completed) }
    }
    inner.dispose()
  }

  /// Disposes the running inner stream, if there is one.
  @inlinable
  func tearDown() {
    let previous = current
    current = nil
    isRunning = false
    previous?.dispose()
    starting?._withUnsafeGuaranteedRef { $0.dispose() }
  }
}
