extension StreamProtocol where Element: Sendable {
  /// The elements as an async sequence, which keeps all that its reader has not come to yet.
  ///
  ///     for await name in names.values { print(name) }
  ///
  /// See ``values(buffering:)``.
  public var values: StreamValues<Element, Failure> { values(buffering: .unbounded) }

  /// The elements as an async sequence, with a rule for those that its reader has not come to yet.
  ///
  ///     for await position in mouse.moves.values(buffering: .newest(1)) { show(position) }
  ///
  /// *Events*: the stream is observed when the iteration begins, once for each (C6). The sequence
  /// ends when the stream completes, and throws when it fails; before that it yields what it kept.
  ///
  /// *Disposal*: the observation ends with the stream, when the iterator is released, as it is when
  /// a loop is left, and when the task is cancelled: then the sequence ends without what it kept.
  ///
  /// A source that sends without end while it is observed, as an endless sequence does, never lets
  /// the iteration begin: take from it what is wanted.
  ///
  /// A buffer smaller than one is a mistake of the caller, and traps.
  public func values(buffering: StreamBuffering) -> StreamValues<Element, Failure> {
    switch buffering {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      require(count > 0, "values(buffering:) needs room for at least 1 element.")
    }
    return StreamValues(stream: stream, buffering: buffering)
  }
}

/// Which elements are kept for a reader who is slower than the stream.
@frozen
public enum StreamBuffering: Sendable, Hashable {
  /// All of them.
  case unbounded
  /// The last ones, up to a number: older ones are dropped.
  case newest(Int)
  /// The first ones, up to a number: those that come while the buffer is full are dropped.
  case oldest(Int)
}

/// The elements of a stream as an async sequence: see ``StreamProtocol/values(buffering:)``.
public struct StreamValues<Element: Sendable, Failure: Error>: AsyncSequence {
  let stream: EventStream<Element, Failure>
  let buffering: StreamBuffering

  /// Observes the stream.
  public func makeAsyncIterator() -> Iterator {
    Iterator(reading: StreamReader(stream, buffering))
  }

  /// One iteration. It lives in the domain of the stream.
  public struct Iterator: AsyncIteratorProtocol {
    private let reader: StreamReader<Element, Failure>

    init(reading reader: StreamReader<Element, Failure>) {
      self.reader = reader
    }

    /// The next element; nil when the stream has completed or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await reader.next(isolation: actor)
    }
  }
}

/// An observation that is read by a task of the same domain.
final class StreamReader<Element, Failure: Error> {
  private let unread: Unread
  private let observation: Disposable
  /// The context of the thread that it was made on. An object of the main actor may have an
  /// iterator, and be released on any thread.
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

  /// What has come and was not read. It does not know the observation, which knows it.
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
