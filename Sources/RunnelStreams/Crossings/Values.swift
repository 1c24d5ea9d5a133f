extension StreamProtocol where Element: Sendable {
  /// The elements as an async sequence that buffers all elements that were not read yet.
  ///
  ///     for await name in names.values { print(name) }
  ///
  /// See ``values(buffering:)``.
  public var values: StreamValues<Element, Failure> { values(buffering: .unbounded) }

  /// Returns the elements as an async sequence with a limit for buffered elements.
  ///
  ///     for await position in mouse.moves.values(buffering: .newest(1)) { show(position) }
  ///
  /// *Events*: the stream is observed when an iteration begins, once for each iteration (C6). After
  /// the buffered elements, the sequence ends if the stream has completed, and throws if it has
  /// failed.
  ///
  /// *Disposal*: the observation ends with the stream, or when the iterator is released (as it is
  /// when a loop exits), or when the task is cancelled. After cancellation the sequence ends
  /// without its buffered elements.
  ///
  /// The iteration never begins if an endless source sends all its elements before `observe`
  /// returns. Limit such a source with `take`.
  ///
  /// A buffer size below 1 traps.
  public func values(buffering: StreamBuffering) -> StreamValues<Element, Failure> {
    switch buffering {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      require(count > 0, "values(buffering:) needs a buffer size of at least 1.")
    }
    return StreamValues(stream: stream, buffering: buffering)
  }
}

/// The elements to drop when the reader is slower than the stream.
@frozen
public enum StreamBuffering: Sendable, Hashable {
  /// Keeps all elements.
  case unbounded
  /// Keeps the newest elements, up to a number. Older elements are dropped.
  case newest(Int)
  /// Keeps the oldest elements, up to a number. Elements that arrive while the buffer is full are
  /// dropped.
  case oldest(Int)
}

/// The elements of a stream as an async sequence. See ``StreamProtocol/values(buffering:)``.
public struct StreamValues<Element: Sendable, Failure: Error>: AsyncSequence {
  let stream: EventStream<Element, Failure>
  let buffering: StreamBuffering

  /// Creates an iterator. The stream is observed at once.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: StreamReader(stream, buffering))
  }

  /// An iteration. It belongs to the isolation domain of the stream.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: StreamReader<Element, Failure>

    init(reading reader: StreamReader<Element, Failure>) {
      self.reader = reader
    }

    /// Returns the next element; nil if the stream has completed or the task was cancelled. Throws
    /// the failure of the stream.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await reader.next(isolation: actor)
    }
  }
}

/// A buffer of the elements of an observation, for a task of the same isolation domain.
final class StreamReader<Element, Failure: Error> {
  private let unread: Unread
  private let observation: Disposable
  /// The context of the thread that created it. An iterator may belong to an object of the main
  /// actor, and be released on any thread.
  private let home = Current.contextIfAny

  init(_ stream: EventStream<Element, Failure>, _ buffering: StreamBuffering) {
    let unread = Unread(buffering)
    self.unread = unread
    observation = stream.observe { unread.add($0) }
  }

  deinit {
    guard let home else { return observation.dispose() }
    home.close(observation) { $0.dispose() }
  }

  func next(isolation: isolated (any Actor)?) async throws(Failure) -> Element? {
    while !Task.isCancelled {
      if let element = unread.elements.popFirst() { return element }
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

  /// The buffer of unread events. It has no reference to the observation, which references it.
  private final class Unread {
    let wakeup = Wakeup()
    let buffering: StreamBuffering
    var elements = Queue<Element>()
    var termination: Termination<Failure>?

    init(_ buffering: StreamBuffering) {
      self.buffering = buffering
    }

    func add(_ event: StreamEvent<Element, Failure>) {
      switch event {
      case .next(let element): keep(element)
      case .failed(let error): termination = .failed(error)
      case .completed: termination = .completed
      }
      wakeup.raise()
    }

    func close() {
      elements = Queue()
      termination = .completed
    }

    private func keep(_ element: Element) {
      switch buffering {
      case .unbounded: break
      case .newest(let count): if elements.count == count { _ = elements.popFirst() }
      case .oldest(let count): if elements.count == count { return }
      }
      elements.append(element)
    }
  }
}
