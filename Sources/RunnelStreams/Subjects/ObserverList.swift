/// The observers of a subject in the order in which they were added, and the events that are queued
/// for them.
///
/// The list is a separate object because it may outlive its subject. The `deinit` of a subject may
/// run on any thread, but the observers are released in their own isolation domain.
@usableFromInline
final class ObserverList<Element, Failure: Error> {
  @usableFromInline
  enum Phase: UInt8 {
    /// No event is being delivered.
    case idle
    /// An event is being delivered, or earlier elements are being replayed to a new observer.
    case delivering
    /// As `delivering`, and other events are queued.
    case backlogged
    /// No event is being delivered, and each caller's context is checked.
    case guarded
  }

  @usableFromInline @exclusivity(unchecked) var phase = Phase.idle
  /// The phase in which no event is being delivered: `idle`, or `guarded` if there is a ``Remote``.
  /// Subjects without a remote handle do not pay for the check.
  @usableFromInline @exclusivity(unchecked) var resting = Phase.idle
  @usableFromInline @exclusivity(unchecked) var head: Unmanaged<Node>?
  @usableFromInline @exclusivity(unchecked) var tail: Unmanaged<Node>?
  /// The observer that is handling an event; nil again when it is disposed meanwhile. It is then
  /// unlinked as soon as its closure returns.
  @usableFromInline @exclusivity(unchecked) var current: Unmanaged<Node>?
  /// The number of the latest observer. Observers are numbered in order. An event is for the
  /// observers up to this number at the time of sending, even if some of them are removed later.
  @usableFromInline @exclusivity(unchecked) var lastNumber = 0
  @usableFromInline @exclusivity(unchecked) var backlog = Queue<Delivery>()
  /// The context of the observers, set with the first one.
  @usableFromInline @exclusivity(unchecked) var home: (any ExecutionContext)?

  /// A queued event, and the number of the last observer that receives it.
  @usableFromInline
  struct Delivery {
    @usableFromInline let event: StreamEvent<Element, Failure>
    @usableFromInline let last: Int

    @inlinable
    init(event: StreamEvent<Element, Failure>, last: Int) {
      self.event = event
      self.last = last
    }
  }

  @inlinable
  init() {}

  /// True if there are no observers, except one that was disposed while it handles an event.
  @inlinable
  var isEmpty: Bool {
    guard let head, let tail else { return true }
    return head.toOpaque() == tail.toOpaque()
      && head._withUnsafeGuaranteedRef { $0.observer.observation.isDisposed }
  }

  @inlinable
  func next(_ element: Element) {
    guard phase == .idle else { return nextUnlessIdle(element) }
    guard var node = head else { return }
    let last = lastNumber
    phase = .delivering
    while true {
      current = node
      // Safety: the list retains the current node while its observer handles the element.
      node._withUnsafeGuaranteedRef { $0.observer.next(element) }
      let next =
        current == nil ? unlinkDeparted(node) : node._withUnsafeGuaranteedRef { $0.next }
      guard let next, next._withUnsafeGuaranteedRef({ $0.number }) <= last else { break }
      node = next
    }
    current = nil
    if phase == .backlogged { drain() }
    phase = resting
  }

  @inlinable
  func nextUnlessIdle(_ element: Element) {
    guard phase == .guarded else { return postpone(.next(element)) }
    requireHome()
    phase = .idle
    next(element)
    phase = .guarded
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    if phase == .guarded { requireHome() }
    postpone(StreamEvent(termination))
    guard phase == resting else { return }
    drain()
    phase = resting
  }

  /// Checks the context of all callers from now on, because a ``Remote`` sends from other threads.
  func protect(at context: any ExecutionContext) {
    if home == nil { home = context }
    if phase == resting { phase = .guarded }
    resting = .guarded
  }

  /// Traps if the subject is used in another domain than that of its ``Remote``.
  @usableFromInline
  func requireHome() {
    require(
      home?.admitsCaller ?? true,
      """
      A subject or property was used on another thread than the one that its Remote was made on, \
      where the Remote sends. Make the Remote in the domain that uses the object. In an actor, \
      call Remote(…).
      """)
  }

  /// Adds an observer, and replays earlier elements to it before it receives any other event.
  func add(
    _ observer: Observer<Element, Failure>, replaying: (Observer<Element, Failure>) -> Void
  ) {
    link(observer)
    guard pause() else { return replaying(observer) }
    replaying(observer)
    resume()
  }

  /// Releases all observers in their own domain, without an event. Called by the `deinit` of the
  /// subject.
  ///
  /// On another thread it reads only `home`. It does not even check for observers: their domain may
  /// be removing the last one, and still use the list. If that domain accepts no more jobs, the
  /// list is never released, because observers that are disposed later still access it.
  func abandon() {
    // Only owners of the subject write `home`, so never at the same time as this method.
    guard let home else { return detachAll() }
    home.close(self) { $0.detachAll() }
  }

  private func detachAll() {
    // All nodes are unlinked before any is released, because a release may dispose other observers.
    var next = head
    head = nil
    tail = nil
    let first = next
    while let node = next {
      next = node._withUnsafeGuaranteedRef { object in
        object.list = nil
        return object.next
      }
    }
    next = first
    while let node = next {
      // Safety: balances the retain of `link`.
      let object = node.takeRetainedValue()
      next = object.next
      object.observer.observation.abandon(object)
      // The observer may be the last owner of the next subject of a long chain.
      ReleaseQueue.ofThisThread.release(consume object)
    }
  }
}

// MARK: - Adding and removing observers

extension ObserverList {
  /// An observer in the list. It removes itself when its observation ends.
  @usableFromInline
  final class Node: Teardown {
    @usableFromInline let observer: Observer<Element, Failure>
    @usableFromInline let number: Int
    @usableFromInline @exclusivity(unchecked) var next: Unmanaged<Node>?
    @usableFromInline @exclusivity(unchecked) var previous: Unmanaged<Node>?
    // Safety: set to nil when the node leaves the list. The list exists until then: the subject
    // holds it, and after the subject's release `abandon()` holds it until all nodes are unlinked.
    @usableFromInline @exclusivity(unchecked) var list: Unmanaged<ObserverList>?

    @inlinable
    init(_ observer: Observer<Element, Failure>, number: Int, in list: ObserverList) {
      self.observer = observer
      self.number = number
      self.list = Unmanaged.passUnretained(list)
    }

    @inlinable
    func tearDown() {
      guard let list else { return }
      list._withUnsafeGuaranteedRef { $0.remove(self) }
    }
  }

  @inlinable
  func link(_ observer: Observer<Element, Failure>) {
    if head == nil && home == nil { home = Current.contextIfAny }
    if resting == .guarded { requireHome() }
    lastNumber += 1
    // Safety: the list retains the node until it is unlinked.
    let node = Unmanaged.passRetained(Node(observer, number: lastNumber, in: self))
    node._withUnsafeGuaranteedRef { $0.previous = tail }
    if let tail { tail._withUnsafeGuaranteedRef { $0.next = node } } else { head = node }
    tail = node
    observer.observation.attach(node.takeUnretainedValue())
  }

  @inlinable
  func remove(_ node: Node) {
    if resting == .guarded { requireHome() }
    if let current, current.toOpaque() == Unmanaged.passUnretained(node).toOpaque() {
      self.current = nil
    } else {
      unlink(node)
      // Safety: balances the retain of `link`. The list is consistent here, so a `deinit` of the
      // closure's captures may call back into it.
      Unmanaged.passUnretained(node).release()
    }
  }

  @inlinable
  func unlink(_ node: Node) {
    node.list = nil
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
  }

  // MARK: - Delivery

  /// Queues events until `resume()`, for the observers at the time of sending. Returns false if
  /// events are queued already.
  @usableFromInline
  func pause() -> Bool {
    guard phase == resting else { return false }
    phase = .delivering
    return true
  }

  @usableFromInline
  func resume() {
    if phase == .backlogged { drain() }
    phase = resting
  }

  /// Unlinks an observer that was disposed while it handled an event, and returns the next one.
  ///
  /// The next one becomes the current node before the release. It therefore stays linked if the
  /// release disposes it, and is unlinked by the next iteration.
  @inlinable
  func unlinkDeparted(_ node: Unmanaged<Node>) -> Unmanaged<Node>? {
    var departed = node
    while true {
      let next = departed._withUnsafeGuaranteedRef { $0.next }
      current = next
      departed._withUnsafeGuaranteedRef { unlink($0) }
      // Safety: balances the retain of `link`.
      departed.release()
      guard let next, current == nil else { return next }
      departed = next
    }
  }

  @inlinable
  func postpone(_ event: StreamEvent<Element, Failure>) {
    guard head != nil else { return }
    backlog.append(Delivery(event: event, last: lastNumber))
    if phase == .delivering { phase = .backlogged }
  }

  /// Delivers queued events until the queue is empty.
  @inlinable
  func drain() {
    phase = .backlogged
    while let delivery = backlog.popFirst() { deliver(delivery) }
  }

  @inlinable
  func deliver(_ delivery: Delivery) {
    var next = head
    while let node = next, node._withUnsafeGuaranteedRef({ $0.number }) <= delivery.last {
      current = node
      // Safety: the list retains the current node while its observer handles the event.
      next = node._withUnsafeGuaranteedRef { object in
        object.observer.send(delivery.event)
        if delivery.event.termination != nil { depart(object) }
        return object.next
      }
      if current == nil { next = unlinkDeparted(node) }
    }
    current = nil
  }

  /// Unlinks an observer after the end. Its observation may continue without this subject (C5).
  @inlinable
  func depart(_ node: Node) {
    guard current != nil else { return }
    current = nil
    node.observer.observation.detach(node)
  }
}
