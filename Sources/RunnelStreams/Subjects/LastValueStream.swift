/// A subject that sends only its last element, when it completes.
///
///     let answer = LastValueStream<Int, Never>()
///     answer.observeNext { print($0) }
///     answer.next(41)
///     answer.next(42)
///     answer.completed()                 // prints 42
///     answer.observeNext { print($0) }  // prints 42
///
/// *Events*: completion sends the last element, if there is one, and then completes. A later
/// observer receives both at once. A failure discards the element.
///
/// *Disposal*: when the stream is released, its observers are released without an event.
public final class LastValueStream<Element, Failure: Error> {
  @usableFromInline
  enum State {
    /// The stream accepts elements, and keeps the last one.
    case open(Element?)
    /// The stream has completed with its last element.
    case completed(Element?)
    /// The stream has failed.
    case failed
  }

  @usableFromInline let subject: Subject<Element, Failure>
  @usableFromInline var state = State.open(nil)

  /// Creates a stream without observers.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    subject = Subject(file: file, line: line)
  }

  /// The end of the stream, if it has ended.
  @inlinable
  public var termination: Termination<Failure>? { subject.termination }

  /// True while the stream has observers.
  @inlinable
  public var isObserved: Bool { subject.isObserved }

  /// Stores an element in place of the previous one.
  @inlinable
  public func next(_ element: Element) {
    guard case .open = state else { return }
    replaceState(with: .open(element))
  }

  /// Ends the stream. Completion sends the last element first.
  @inlinable
  public func end(_ termination: Termination<Failure>) {
    guard case .open(let last) = state else { return }
    switch termination {
    case .completed:
      replaceState(with: .completed(last))
      if let last { subject.next(last) }
    case .failed:
      replaceState(with: .failed)
    }
    subject.end(termination)
  }

  /// The old state is released afterwards, because a `deinit` may call back into this stream.
  @inlinable
  func replaceState(with new: State) {
    release(exchange(&state, with: new))
  }
}

extension LastValueStream: StreamProtocol, StreamSink {
  /// The last element and completion, when the stream completes.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.add($0) }
  }

  @inlinable
  func add(_ observer: Observer<Element, Failure>) {
    subject.add(observer) { observer in
      // An observer that is added while completion is being delivered receives the element here.
      if case .completed(.some(let last)) = state { observer.next(last) }
    }
  }
}
