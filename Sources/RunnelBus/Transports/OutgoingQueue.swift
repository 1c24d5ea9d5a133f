import RunnelStreams

/// The messages of a link that wait for its transport, and those that are on the way.
///
/// All messages leave in the order in which they were added. When a connection is lost, those on the
/// way are sent again before all others.
final class OutgoingQueue {
  private struct Entry {
    let number: UInt64
    var message: TransportMessage
  }

  /// The largest number of unfinished messages that a transport gets.
  private static let largestWindow = 64

  private let transport: any BusTransport
  private let limits: LinkQueue
  private let window: Int
  private var waiting = Queue<Entry>()
  /// The messages that are sent again before `waiting`, the next one at the end.
  private var repeats: [Entry] = []
  /// The messages that the transport has not finished, in order.
  private var onTheWay: [Entry] = []
  /// The messages that were on the way when the connection was lost. Nothing is sent until no message
  /// is on the way.
  private var interrupted: [Entry] = []
  private var lastNumber: UInt64 = 0
  private var byteCount = 0
  private let held = HeldSources()
  // Flags (3): the transport takes messages or not, in or outside the loop that sends; the store fails
  // or works, whatever the transport does.
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
    window = min(Self.largestWindow, limits.count)
    do {
      for (number, message) in try limits.store?.load() ?? [] {
        lastNumber = number
        byteCount += message.weight
        // The earlier run may have sent it.
        waiting.append(Entry(number: number, message: message.repeated))
      }
    } catch {
      throw .store(reason: "\(error)")
    }
  }

  var count: Int { waiting.count + repeats.count + onTheWay.count + interrupted.count }

  /// True if the queue refuses the next message.
  var isRefusing: Bool { limits.rule == .refuse && !hasRoom() && !canHold }

  /// True if there is room for a message within a multiple of the limits.
  private func hasRoom(times factor: Int = 1) -> Bool {
    count / factor < limits.count && byteCount / factor < limits.bytes
  }

  /// True if the source of the present event waits while the queue is full.
  private var canHold: Bool { isActive && Delivery.source != nil && hasRoom(times: 2) }

  // MARK: - Adding

  /// Adds a message. One that was checked by ``isRefusing`` before it was published is not refused
  /// any more: the observers on the bus have it.
  func add(_ message: TransportMessage, wasChecked: Bool) {
    if !hasRoom(), !makeRoom(), !(wasChecked && limits.rule == .refuse) {
      droppedCount += 1
      return
    }
    lastNumber += 1
    byteCount += message.weight
    store { [lastNumber] store in try store.append(message, number: lastNumber) }
    waiting.append(Entry(number: lastNumber, message: message))
    sendNext()
  }

  /// Pauses the source of the message or drops others. Returns false if the rule keeps the others.
  private func makeRoom() -> Bool {
    if canHold, let source = Delivery.source {
      held.hold(source)
      return true
    }
    guard limits.rule == .dropOldest else { return false }
    while !hasRoom(), let oldest = repeats.popLast() ?? waiting.popFirst() {
      remove(oldest)
      droppedCount += 1
    }
    return true
  }

  private func remove(_ entry: Entry) {
    byteCount -= entry.message.weight
    store { try $0.remove(number: entry.number) }
  }

  private func store(_ change: (any MessageStore) throws -> Void) {
    guard let store = limits.store else { return }
    do {
      try change(store)
      storeHasFailed = false
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
    while isActive, transport.state.value == .online, interrupted.isEmpty, onTheWay.count < window,
      let entry = repeats.popLast() ?? waiting.popFirst()
    {
      onTheWay.append(entry)
      transport.send(entry.message) { [weak self] in self?.finish(entry.number, $0) }
    }
    isSending = false
    if count == 0, let emptied { emptied() }
  }

  private func finish(_ number: UInt64, _ result: Result<Void, TransportError>) {
    guard let index = onTheWay.firstIndex(where: { $0.number == number }) else { return }
    var entry = onTheWay.remove(at: index)
    switch result {
    case .success:
      sentCount += 1
      remove(entry)
    case .failure(.unreachable), .failure(.closed):
      entry.message.isRepeated = true
      interrupted.append(entry)
    case .failure(let error):
      refusedCount += 1
      remove(entry)
      Log("runnel.bus").warning(
        "An event cannot be sent.",
        ["transport": transport.name, "topic": entry.message.topic, "error": "\(error)"])
    }
    if onTheWay.isEmpty, !interrupted.isEmpty {
      repeats += exchange(&interrupted, with: []).sorted { $0.number > $1.number }
    }
    if count <= limits.count / 2 && byteCount <= limits.bytes / 2 { held.resumeAll() }
    sendNext()
  }

  /// Drops all messages. Those in a store stay there for the next run.
  func close() {
    isActive = false
    emptied = nil
    if limits.store == nil { droppedCount += count }
    waiting = Queue()
    repeats = []
    onTheWay = []
    interrupted = []
    byteCount = 0
  }
}

extension TransportMessage {
  /// The approximate memory of the message.
  var weight: Int { payload.count + topic.utf8.count + 128 }

  var repeated: TransportMessage {
    var copy = self
    copy.isRepeated = true
    return copy
  }
}
