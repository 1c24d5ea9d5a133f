/// A stream that is sent to by hand: each element reaches all who observe it at that time.
///
///     let names = PushStream<String>()
///     names.observeNext { print($0) }
///     names.next("Jim")  // prints Jim
///
/// *Events*: observers are told in the order of their subscription (C3). What is sent while an event
/// is being delivered waits, first in first out, so all observers see all events in one order (C2);
/// it reaches those who were observing when it was sent. After the end nothing is sent, and a later
/// observer is told the end at once.
///
/// *Disposal*: a subject that is released lets its observers go without an event, on their own loop.
///
/// *Complexity*: observing and disposing take constant time, sending is linear in the observers.
public final class Subject<Element, Failure: Error> {
  @usableFromInline let observers: ObserverList<Element, Failure>
  @usableFromInline @exclusivity(unchecked) var ending: Termination<Failure>?
  private var record: Resources.Record?

  /// The bindings to this subject: they end with it.
  @usableFromInline lazy var bindings = DisposeBag()

  /// A subject without observers.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    // Here, where the types are known: the initial value of a property is made by generic code.
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

  /// How the subject ended, if it has.
  public var termination: Termination<Failure>? { ending }

  /// Whether anybody observes it.
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

  /// Has events wait until ``resume()``, for those who observe when they are sent. It says whether they
  /// did not wait already: then they go on to wait.
  @inlinable
  package func pause() -> Bool { observers.pause() }

  /// Delivers what has waited.
  @inlinable
  package func resume() { observers.resume() }

  /// Adds an observer and brings it up to date before anything else reaches it.
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
