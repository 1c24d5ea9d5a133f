extension StreamProtocol {
  /// Creates a stream from each element, and sends the elements of all these inner streams in the
  /// order in which they arrive.
  ///
  ///     twice(x)                -x-x|
  ///     source                  --12-----|
  ///     flatMap { twice($0) }   ---1212--|
  ///
  ///     files.flatMap { upload($0) }.observeNext { show($0) }
  ///
  /// *Events*: completes when the source and all inner streams have completed. The first failure
  /// ends it.
  ///
  /// *Disposal*: disposes the source and all inner streams. An inner stream is released when it has
  /// ended (C9).
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: .max, transform)
  }

  /// Creates a stream from each element, and observes a limited number of these inner streams at a
  /// time. The others wait.
  ///
  ///     twice(x)                                  -x---x|
  ///     source                                    --123----------|
  ///     flatMap(maxConcurrent: 2) { twice($0) }   ---12--123---3-|
  ///
  ///     files.flatMap(maxConcurrent: 4) { upload($0) }.observeNext { show($0) }
  ///
  /// A limit below 1 traps.
  @inlinable
  public func flatMap<Output>(
    maxConcurrent limit: Int,
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    require(limit > 0, "flatMap(maxConcurrent:) needs a limit of at least 1.")
    let source = link
    return .unguarded(after: source) { observer in
      let merging = Merging(limit: limit, into: observer)
      source.start(
        under: observer.observation,
        next: { element in
          guard merging.output.isOpen else { return }
          do throws(Failure) {
            merging.add(try transform(element))
          } catch {
            merging.sourceEnded(.failed(error))
          }
        },
        end: { merging.sourceEnded($0) })
    }
  }

  /// Creates a stream from each element, and observes these inner streams one after the other.
  ///
  ///     twice(x)                  -x-x|
  ///     source                    --12-------|
  ///     concatMap { twice($0) }   ---1-1-2-2-|
  ///
  ///     files.concatMap { upload($0) }.observeNext { show($0) }
  @inlinable
  public func concatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: 1, transform)
  }
}

/// Observes inner streams, up to a limit at a time, and sends their elements.
@usableFromInline
final class Merging<Element, Failure: Error>: FlatteningEngine, Teardown {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let limit: Int
  /// The reusable slot in which inner streams are started, one at a time.
  @usableFromInline @exclusivity(unchecked) var innerSlot: InnerSlot<Merging>?
  // Safety: set only while an inner stream is being started. During that time `innerSlot` retains
  // the object.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Merging>>?
  /// The inner streams that did not end while they were being started.
  @usableFromInline let others = CompositeDisposable()
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<EventStream<Element, Failure>>()
  @usableFromInline @exclusivity(unchecked) var running = 0
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false
  /// True while `startWaiting()` runs. It uses a loop instead of recursion, so that a thousand
  /// inner streams that end immediately do not use a thousand stack frames.
  @usableFromInline @exclusivity(unchecked) var isLooping = false

  @inlinable
  init(limit: Int, into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    self.limit = limit
    observer.observation.add(self)
  }

  /// Observes an inner stream, at once or when the limit allows it.
  @inlinable
  @inline(__always)
  func add(_ stream: EventStream<Element, Failure>) {
    // The closure that created the stream may have ended the result.
    guard output.isOpen else { return }
    if running < limit && waiting.isEmpty {
      start(stream)
    } else {
      waiting.append(stream)
    }
  }

  /// Handles the end of the source.
  @usableFromInline
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed: end(termination)
    case .completed:
      sourceHasEnded = true
      completeIfDone()
    }
  }

  @inlinable
  @inline(__always)
  func start(_ stream: EventStream<Element, Failure>) {
    running += 1
    guard starting == nil else { return startNested(stream) }
    if innerSlot == nil { innerSlot = InnerSlot(for: self) }
    starting = innerSlot?.inner
    let isReusable = innerSlot?.take(stream)
    starting = nil
    if isReusable == false { handOverSlot() }
  }

  /// Starts an inner stream while another one is being started.
  @usableFromInline
  func startNested(_ stream: EventStream<Element, Failure>) {
    let innerSlot = InnerSlot(for: self)
    keep(innerSlot)
    stream.run(innerSlot.observer)
  }

  /// Moves the slot to the inner stream that is still running. The next stream gets a new slot.
  @usableFromInline
  func handOverSlot() {
    if let innerSlot = innerSlot.take(), !innerSlot.observer.observation.isDisposed {
      keep(innerSlot)
    }
  }

  private func keep(_ innerSlot: borrowing InnerSlot<Merging>) {
    let inner = innerSlot.keep(self)
    inner.key = others.add(inner)
  }

  /// Handles the end of an inner stream. If it ends the result, the inner stream is disposed after
  /// the end is sent. Otherwise it is disposed before the next one is observed, because `concatMap`
  /// observes only one at a time.
  @inlinable
  @inline(__always)
  func innerEnded(_ termination: Termination<Failure>, _ inner: Inner<Merging>) {
    if let key = inner.key { others.remove(key) }
    running -= 1
    switch termination {
    case .failed: end(termination)
    case .completed: completeIfDone()
    }
    inner.dispose()
    if !waiting.isEmpty { startWaiting() }
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
  }

  @usableFromInline
  func tearDown() {
    starting?._withUnsafeGuaranteedRef { $0.dispose() }
    others.dispose()
  }
}
