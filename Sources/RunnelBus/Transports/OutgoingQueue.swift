import RunnelStreams

/// The messages of a link that wait for its transport, and those that are on the way.
///
/// All messages leave in the order in which they were added. When a connection is lost, those on the
/// way are sent again before all others.
///
/// The limits apply to events. A retained sticky event or removal is the state of its topic: it replaces
/// the one of its topic that waits, at the end of the queue, and is never dropped.
final class OutgoingQueue {
  /// The largest number of unfinished messages that a transport gets.
  private static let largestWindow = 64
  /// The largest time without sending after the peer was overloaded.
  private static let longestRest: Duration = .seconds(64)

  private let transport: any BusTransport
  private let limits: LinkQueue
  /// The limits, which are larger while more events of an earlier run wait.
  private var countLimit: Int
  private var byteLimit: Int
  private let window: Int

  /// The messages that are not finished, by number.
  private var messages: [UInt64: TransportMessage] = [:]
  /// The number of the latest retained message of each topic.
  private var stickyNumbers: [String: UInt64] = [:]
  /// The messages that were not sent.
  private var waiting = MessageNumbers()
  /// The events that were not sent.
  private var waitingEvents = MessageNumbers()
  /// The messages that are sent again before `waiting`, the next one at the end.
  private var repeats: [UInt64] = []
  /// The messages that the transport has not finished, in order.
  private var onTheWay: [UInt64] = []
  /// The messages that were on the way when the connection was lost. Nothing is sent until no message
  /// is on the way.
  private var interrupted: [UInt64] = []
  private var lastNumber: UInt64 = 0
  private var eventCount = 0
  private var eventBytes = 0
  private let held = HeldSources()
  /// The end of the time in which an overloaded peer gets nothing.
  private var rest: Disposable?
  private var nextRest: Duration = .seconds(1)
  // Flags (3): the transport is active or not, in or outside the loop that sends; the store fails or
  // works, whatever the transport does.
  private var isSending = false
  private var storeHasFailed = false

  private(set) var sentCount = 0
  private(set) var droppedCount = 0
  private(set) var refusedCount = 0
  /// Called when nothing is left to send.
  var emptied: (() -> Void)?

  /// True while the transport takes messages.
  var isActive = false {
    didSet {
      if isActive { sendNext() } else { held.resumeAll() }
    }
  }

  init(_ transport: any BusTransport, _ limits: LinkQueue) throws(JoinError) {
    self.transport = transport
    self.limits = limits
    countLimit = limits.count
    byteLimit = limits.bytes
    window = min(Self.largestWindow, limits.count)
    do {
      for (number, message) in try limits.store?.load() ?? [] { restore(message, number) }
    } catch {
      throw .store(reason: "\(error)")
    }
    countLimit = max(countLimit, eventCount)
    byteLimit = max(byteLimit, eventBytes)
  }

  /// Adds a message of an earlier run, which may have sent it over another transport.
  private func restore(_ stored: TransportMessage, _ number: UInt64) {
    var message = stored
    lastNumber = number
    message.isAcknowledged = stored.isAcknowledged && transport is any AcknowledgingTransport
    message.isRepeated = message.isAcknowledged
    if !(transport is any RetainingTransport) && stored.kind == .sticky { message.kind = .event }
    let isCarried = transport is any RetainingTransport || stored.kind != .cleared
    guard isCarried, (try? transport.check(topic: message.topic)) != nil else {
      refusedCount += 1
      return store { try $0.remove(number: number) }
    }
    enqueue(message, number)
  }

  var count: Int { messages.count }

  /// The stamps of the events of an earlier run, and their topics on the transport.
  var storedEvents: [(topic: String, stamp: EventStamp)] {
    messages.values.compactMap { message in
      message.kind == .event ? message.stamp.map { (message.topic, $0) } : nil
    }
  }

  /// True if a retained sticky event or removal of a topic has not been finished.
  func hasSticky(on topic: String) -> Bool { stickyNumbers[topic] != nil }

  /// True if the queue refuses the next event.
  var isRefusing: Bool { limits.rule == .refuse && !hasRoom() && !canHold }

  /// True if there is room for an event within a multiple of the limits.
  private func hasRoom(times factor: Int = 1) -> Bool {
    eventCount / factor < countLimit && eventBytes / factor < byteLimit
  }

  /// True if the source of the present event waits while the queue is full.
  private var canHold: Bool { isActive && Delivery.source != nil && hasRoom(times: 2) }

  // MARK: - Adding

  /// Adds a message. One that was checked by ``isRefusing`` before it was published is not refused
  /// any more: the observers on the bus have it.
  func add(_ message: TransportMessage, wasChecked: Bool) {
    if message.kind == .event, !hasRoom(), !makeRoom(), !(wasChecked && limits.rule == .refuse) {
      droppedCount += 1
      return
    }
    lastNumber += 1
    storeNew(message, lastNumber)
    // In this order, so that the store has one of the two at each time.
    if message.kind != .event { removeWaitingSticky(on: message.topic) }
    enqueue(message, lastNumber)
    sendNext()
  }

  private func enqueue(_ message: TransportMessage, _ number: UInt64) {
    messages[number] = message
    let isPresent = { self.messages[$0] != nil }
    waiting.append(number, isPresent, count: count)
    if message.kind == .event {
      eventCount += 1
      eventBytes += message.weight
      waitingEvents.append(number, isPresent, count: eventCount)
    } else {
      stickyNumbers[message.topic] = number
    }
  }

  /// Removes the earlier retained message of a topic, unless it is on the way.
  private func removeWaitingSticky(on topic: String) {
    guard let number = stickyNumbers[topic], !onTheWay.contains(number) else { return }
    remove(number)
  }

  /// Pauses the source of the event or drops others. Returns false if the rule keeps the others.
  private func makeRoom() -> Bool {
    if canHold, let source = Delivery.source {
      held.hold(source)
      return true
    }
    guard limits.rule == .dropOldest else { return false }
    while !hasRoom(), let oldest = oldestEvent() {
      remove(oldest)
      droppedCount += 1
    }
    return true
  }

  /// The event that has waited longest and is not on the way.
  private func oldestEvent() -> UInt64? {
    if let number = repeats.last(where: { messages[$0]?.kind == .event }) { return number }
    let sent = Set(onTheWay + interrupted)
    return waitingEvents.popFirst { messages[$0] != nil && !sent.contains($0) }
  }

  private func remove(_ number: UInt64) {
    guard let message = messages.removeValue(forKey: number) else { return }
    if message.kind == .event {
      eventCount -= 1
      eventBytes -= message.weight
    } else if stickyNumbers[message.topic] == number {
      stickyNumbers[message.topic] = nil
    }
    store { try $0.remove(number: number) }
  }

  // MARK: - Storing

  private func storeNew(_ message: TransportMessage, _ number: UInt64) {
    var isStored = false
    store { store in
      try store.append(message, number: number)
      isStored = true
    }
    // Removals may succeed on a full disk.
    if isStored { storeHasFailed = false }
  }

  private func store(_ change: (any MessageStore) throws -> Void) {
    guard let store = limits.store else { return }
    do {
      try change(store)
    } catch {
      if exchange(&storeHasFailed, with: true) { return }
      Log("runnel.bus").error(
        "Messages cannot be stored. They wait in memory only.",
        ["transport": transport.name, "error": "\(error)"])
    }
  }

  // MARK: - Sending

  private func sendNext() {
    if isSending { return }
    isSending = true
    // The transport may have gone offline, and told others before this link.
    while isActive, rest == nil, transport.state.value == .online, interrupted.isEmpty,
      onTheWay.count < window, let number = nextNumber(), let message = messages[number]
    {
      onTheWay.append(number)
      transport.send(message) { [weak self] in self?.finish(number, $0) }
    }
    isSending = false
    if count == 0, let emptied { emptied() }
  }

  private func nextNumber() -> UInt64? {
    while let number = repeats.popLast() {
      if messages[number] != nil { return number }
    }
    return waiting.popFirst { messages[$0] != nil }
  }

  private func finish(_ number: UInt64, _ result: Result<Void, TransportError>) {
    guard let index = onTheWay.firstIndex(of: number), let message = messages[number] else {
      return
    }
    onTheWay.remove(at: index)
    switch result {
    case .success:
      sentCount += 1
      nextRest = .seconds(1)
      remove(number)
    case .failure(.unreachable), .failure(.closed):
      if message.isAcknowledged { messages[number]?.isRepeated = true }
      interrupt(number, message)
    case .failure(.overloaded(let reason)):
      interrupt(number, message)
      beginRest(reason)
    case .failure(let error):
      refusedCount += 1
      remove(number)
      Log("runnel.bus").warning(
        "An event cannot be sent.",
        ["transport": transport.name, "topic": message.topic, "error": "\(error)"])
    }
    if onTheWay.isEmpty, !interrupted.isEmpty {
      repeats += exchange(&interrupted, with: []).sorted(by: >)
    }
    countLimit = max(limits.count, min(countLimit, eventCount))
    byteLimit = max(limits.bytes, min(byteLimit, eventBytes))
    if eventCount <= limits.count / 2 && eventBytes <= limits.bytes / 2 { held.resumeAll() }
    sendNext()
  }

  /// Keeps a message that was sent in vain, unless it is a sticky event with a later one.
  private func interrupt(_ number: UInt64, _ message: TransportMessage) {
    if message.kind != .event && stickyNumbers[message.topic] != number { return remove(number) }
    interrupted.append(number)
  }

  /// Sends nothing for a time, which is twice as long each time in succession.
  private func beginRest(_ reason: String) {
    if rest != nil { return }
    Log("runnel.bus").warning(
      "The peer is overloaded. The link waits.",
      ["transport": transport.name, "reason": reason, "time": "\(nextRest)"])
    rest = transport.scheduler.schedule(after: nextRest) { [weak self] in
      guard let self else { return }
      release(exchange(&rest, with: nil))
      sendNext()
    }
    nextRest = min(nextRest * 2, Self.longestRest)
  }

  /// Drops all messages. Those in a store stay there for the next run.
  func close() {
    isActive = false
    emptied = nil
    exchange(&rest, with: nil)?.dispose()
    if let store = limits.store { store.close() } else { droppedCount += count }
    messages = [:]
    stickyNumbers = [:]
    waiting = MessageNumbers()
    waitingEvents = MessageNumbers()
    repeats = []
    onTheWay = []
    interrupted = []
    eventCount = 0
    eventBytes = 0
  }
}

extension TransportMessage {
  /// The approximate memory of the message.
  var weight: Int { payload.count + topic.utf8.count + 128 }
}
