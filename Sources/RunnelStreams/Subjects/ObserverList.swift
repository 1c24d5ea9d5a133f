/// The observers of a subject, in the order of their subscription, and the events that wait for
/// them.
///
/// It is an object of its own because it may outlive its subject. The `deinit` of a subject may run
/// on any thread, and the observers are released in their own domain.
@usableFromInline
final class ObserverList<Element, Failure: Error> {
  @usableFromInline
  enum Phase: UInt8 {
    /// Nothing is being delivered.
    case idle
    /// An event is being delivered, or an observer is being brought up to date.
    case delivering
    /// The same, and other events wait behind it.
    case backlogged
    /// Nothing is being delivered, and before that the sender is checked to be at home.
    case guarded
  }

  @usableFromInline @exclusivity(unchecked) var phase = Phase.idle
  /// The phase in which nothing is being delivered: `idle`, or `guarded` once there is a
  /// ``Remote``. So those that have none do not pay for the check.
  @usableFromInline @exclusivity(unchecked) var resting = Phase.idle
  @usableFromInline @exclusivity(unchecked) var head: Unmanaged<Node>?
  @usableFromInline @exclusivity(unchecked) var tail: Unmanaged<Node>?
  /// The observer that is being told, for as long as it stays: it is nil again when that observer
  /// leaves, which is then taken out of the list as soon as its closure has returned.
  @usableFromInline @exclusivity(unchecked) var current: Unmanaged<Node>?
  /// Observers are numbered as they come. An event is for those who came before it was sent, so
  /// the last number names them, and goes on doing so when any of them leaves.
  @usableFromInline @exclusivity(unchecked) var lastNumber = 0
  @usableFromInline @exclusivity(unchecked) var backlog = Queue<Delivery>()
  /// Where the observers live, known from the first one on.
  @usableFromInline @exclusivity(unchecked) var home: (any ExecutionContext)?

  /// An event that waits, and the number of the last observer that it is for.
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

  /// Whether there are any, apart from one that left while it was being told.
  @inlinable
  var isEmpty: Bool {
    guard let head, let tail else { return true }
    return head.toOpaque() == tail.toOpaque()
      && head._withUnsafeGuaranteedRef { $0.observer.observation.isDisposed }
  }

  /// Sends an element to all.
  @inlinable
  func next(_ element: Element) {
    guard phase == .idle else { return nextUnlessIdle(element) }
    guard var node = head else { return }
    let last = lastNumber
    phase = .delivering
    while true {
      current = node
      // Safety: the node that is being told stays in the list, which retains it.
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

  /// Ends the stream for all.
  @inlinable
  func end(_ termination: Termination<Failure>) {
    if phase == .guarded { requireHome() }
    postpone(StreamEvent(termination))
    guard phase == resting else { return }
    drain()
    phase = resting
  }

  /// Has those who send, observe and dispose checked to be at home from now on: other threads send
  /// there.
  func protect(at context: any ExecutionContext) {
    if home == nil { home = context }
    if phase == resting { phase = .guarded }
    resting = .guarded
  }

  /// Traps where the subject is used in another domain than the one that its ``Remote`` sends to.
  @usableFromInline
  func requireHome() {
    require(
      home?.admitsCaller ?? true,
      """
      A subject or property was used on another thread than the one that its Remote was made on, which \
      is where the Remote sends. Make the Remote in the domain that uses it; in an actor with Remote(…).
      """)
  }

  /// Adds an observer and brings it up to date before anything else reaches it.
  func add(
    _ observer: Observer<Element, Failure>, replaying: (Observer<Element, Failure>) -> Void
  ) {
    link(observer)
    guard pause() else { return replaying(observer) }
    replaying(observer)
    resume()
  }

  /// Releases all observers without an event, in their own domain: for the `deinit` of the subject.
  ///
  /// On another thread it reads nothing but `home`, not even whether there are observers: their
  /// domain may be in the middle of removing the last one, and goes on to use the list. If that
  /// domain takes no more jobs, the list is never released, because an observer that is disposed
  /// later looks for it.
  func abandon() {
    // `home` is written by those who have the subject, so never at the same time as this.
    guard let home else { return detachAll() }
    home.close(self) { $0.detachAll() }
  }

  private func detachAll() {
    // All are cut off before any is let go of: what one captured may dispose the others.
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
      // Safety: the list retains each node once; that is given up here.
      let object = node.takeRetainedValue()
      next = object.next
      object.observer.observation.abandon(object)
    }
  }
}

// MARK: - Coming and going

extension ObserverList {
  /// One observer in the list. It takes itself out when its observation ends.
  @usableFromInline
  final class Node: Teardown {
    @usableFromInline let observer: Observer<Element, Failure>
    @usableFromInline let number: Int
    @usableFromInline @exclusivity(unchecked) var next: Unmanaged<Node>?
    @usableFromInline @exclusivity(unchecked) var previous: Unmanaged<Node>?
    // Safety: cleared when the node leaves the list. The list lives until then: the subject keeps
    // it, and after the subject `abandon()` does, until it has cut off all nodes.
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
    // Safety: the list retains the node until it is taken out.
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
      // Safety: balances the retain of `link`; the list is in order, so what the closures captured
      // may come back here from its deinit.
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

  // MARK: - Delivering

  /// Has events wait until `resume()`, for those who observe when they are sent. It says whether they did
  /// not wait already.
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

  /// Takes out the observer that left while it was being told, and returns the one after it.
  ///
  /// That one is made the current one before anything is let go of, so that it stays where it is
  /// if it leaves because of this; then it is taken out in turn.
  @usableFromInline
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

  /// Delivers what waits, until nothing does.
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
      // Safety: the node that is being told stays in the list, which retains it.
      next = node._withUnsafeGuaranteedRef { object in
        object.observer.send(delivery.event)
        if delivery.event.termination != nil { depart(object) }
        return object.next
      }
      if current == nil { next = unlinkDeparted(node) }
    }
    current = nil
  }

  /// Nothing follows the end: an observer that goes on without this subject is let go of (C5).
  @usableFromInline
  func depart(_ node: Node) {
    guard current != nil else { return }
    current = nil
    node.observer.observation.detach(node)
  }
}
