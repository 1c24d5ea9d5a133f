/// Where an operator sends when its events come from more than one place.
///
/// An output keeps the grammar and the turns for the observer behind it: nothing passes after the
/// end (C1), and an event sent while the observer handles one waits, first in first out (C2). There
/// is no lock in it: all that sends to one output lives in one domain.
public final class SerializedObserver<Element, Failure: Error> {
  @usableFromInline
  enum Phase: UInt8 {
    /// Nobody is sending.
    case idle
    /// The observer is handling an event; what is sent now waits.
    case delivering
    /// The observer is handling an event, and others wait behind it.
    case backlogged
  }

  @usableFromInline let downstream: Observer<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var phase = Phase.idle
  @usableFromInline @exclusivity(unchecked) var hasEnded = false
  @usableFromInline var backlog: [StreamEvent<Element, Failure>] = []

  /// Makes an output to an observer.
  @inlinable
  public init(_ downstream: Observer<Element, Failure>) {
    self.downstream = downstream
  }

  /// Whether an element sent now would still reach the observer.
  @inlinable
  public var isOpen: Bool { !hasEnded && downstream.isActive }

  /// The observation that the observer belongs to.
  @inlinable
  public var observation: Disposable { downstream.observation }

  /// Sends an element, at once or behind those that wait.
  @inlinable
  public func next(_ element: Element) {
    guard !hasEnded else { return }
    guard phase == .idle else { return enqueue(.next(element)) }
    phase = .delivering
    downstream.next(element)
    if phase == .backlogged { drain() }
    phase = .idle
  }

  /// Ends the stream, at once or behind the elements that wait. What is sent later is dropped.
  @inlinable
  public func end(_ termination: Termination<Failure>) {
    guard !hasEnded else { return }
    hasEnded = true
    guard phase == .idle else { return enqueue(StreamEvent(termination)) }
    phase = .delivering
    downstream.end(termination)
    phase = .idle
  }

  @inlinable
  func enqueue(_ event: StreamEvent<Element, Failure>) {
    guard downstream.isActive else { return }
    backlog.append(event)
    phase = .backlogged
  }

  @inlinable
  func drain() {
    while !backlog.isEmpty && downstream.isActive {
      let batch = backlog
      backlog = []
      for event in batch { downstream.send(event) }
    }
    backlog = []
  }
}

extension SerializedObserver: StreamSink {}
