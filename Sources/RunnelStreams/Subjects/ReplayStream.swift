/// A stream that is sent to by hand, and tells a late observer what it missed.
///
///     let log = ReplayStream<String, Never>(capacity: 2)
///     log.next("a")
///     log.next("b")
///     log.next("c")
///     log.observeNext { print($0) }  // b, c
///     log.next("d")                  // d
///
/// It keeps the last `capacity` elements; `.max` keeps all, and with none it is like a ``Subject``.
///
/// *Events*: a late observer gets the elements that are kept, oldest first, then the live ones, none
/// twice and none left out, also if it comes or sends while another is being told. After the end it
/// gets the elements that are kept, then the end.
///
/// *Disposal*: released, it lets its observers go without an event.
///
/// *Complexity*: sending costs what it costs a subject, and constant time for the elements kept.
public final class ReplayStream<Element, Failure: Error> {
  @usableFromInline let subject: Subject<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var kept: ReplayBuffer<Element>

  /// A stream that keeps the last elements up to a number, all with `.max`. A negative one traps.
  public init(capacity: Int, file: StaticString = #fileID, line: UInt = #line) {
    kept = ReplayBuffer(capacity: capacity)
    subject = Subject(file: file, line: line)
  }

  /// How the stream ended, if it has.
  public var termination: Termination<Failure>? { subject.termination }

  /// Whether anybody observes it.
  public var isObserved: Bool { subject.isObserved }

  /// Sends an element, and keeps it for those who observe later.
  @inlinable
  public func next(_ element: Element) {
    guard subject.ending == nil else { return }
    // What makes room dies after the observers were told: its deinit may come back here.
    let dropped = kept.append(element)
    subject.next(element)
    withExtendedLifetime(dropped) {}
  }

  /// Ends the stream for all observers, and for those who come later after what is kept.
  @inlinable
  public func end(_ termination: Termination<Failure>) { subject.end(termination) }
}

extension ReplayStream: StreamProtocol, StreamSink {
  /// What is kept, then what is sent from now on.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.add($0) }
  }

  @usableFromInline
  func add(_ observer: Observer<Element, Failure>) {
    let missed = kept
    subject.add(observer) { observer in missed.send(to: observer) }
  }
}

/// The last so many elements, in a ring.
@usableFromInline
struct ReplayBuffer<Element> {
  @usableFromInline let capacity: Int
  @usableFromInline var storage: [Element] = []
  /// The place of the oldest element, which the next one takes when the ring is full.
  @usableFromInline var oldest = 0

  @usableFromInline
  init(capacity: Int) {
    requireReplayCount(capacity)
    self.capacity = capacity
  }

  /// Keeps an element, and returns the one that had to go for it.
  @inlinable
  mutating func append(_ element: Element) -> Element? {
    if storage.count < capacity {
      storage.append(element)
      return nil
    }
    if capacity == 0 { return nil }
    var dropped = element
    swap(&dropped, &storage[oldest])
    oldest = oldest + 1 == capacity ? 0 : oldest + 1
    return dropped
  }

  /// Sends the elements, oldest first, for as long as they are wanted (C8).
  func send<Failure: Error>(to observer: Observer<Element, Failure>) {
    for element in storage[oldest...] where observer.isActive { observer.next(element) }
    for element in storage[..<oldest] where observer.isActive { observer.next(element) }
  }
}
