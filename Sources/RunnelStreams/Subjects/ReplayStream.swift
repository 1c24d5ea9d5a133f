/// A subject that replays its last elements to a new observer.
///
///     let log = ReplayStream<String, Never>(capacity: 2)
///     log.next("a")
///     log.next("b")
///     log.next("c")
///     log.observeNext { print($0) }  // b, c
///     log.next("d")                  // d
///
/// It keeps the last `capacity` elements, or all with `.max`. With a capacity of 0 it behaves like
/// a ``Subject``.
///
/// *Events*: a new observer receives the kept elements, oldest first, and then new ones. It
/// receives each element exactly once, even if it is added or sends during a delivery. After the
/// end, a new observer receives the kept elements and then the end.
///
/// *Disposal*: when the stream is released, its observers are released without an event.
///
/// *Complexity*: sending is linear in the number of observers. Keeping an element is O(1).
public final class ReplayStream<Element, Failure: Error> {
  @usableFromInline let subject: Subject<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var kept: ReplayBuffer<Element>

  /// Creates a stream that keeps up to `capacity` elements, or all with `.max`. A negative capacity
  /// traps.
  public init(capacity: Int, file: StaticString = #fileID, line: UInt = #line) {
    kept = ReplayBuffer(capacity: capacity)
    subject = Subject(file: file, line: line)
  }

  /// The end of the stream, if it has ended.
  public var termination: Termination<Failure>? { subject.termination }

  /// True while the stream has observers.
  public var isObserved: Bool { subject.isObserved }

  /// Sends an element, and keeps it for later observers.
  @inlinable
  public func next(_ element: Element) {
    guard subject.ending == nil else { return }
    // The evicted element is released after delivery, because its `deinit` may call back into this
    // stream.
    let dropped = kept.append(element)
    subject.next(element)
    withExtendedLifetime(dropped) {}
  }

  /// Ends the stream. A later observer receives the kept elements and then the end.
  @inlinable
  public func end(_ termination: Termination<Failure>) { subject.end(termination) }
}

extension ReplayStream: StreamProtocol, StreamSink {
  /// The kept elements, then every new event.
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

/// A ring buffer of the last elements, up to its capacity.
@usableFromInline
struct ReplayBuffer<Element> {
  @usableFromInline let capacity: Int
  @usableFromInline var storage: [Element] = []
  /// The index of the oldest element, which the next one replaces when the buffer is full.
  @usableFromInline var oldest = 0

  @usableFromInline
  init(capacity: Int) {
    requireReplayCount(capacity)
    self.capacity = capacity
  }

  /// Appends an element, and returns the one that it replaced.
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

  /// Sends the elements, oldest first, while the observer is active (C8).
  func send<Failure: Error>(to observer: Observer<Element, Failure>) {
    for element in storage[oldest...] where observer.isActive { observer.next(element) }
    for element in storage[..<oldest] where observer.isActive { observer.next(element) }
  }
}
