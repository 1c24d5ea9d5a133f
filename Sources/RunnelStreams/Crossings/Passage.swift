/// The events that wait on their way to another context.
///
/// The receiver takes all that wait at once. When the limit is reached, the source that delivers to
/// the sender pauses until the receiver has taken them. The passage is itself such a source: while a
/// place in the receiving context is full, it delivers nothing there. So events wait here, and the
/// first source pauses in the end.
// Safety: the properties under "Receiver" are only used in jobs of `receiver`, one at a time, except in
// the initialiser. The deinit hands the output to `receiver`, where it is released.
@usableFromInline
final class Passage<Element: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline
  enum Ending {
    case terminated(Termination<Failure>)
    /// The source was released without an end.
    case abandoned
  }

  @usableFromInline
  struct Waiting {
    @usableFromInline var elements = Queue<Element>()
    @usableFromInline var weight = 0
    @usableFromInline var ending: Ending?
    /// True while a job of the receiver is scheduled or runs.
    @usableFromInline var isAnnounced = false
    @usableFromInline var growthIsReported = false

    @inlinable
    init() {}
  }

  @usableFromInline let waiting = Monitor(Waiting())
  @usableFromInline let closed = Flag()
  @usableFromInline let sources = DistantSources()
  @usableFromInline let crossing: Crossing
  @usableFromInline let receiver: any ExecutionContext
  /// Calls ``receive()``. ``resume()`` is called through a protocol, where ``receive()`` would run
  /// unspecialised.
  @usableFromInline let receiveAgain: @Sendable (Passage) -> Void

  // MARK: Receiver

  @usableFromInline @exclusivity(unchecked) var output: Arrival<Element, Failure>?
  @usableFromInline @exclusivity(unchecked) var batch = Queue<Element>()
  @usableFromInline @exclusivity(unchecked) var pauses = 0
  /// True if ``resume()`` must take the events that wait.
  @usableFromInline var isStalled = false

  @inlinable
  init(
    to receiver: any ExecutionContext, _ crossing: Crossing,
    into output: Arrival<Element, Failure>? = nil
  ) {
    self.receiver = receiver
    receiveAgain = { $0.receive() }
    self.crossing = crossing
    self.output = output
  }

  deinit {
    crossing.backlog.remove(waiting.withLock { $0.elements.count })
    receiver.letGo(&output) { $0.tearDown() }
  }

  /// True once nothing that is sent arrives.
  @inlinable var isClosed: Bool { closed.isSet }

  /// Drops the waiting elements and all later ones, in both contexts. Sources that wait go on for
  /// others.
  @inlinable
  func cancel() {
    closed.set()
    sources.resumeAll()
  }

  // MARK: - Sending

  /// Sends elements, which leave the queue, and perhaps an ending. If the passage is full, the source
  /// that delivers now waits; `sender` is its context.
  @inlinable
  func send(
    _ elements: inout Queue<Element>, weight: Int, _ ending: Ending? = nil,
    from sender: any ExecutionContext
  ) {
    let count = elements.count
    let source = Delivery.source
    // Released outside the lock.
    var dropped = Queue<Element>()
    let (isNew, mustWait, isGrowing) = waiting.withLock { waiting in
      dropped = crossing.buffering.move(&elements, to: &waiting.elements)
      waiting.weight += weight
      if waiting.ending == nil { waiting.ending = ending }
      let isGrowing =
        source == nil && crossing.buffering == .unbounded && !waiting.growthIsReported
        && waiting.elements.count >= Crossing.growthLimit
      if isGrowing { waiting.growthIsReported = true }
      let isNew = !exchange(&waiting.isAnnounced, with: true)
      return (isNew, isFull(waiting), isGrowing)
    }
    crossing.add(count, dropped: dropped.count)
    if isNew { announce() }
    if mustWait, let source {
      sources.hold(source, in: sender, for: self, while: { waiting.withLock { isFull($0) } })
    }
    if isGrowing { crossing.reportGrowth() }
  }

  /// Lets the receiver take what waits, in a job of its context.
  @inlinable
  func announce() {
    let announcement = Announcement(of: self)
    receiver.execute { announcement.arrive() }
  }

  @inlinable
  func isFull(_ waiting: Waiting) -> Bool {
    crossing.buffering == .unbounded && waiting.ending == nil && !isClosed
      && crossing.backlog.isReached(by: waiting.elements.count, waiting.weight)
  }

  // MARK: - Receiving

  /// Sets the object that receives the events.
  @inlinable
  func begin(_ output: Arrival<Element, Failure>) {
    self.output = output
  }

  /// Ends receiving. Nothing more arrives.
  @inlinable
  func close() {
    cancel()
    batch = Queue()
    output.take()?.tearDown()
  }

  @inlinable
  func receive() {
    if pauses > 0 {
      isStalled = true
      return
    }
    if batch.isEmpty { take() }
    Delivery.from(self) {
      while pauses == 0, !isClosed, let output, let element = batch.popFirst() {
        output.next(element)
        Delivery.sendIfLate()
      }
    }
    if isClosed { return batch = Queue() }
    if pauses > 0 {
      isStalled = true
    } else if let ending = endingOrNextBatch() {
      let output = output.take()
      switch ending {
      case .terminated(let termination): output?.end(termination)
      case .abandoned: output?.tearDown()
      }
    }
  }

  @inlinable
  func take() {
    waiting.withLock { waiting in
      swap(&batch, &waiting.elements)
      waiting.weight = 0
    }
    crossing.backlog.remove(batch.count)
    sources.resumeAll()
  }

  /// Returns the ending if all elements were delivered. Otherwise lets the context do other work
  /// before the next batch.
  @inlinable
  func endingOrNextBatch() -> Ending? {
    let (ending, hasMore) = waiting.withLock { waiting in
      let hasMore = !waiting.elements.isEmpty
      let ending = hasMore ? nil : waiting.ending.take()
      waiting.isAnnounced = hasMore || ending != nil
      return (ending, hasMore)
    }
    if hasMore { announce() }
    return ending
  }
}

extension Passage: PausableSource {
  @usableFromInline
  func pause() {
    pauses += 1
  }

  @usableFromInline
  func resume() {
    pauses -= 1
    guard pauses == 0, isStalled else { return }
    isStalled = false
    let announcement = Announcement(of: self)
    let receive = receiveAgain
    receiver.execute { announcement.arrive(receive) }
  }
}

/// The job in which a receiver takes the events of a passage. A context that is gone, such as that of a
/// released actor, releases it without running it. Then nothing arrives any more, and no source waits.
// Safety: only the job uses the reference, or the `deinit`.
@usableFromInline
final class Announcement<Element: Sendable, Failure: Error>: @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var passage: Passage<Element, Failure>?

  @inlinable
  init(of passage: Passage<Element, Failure>) {
    self.passage = passage
  }

  deinit { passage?.cancel() }

  @inlinable
  func arrive() {
    passage.take()?.receive()
  }

  func arrive(_ receive: (Passage<Element, Failure>) -> Void) {
    if let passage = passage.take() { receive(passage) }
  }
}

/// The object in the receiving context to which a passage delivers.
@usableFromInline
final class Arrival<Element, Failure: Error>: Teardown {
  // Closures, because a method that is called through a class is not specialised.
  @usableFromInline @exclusivity(unchecked) var onNext: ((Element) -> Void)?
  @usableFromInline @exclusivity(unchecked) var onEnd: ((Termination<Failure>) -> Void)?

  @inlinable
  init(next: @escaping (Element) -> Void, end: @escaping (Termination<Failure>) -> Void) {
    onNext = next
    onEnd = end
  }

  @inlinable
  func next(_ element: Element) {
    if let onNext { onNext(element) }
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    if let onEnd { onEnd(termination) }
  }

  /// Releases everything that belongs to the context.
  @usableFromInline
  func tearDown() {
    release((onNext.take(), onEnd.take()))
  }
}

/// The sending end of a passage. Its release without an end closes the receiving end.
@usableFromInline
final class Departure<Element: Sendable, Failure: Error> {
  @usableFromInline let passage: Passage<Element, Failure>
  @usableFromInline let context: any ExecutionContext
  @usableFromInline let weight = weighing(Element.self)
  /// The most elements and bytes that are sent together.
  @usableFromInline let most: (elements: Int, bytes: Int)
  @usableFromInline @exclusivity(unchecked) var collected = Queue<Element>()
  @usableFromInline @exclusivity(unchecked) var collectedWeight = 0
  /// True while the present delivery is to send what is collected.
  @usableFromInline @exclusivity(unchecked) var isPostponed = false

  @inlinable
  init(to passage: Passage<Element, Failure>, from context: any ExecutionContext) {
    self.passage = passage
    self.context = context
    let backlog = passage.crossing.backlog
    most = (min(backlog.elementLimit, 1024), min(backlog.byteLimit, 1 << 16))
  }

  deinit { send(.abandoned) }

  /// True once nothing that is sent arrives.
  @inlinable var isClosed: Bool { passage.isClosed }

  @inlinable
  func next(_ element: Element) {
    if isClosed { return }
    collected.append(element)
    if let weight { collectedWeight += weight(element) }
    // In batches, so that the two threads rarely meet.
    if !isPostponed { isPostponed = Delivery.postpone(self) }
    if !isPostponed || collected.count >= most.elements || collectedWeight >= most.bytes { send() }
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    send(.terminated(termination))
  }

  @inlinable
  func send(_ ending: Passage<Element, Failure>.Ending? = nil) {
    passage.send(&collected, weight: collectedWeight, ending, from: context)
    collectedWeight = 0
  }
}

extension Departure: Outbox {
  @usableFromInline
  func sendCollected() {
    isPostponed = false
    if !collected.isEmpty { send() }
  }
}
