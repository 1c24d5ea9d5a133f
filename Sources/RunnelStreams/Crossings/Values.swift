extension StreamProtocol where Element: Sendable {
  /// The elements as an async sequence. Elements that were not read yet wait.
  ///
  ///     for await name in names.values { print(name) }
  ///
  /// See ``values(buffering:backlog:file:line:)``.
  @inlinable public var values: StreamValues<Element, Failure> {
    StreamValues(stream: stream, crossing: Crossing(at: nil))
  }

  /// Returns the elements as an async sequence with a limit for elements that were not read yet.
  ///
  ///     for await position in mouse.moves.values(buffering: .newest(1)) { show(position) }
  ///
  /// *Events*: the stream is observed when an iteration begins, once for each iteration (C6). After
  /// the buffered elements, the sequence ends if the stream has completed, and throws if it has
  /// failed.
  ///
  /// *Waiting*: a source that can wait, such as a connection or a pipe, pauses while the reader is
  /// behind, within the limits of `backlog`. For other sources, `buffering` says which elements are kept.
  ///
  /// *Disposal*: the observation ends with the stream, or when the iterator is released (as it is
  /// when a loop exits), or when the task is cancelled. After cancellation the sequence ends
  /// without its buffered elements.
  ///
  /// The iteration never begins if an endless source sends all its elements before `observe`
  /// returns. Limit such a source with `take`.
  ///
  /// A buffer size below 1 traps.
  @inlinable
  public func values(
    buffering: StreamBuffering = .unbounded, backlog: Backlog? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> StreamValues<Element, Failure> {
    let location = SourceLocation(file: file, line: line)
    return StreamValues(stream: stream, crossing: Crossing(backlog, buffering, at: location))
  }
}

/// The elements of a stream as an async sequence. See ``StreamProtocol/values(buffering:backlog:file:line:)``.
public struct StreamValues<Element: Sendable, Failure: Error>: AsyncSequence {
  @usableFromInline let stream: EventStream<Element, Failure>
  @usableFromInline let crossing: Crossing

  @inlinable
  init(stream: EventStream<Element, Failure>, crossing: Crossing) {
    self.stream = stream
    self.crossing = crossing
  }

  /// Creates an iterator. The stream is observed at once.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: StreamReader(stream, crossing))
  }

  /// An iteration. It belongs to the isolation domain of the stream.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let reader: StreamReader<Element, Failure>

    @inlinable
    init(reading reader: StreamReader<Element, Failure>) {
      self.reader = reader
    }

    /// Returns the next element; nil if the stream has completed or the task was cancelled. Throws
    /// the failure of the stream.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await reader.next(isolation: actor)
    }
  }
}

/// The unread elements of an observation, for a task of the same isolation domain.
@usableFromInline
final class StreamReader<Element, Failure: Error> {
  @usableFromInline let unread: Unread<Element, Failure>
  @usableFromInline let observation: Disposable
  /// The context of the thread that created it. An iterator may belong to an object of the main
  /// actor, and be released on any thread.
  @usableFromInline let home = Current.contextIfAny

  @inlinable
  init(_ stream: EventStream<Element, Failure>, _ crossing: Crossing) {
    let unread = Unread<Element, Failure>(crossing)
    self.unread = unread
    observation = stream.observe { unread.add($0) }
    observation.add(unread)
  }

  deinit {
    guard let home else { return observation.dispose() }
    home.close(observation) { $0.dispose() }
  }

  @inlinable
  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
    while !Task.isCancelled {
      if let element = unread.popFirst() { return element }
      switch unread.termination {
      case .completed: return nil
      case .failed(let error): throw error
      case nil: await unread.wakeup.wait(isolation: isolation)
      }
    }
    observation.dispose()
    unread.close()
    return nil
  }
}

/// The unread events. It has no reference to the observation, which references it.
@usableFromInline
final class Unread<Element, Failure: Error>: Teardown {
  @usableFromInline let wakeup = Wakeup()
  @usableFromInline let crossing: Crossing
  @usableFromInline @exclusivity(unchecked) var elements = Queue<Element>()
  /// The element that arrives. It is kept here, so that no element needs a queue of its own.
  @usableFromInline @exclusivity(unchecked) var arriving = Queue<Element>()
  @usableFromInline let weigh = weighing(Element.self)
  @usableFromInline @exclusivity(unchecked) var weight = 0
  @usableFromInline @exclusivity(unchecked) var termination: Termination<Failure>?
  @usableFromInline let held = HeldSources()
  @usableFromInline var growthIsReported = false

  @inlinable
  init(_ crossing: Crossing) {
    self.crossing = crossing
  }

  deinit {
    crossing.backlog.remove(elements.count)
  }

  @inlinable
  func add(_ event: StreamEvent<Element, Failure>) {
    switch event {
    case .next(let element): keep(element)
    case .failed(let error): termination = .failed(error)
    case .completed: termination = .completed
    }
    wakeup.raise()
  }

  @inlinable
  func popFirst() -> Element? {
    guard let element = elements.popFirst() else { return nil }
    crossing.backlog.remove(1)
    if let weigh, crossing.buffering == .unbounded { weight -= weigh(element) }
    // Not at once, so that a source sends many elements each time.
    if !crossing.backlog.isReached(by: elements.count * 2, weight * 2) { held.resumeAll() }
    return element
  }

  @inlinable
  func close() {
    crossing.backlog.remove(elements.count)
    elements = Queue()
    termination = .completed
  }

  @usableFromInline
  func tearDown() {
    held.resumeAll()
  }

  @inlinable
  func keep(_ element: Element) {
    arriving.append(element)
    let dropped = crossing.buffering.move(&arriving, to: &elements)
    crossing.add(1, dropped: dropped.count)
    guard crossing.buffering == .unbounded else { return }
    if let weigh { weight += weigh(element) }
    if crossing.backlog.isReached(by: elements.count, weight), let source = Delivery.source {
      held.hold(source)
    } else if elements.count >= Crossing.growthLimit, !exchange(&growthIsReported, with: true) {
      crossing.reportGrowth()
    }
  }
}
