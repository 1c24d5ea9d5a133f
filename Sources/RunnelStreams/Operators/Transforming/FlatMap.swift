extension StreamProtocol {
  /// Makes a stream of each element and sends what all of them send, as it comes.
  ///
  ///     twice(x)                -x-x|
  ///     source                  --12-----|
  ///     flatMap { twice($0) }   ---1212--|
  ///
  ///     files.flatMap { upload($0) }.observeNext { show($0) }
  ///
  /// *Events*: it completes when the source and all inner streams have; the first failure ends it.
  ///
  /// *Disposal*: disposes the source and all inner streams. An inner stream that has ended leaves
  /// nothing behind (C9).
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: .max, transform)
  }

  /// Makes a stream of each element and observes a limited number at a time; the others wait.
  ///
  ///     twice(x)                                  -x---x|
  ///     source                                    --123----------|
  ///     flatMap(maxConcurrent: 2) { twice($0) }   ---12--123---3-|
  ///
  ///     files.flatMap(maxConcurrent: 4) { upload($0) }.observeNext { show($0) }
  ///
  /// A limit below one is a mistake of the caller, and traps.
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

  /// Makes a stream of each element and observes them one after the other, in order.
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

/// Observes a changing set of inner streams, so many at a time, and sends what they send.
@usableFromInline
final class Merging<Element, Failure: Error>: FlatteningEngine, Teardown {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let limit: Int
  /// Where inner streams are started, one at a time.
  @usableFromInline @exclusivity(unchecked) var innerSlot: InnerSlot<Merging>?
  // Safety: cleared when the inner stream was started; until then it has the innerSlot.
  @usableFromInline @exclusivity(unchecked) var starting: Unmanaged<Inner<Merging>>?
  /// The inner streams that went on after they were started.
  @usableFromInline let others = CompositeDisposable()
  @usableFromInline @exclusivity(unchecked) var waiting = Queue<EventStream<Element, Failure>>()
  @usableFromInline @exclusivity(unchecked) var running = 0
  @usableFromInline @exclusivity(unchecked) var sourceHasEnded = false
  /// Inner streams are started by a loop, not from within each other's end: a thousand that end at
  /// once must not take a thousand stack frames.
  @usableFromInline @exclusivity(unchecked) var isLooping = false

  @inlinable
  init(limit: Int, into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    self.limit = limit
    observer.observation.add(self)
  }

  /// Observes an inner stream, now or when there is room.
  @inlinable
  @inline(__always)
  func add(_ stream: EventStream<Element, Failure>) {
    // The closure that made the stream may have ended it all.
    guard output.isOpen else { return }
    if running < limit && waiting.isEmpty {
      start(stream)
    } else {
      waiting.append(stream)
    }
  }

  /// The source of inner streams has ended.
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
    guard starting == nil else { return startAnother(stream) }
    if innerSlot == nil { innerSlot = InnerSlot(for: self) }
    starting = innerSlot?.inner
    let isVacant = innerSlot?.take(stream)
    starting = nil
    if isVacant == false { giveSeatAway() }
  }

  /// Starts an inner stream while another one is being started.
  @usableFromInline
  func startAnother(_ stream: EventStream<Element, Failure>) {
    let innerSlot = InnerSlot(for: self)
    keep(innerSlot)
    stream.run(innerSlot.observer)
  }

  /// The inner stream goes on with its innerSlot: the next one needs another.
  @usableFromInline
  func giveSeatAway() {
    if let innerSlot = innerSlot.take(), !innerSlot.observer.observation.isDisposed {
      keep(innerSlot)
    }
  }

  private func keep(_ innerSlot: borrowing InnerSlot<Merging>) {
    let inner = innerSlot.keep(self)
    inner.key = others.add(inner)
  }

  /// An inner stream has ended. It is torn down after the end was sent, if it ends it all, but
  /// before the next one is observed: `concatMap` has one at a time.
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
