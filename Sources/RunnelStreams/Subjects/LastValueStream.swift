/// A stream that is sent to by hand, and sends only the last element, when it completes.
///
///     let answer = LastValueStream<Int, Never>()
///     answer.observeNext { print($0) }
///     answer.next(41)
///     answer.next(42)
///     answer.completed()                 // prints 42
///     answer.observeNext { print($0) }  // prints 42
///
/// *Events*: completion sends the last element, if there was one, and completes; a later observer
/// gets the same at once. A failure discards the element.
///
/// *Disposal*: released, it lets its observers go without an event.
public final class LastValueStream<Element, Failure: Error> {
  private enum State {
    /// Elements may come; the last one is kept.
    case open(Element?)
    /// It has completed with its last element.
    case completed(Element?)
    /// It has failed.
    case failed
  }

  private let subject: Subject<Element, Failure>
  private var state = State.open(nil)

  /// A stream without observers.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    subject = Subject(file: file, line: line)
  }

  /// How the stream ended, if it has.
  public var termination: Termination<Failure>? { subject.termination }

  /// Whether anybody observes it.
  public var isObserved: Bool { subject.isObserved }

  /// Keeps an element in place of the one before.
  public func next(_ element: Element) {
    guard case .open = state else { return }
    replaceState(with: .open(element))
  }

  /// Ends the stream: on completion the last element is sent before.
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

  /// What was kept before dies when the state is in order: its deinit may come back here.
  private func replaceState(with new: State) {
    let previous = state
    state = new
    withExtendedLifetime(previous) {}
  }
}

extension LastValueStream: StreamProtocol, StreamSink {
  /// The last element and completion, when it comes to that.
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.add($0) }
  }

  private func add(_ observer: Observer<Element, Failure>) {
    subject.add(observer) { observer in
      // Also while the completion is being delivered: who comes then was not told the element.
      if case .completed(.some(let last)) = state { observer.next(last) }
    }
  }
}
