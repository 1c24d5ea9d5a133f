/// A stream that a program sends elements into. Each element reaches all current observers.
///
///     let names = PushStream<String>()
///     names.observeNext { print($0) }
///     names.next("Jim")  // prints Jim
///
/// *Events*: observers receive events in the order of their subscription (C3). An event that is
/// sent during a delivery is queued, first in, first out, so all observers see all events in one
/// order (C2). It reaches the observers at the time of sending. After the end nothing is sent, and
/// a later observer receives the end at once.
///
/// *Disposal*: when the subject is released, its observers are released on their own loop, without
/// an event.
///
/// *Complexity*: observing and disposing are O(1); sending is linear in the number of observers.
public final class Subject<Element, Failure: Error> {
  @usableFromInline let observers: ObserverList<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var ending: Termination<Failure>?
  private var record: Resources.Record?

  /// The bindings to this subject, which end with it.
  @usableFromInline lazy var bindings = DisposeBag()

  /// Creates a subject without observers.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    // Assigned here, where the types are known. A property's initial value would be created by
    // generic code.
    observers = ObserverList()
    if Resources.isTracking { track(from: SourceLocation(file: file, line: line)) }
  }

  @usableFromInline
  func track(from location: SourceLocation) {
    record = Resources.record(Self.self, location)
  }

  deinit {
    observers.abandon()
  }

  /// The end of the subject, if it has ended.
  public var termination: Termination<Failure>? { ending }

  /// True while the subject has observers.
  @inlinable
  public var isObserved: Bool { !observers.isEmpty }

  /// Sends an element.
  @inlinable
  public func next(_ element: Element) {
    if ending == nil { observers.next(element) }
  }

  /// Ends the stream for all observers.
  @inlinable
  public func end(_ termination: Termination<Failure>) {
    guard ending == nil else { return }
    ending = termination
    observers.end(termination)
  }
}

extension Subject: StreamProtocol, StreamSink {
  /// The subject as a stream that cannot be sent to.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.add($0) }
  }

  /// Adds an observer at the end of the list.
  @inlinable
  func add(_ observer: Observer<Element, Failure>) {
    if let ending { observer.end(ending) } else { observers.link(observer) }
  }

  /// Queues events until ``resume()``, for the observers at the time of sending. Returns false if
  /// events are queued already; then the caller must not call ``resume()``.
  @inlinable
  package func pause() -> Bool { observers.pause() }

  /// Delivers the queued events.
  @inlinable
  package func resume() { observers.resume() }

  /// Adds an observer, and replays earlier elements to it before it receives any other event.
  @usableFromInline
  package func add(
    _ observer: Observer<Element, Failure>, replaying: (Observer<Element, Failure>) -> Void
  ) {
    guard let ending else { return observers.add(observer, replaying: replaying) }
    replaying(observer)
    observer.end(ending)
  }
}

/// A subject that cannot fail.
public typealias PushStream<Element> = Subject<Element, Never>
