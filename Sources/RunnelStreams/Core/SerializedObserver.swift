/// The observer of an operator whose events come from more than one place.
///
/// It drops everything after the end (C1). It queues an event that is sent while the observer
/// behind it handles one, first in, first out (C2). It needs no lock, because all its callers live
/// in one isolation domain.
public final class SerializedObserver<Element, Failure: Error> {
  @usableFromInline
  enum Phase: UInt8 {
    /// No event is being delivered.
    case idle
    /// The observer is handling an event. Events that are sent now are queued.
    case delivering
    /// The observer is handling an event, and other events are queued.
    case backlogged
  }

  @usableFromInline let downstream: Observer<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var phase = Phase.idle
  @usableFromInline @exclusivity(unchecked) var hasEnded = false
  @usableFromInline var backlog: [StreamEvent<Element, Failure>] = []

  /// Creates a serialised observer that sends to `downstream`.
  @inlinable
  public init(_ downstream: Observer<Element, Failure>) {
    self.downstream = downstream
  }

  /// True while an element that is sent now would reach the observer.
  @inlinable
  public var isOpen: Bool { !hasEnded && downstream.isActive }

  var isIdle: Bool { phase == .idle }

  /// The observation that the observer belongs to.
  @inlinable
  public var observation: Disposable { downstream.observation }

  /// Sends an element at once, or queues it.
  @inlinable
  public func next(_ element: Element) {
    guard !hasEnded else { return }
    guard phase == .idle else { return enqueue(.next(element)) }
    phase = .delivering
    downstream.next(element)
    if phase == .backlogged { drain() }
    phase = .idle
  }

  /// Ends the stream at once, or after the queued elements. Later events are dropped.
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
