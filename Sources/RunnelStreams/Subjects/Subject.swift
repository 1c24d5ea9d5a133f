/// A stream that is sent to by hand, and reaches all who observe it at that time.
///
///     let names = PushStream<String>()
///     names.observeNext { print($0) }
///     names.next("Jim")  // prints Jim
///
/// *Events*: observers are told in the order of their subscription (C3). What is sent while an event
/// is being delivered waits, first in first out, so all observers see all events in one order (C2);
/// it reaches those who were observing when it was sent. After the end nothing is sent, and who
/// observes later is told the end at once.
///
/// *Disposal*: a subject that is released lets its observers go without an event.
///
/// *Complexity*: observing and disposing take constant time, sending is linear in the observers.
public final class Subject<Element, Failure: Error> {
  @usableFromInline
  enum Phase: UInt8 {
    /// Nothing is being delivered.
    case idle
    /// An event is being delivered; the list of observers only grows at its end.
    case delivering
    /// The same, and there is something to do afterwards: events that wait, or observers that left.
    case cluttered
  }

  @usableFromInline @exclusivity(unchecked) var phase = Phase.idle
  @usableFromInline @exclusivity(unchecked) var head: Unmanaged<Node>?
  @usableFromInline @exclusivity(unchecked) var tail: Unmanaged<Node>?
  @usableFromInline @exclusivity(unchecked) var ending: Termination<Failure>?
  @usableFromInline var backlog: [Delivery] = []
  @usableFromInline var record: Resources.Record?

  /// The bindings to this subject: they end with it.
  lazy var bindings = DisposeBag()

  /// An event that waits, and the last observer that it is for.
  @usableFromInline
  struct Delivery {
    @usableFromInline let event: StreamEvent<Element, Failure>
    @usableFromInline let last: Unmanaged<Node>?
  }

  /// A subject without observers.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    if Resources.isTracking {
      record = Resources.record(Self.self, SourceLocation(file: file, line: line))
    }
  }

  deinit {
    var next = head
    while let node = next {
      // Safety: the list retains each node once; that is given up here.
      let object = node.takeRetainedValue()
      next = object.next
      object.subject = nil
    }
  }

  /// How the subject ended, if it has.
  public var termination: Termination<Failure>? { ending }

  /// Whether anybody observes it.
  public var isObserved: Bool { head != nil }

  /// Sends an element.
  @inlinable
  public func next(_ element: Element) {
    guard ending == nil else { return }
    guard phase == .idle else { return postpone(.next(element)) }
    guard let last = tail, var node = head else { return }
    phase = .delivering
    while true {
      // Safety: nodes are only unlinked when nothing is being delivered.
      node._withUnsafeGuaranteedRef { $0.observer.next(element) }
      if node.toOpaque() == last.toOpaque() { break }
      node = node._withUnsafeGuaranteedRef { $0.next.unsafelyUnwrapped }
    }
    if phase == .cluttered { tidy() }
    phase = .idle
  }

  /// Ends the stream for all observers.
  public func end(_ termination: Termination<Failure>) {
    guard ending == nil else { return }
    ending = termination
    postpone(StreamEvent(termination))
    if phase == .idle { settle() }
  }
}

extension Subject {
  /// Ends the stream: nothing more will come.
  public func completed() { end(.completed) }

  /// Ends the stream with an error.
  public func failed(_ error: Failure) { end(.failed(error)) }

  /// Sends an event.
  public func send(_ event: StreamEvent<Element, Failure>) {
    switch event {
    case .next(let element): next(element)
    case .failed(let error): end(.failed(error))
    case .completed: end(.completed)
    }
  }
}

extension Subject: StreamProtocol {
  /// The subject as a stream that cannot be sent to.
  @inlinable
  public var stream: EventStream<Element, Failure> {
    .unguarded { self.add($0) }
  }

  /// Adds an observer at the end of the list.
  @inlinable
  func add(_ observer: Observer<Element, Failure>) {
    if let ending { return observer.end(ending) }
    link(observer)
  }

  /// Adds an observer and brings it up to date before anything else reaches it.
  func add(_ observer: Observer<Element, Failure>, replaying: (Observer<Element, Failure>) -> Void)
  {
    if let ending {
      replaying(observer)
      return observer.end(ending)
    }
    link(observer)
    guard phase == .idle else { return replaying(observer) }
    phase = .delivering
    replaying(observer)
    if phase == .cluttered { tidy() }
    phase = .idle
  }
}

// MARK: - The list of observers

extension Subject {
  /// One observer in the list. It takes itself out when its observation ends.
  @usableFromInline
  final class Node: Teardown {
    @usableFromInline let observer: Observer<Element, Failure>
    @usableFromInline @exclusivity(unchecked) var next: Unmanaged<Node>?
    @usableFromInline @exclusivity(unchecked) var previous: Unmanaged<Node>?
    // Safety: the subject clears it in its deinit.
    @usableFromInline @exclusivity(unchecked) var subject: Unmanaged<Subject>?

    @inlinable
    init(_ observer: Observer<Element, Failure>, in subject: Subject) {
      self.observer = observer
      self.subject = Unmanaged.passUnretained(subject)
    }

    @inlinable
    func tearDown() {
      guard let subject else { return }
      subject._withUnsafeGuaranteedRef { $0.remove(self) }
    }
  }

  @inlinable
  func link(_ observer: Observer<Element, Failure>) {
    let node = Node(observer, in: self)
    // Safety: the list retains the node until `unlink` or the deinit.
    let unmanaged = Unmanaged.passRetained(node)
    node.previous = tail
    if let tail { tail._withUnsafeGuaranteedRef { $0.next = unmanaged } } else { head = unmanaged }
    tail = unmanaged
    observer.observation.add(node)
  }

  @inlinable
  func remove(_ node: Node) {
    guard phase == .idle else {
      phase = .cluttered
      return
    }
    unlink(node)
  }

  @inlinable
  func unlink(_ node: Node) {
    node.subject = nil
    if let previous = node.previous {
      previous._withUnsafeGuaranteedRef { $0.next = node.next }
    } else {
      head = node.next
    }
    if let next = node.next {
      next._withUnsafeGuaranteedRef { $0.previous = node.previous }
    } else {
      tail = node.previous
    }
    // Safety: balances the retain of `link`.
    Unmanaged.passUnretained(node).release()
  }

  // MARK: - Delivering

  @usableFromInline
  func postpone(_ event: StreamEvent<Element, Failure>) {
    if let tail { backlog.append(Delivery(event: event, last: tail)) }
    if phase == .delivering { phase = .cluttered }
  }

  private func settle() {
    phase = .delivering
    tidy()
    phase = .idle
  }

  /// Delivers what waits and takes out the observers that left, until neither is left to do.
  @usableFromInline
  func tidy() {
    repeat {
      phase = .delivering
      let batch = backlog
      backlog = []
      for delivery in batch { deliver(delivery) }
      // What the leaving observers captured dies with them, and may send from its deinit: hence
      // the list is in order before, and looked at again after.
      withExtendedLifetime(unlinkDisposed()) {}
    } while phase == .cluttered
  }

  private func unlinkDisposed() -> [Node] {
    var leaving: [Node] = []
    var next = head
    while let node = next {
      // Safety: the list retains the node; `leaving` does when the list no longer does.
      next = node._withUnsafeGuaranteedRef { object in
        let next = object.next
        if object.observer.observation.isDisposed {
          leaving.append(object)
          unlink(object)
        }
        return next
      }
    }
    return leaving
  }

  private func deliver(_ delivery: Delivery) {
    guard let last = delivery.last else { return }
    var next = head
    while let node = next {
      // Safety: nodes are only unlinked when nothing is being delivered.
      next = node._withUnsafeGuaranteedRef { object in
        object.observer.send(delivery.event)
        return node.toOpaque() == last.toOpaque() ? nil : object.next
      }
    }
  }
}

/// A subject that cannot fail.
public typealias PushStream<Element> = Subject<Element, Never>
