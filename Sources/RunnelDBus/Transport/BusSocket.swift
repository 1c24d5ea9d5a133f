import CSystemd
import Glibc
import RunnelLoop
import RunnelStreams

/// A connection of sd-bus whose descriptor and timer are served by an event loop.
///
/// It makes no system call while no message arrives and no call is due.
final class BusSocket {
  private enum Phase {
    case open(OpaquePointer)
    case closed
  }

  let loop: EventLoop
  private var phase: Phase
  private var readingWatch: Watch?
  private var writingWatch: Watch?
  private var filter: OpaquePointer?
  private var timer = Disposable.none
  /// The deadline of the timer, in microseconds of the monotonic clock.
  private var deadline = UInt64.max
  private(set) var isProcessing = false
  private var calls: CallTable
  var backlog = ReplyBacklog()
  let messageBytes: Int
  /// The number of messages that were given to sd-bus.
  private(set) var acceptedCount = 0

  /// Called once when the connection is authenticated. The argument is the unique name on a bus.
  var becameReady: ((String?) -> Void)?
  /// Called once when the connection is lost.
  var wasLost: ((BusError) -> Void)?
  /// Called with each message that is no reply. Returns true if the message was a call that is handled.
  var received: ((OpaquePointer) -> Bool)?
  /// Called when no message waits for room in the socket.
  var wroteAll: (() -> Void)?

  init(
    _ address: BusAddress, on loop: EventLoop, passesDescriptors: Bool
  ) throws(BusError) {
    self.loop = loop
    messageBytes = address.messageBytes
    calls = CallTable(limit: address.unansweredCalls)
    let bus = try address.open(passesDescriptors: passesDescriptors)
    phase = .open(bus)
    // Safety: the slot of the filter is released by `close()`, before this object is.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let added = sd_bus_add_filter(
      bus, &filter,
      { message, context, _ in
        guard let message, let context else { return 0 }
        // Safety: as above.
        let transport = Unmanaged<BusSocket>.fromOpaque(context).takeUnretainedValue()
        return transport.received?(message) == true ? 1 : 0
      }, context)
    if added < 0 {
      close()
      throw .cannotConnect(code: -added)
    }
    do throws(DescriptorError) {
      readingWatch = try Watch(sd_bus_get_fd(bus), for: .reading, on: loop) { [weak self] in
        self?.process()
      }
    } catch {
      close()
      throw .cannotConnect(code: EMFILE)
    }
    scheduleProcessing()
  }

  deinit {
    close()
  }

  /// The connection of sd-bus while it is open.
  var bus: OpaquePointer? {
    if case .open(let bus) = phase { return bus }
    return nil
  }

  // MARK: - Turns

  /// The number of messages that are handled before the loop serves others.
  private static let budget = 64

  private func process() {
    guard !isProcessing else { return }
    isProcessing = true
    var failure: Int32 = 0
    var budget = Self.budget
    // A handler may release this object.
    withExtendedLifetime(self) {
      // A handler may close the connection, which frees it, so it is looked up before each use. A
      // connection that is lost is not processed: sd-bus would tell its calls that they were late.
      while budget > 0, let bus, sd_bus_is_open(bus) > 0 {
        let result = sd_bus_process(bus, nil)
        if result < 0 { failure = result }
        if result <= 0 { break }
        reportReadiness()
        budget -= 1
      }
      isProcessing = false
      if failure < 0 {
        lose(isReady ? BusError(connectionCode: failure) : .cannotConnect(code: -failure))
      } else {
        update()
        if budget == 0 { scheduleProcessing() }
      }
    }
  }

  /// True since the connection was authenticated.
  var isReady: Bool { becameReady == nil }

  private func scheduleProcessing() {
    guard bus != nil else { return }
    timer.dispose()
    deadline = 0
    timer = loop.schedule(at: loop.now) { [weak self] in self?.timerFired() }
  }

  private func timerFired() {
    deadline = .max
    process()
  }

  /// Adapts the watches and the timer to the state of the connection. Called after each turn and after
  /// each message that is sent.
  func update() {
    guard !isProcessing else { return }
    reportReadiness()
    guard let bus else { return }
    guard sd_bus_is_open(bus) > 0 else {
      return lose(isReady ? .disconnected : .cannotConnect(code: ECONNREFUSED))
    }
    let waitingCount = queuedCount(bus)
    backlog.trim(to: waitingCount)
    if waitingCount == 0 { wroteAll?() }
    // The owner can have closed this object.
    guard self.bus != nil else { return }
    let events = sd_bus_get_events(bus)
    do throws(DescriptorError) {
      try watchWriting(events >= 0 && events & Int32(POLLOUT) != 0, bus)
    } catch {
      // Messages that wait could never be written.
      return lose(.limitsExceeded(errorText(EMFILE)))
    }
    var next = UInt64.max
    sd_bus_get_timeout(bus, &next)
    setTimer(to: next)
  }

  /// Reports once that the connection was authenticated, before the next message is handled.
  private func reportReadiness() {
    guard let report = becameReady, let bus, sd_bus_is_ready(bus) > 0 else { return }
    becameReady = nil
    calls.isReady = true
    startWaitingCalls()
    var name: UnsafePointer<CChar>?
    sd_bus_get_unique_name(bus, &name)
    report(name.map { String(cString: $0) })
  }

  /// Returns the number of messages that wait for room in the socket.
  func queuedCount(_ bus: OpaquePointer) -> Int {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) < 0 ? 0 : Int(clamping: count)
  }

  /// The number of messages that were written to the socket. A message that is written in part does not count:
  /// without the rest, it does not reach the peer.
  var writtenCount: Int { acceptedCount - (bus.map(queuedCount) ?? 0) }

  private func watchWriting(
    _ isNeeded: Bool, _ bus: OpaquePointer
  ) throws(DescriptorError) {
    if isNeeded && writingWatch == nil {
      writingWatch = try Watch(sd_bus_get_fd(bus), for: .writing, on: loop) { [weak self] in
        self?.process()
      }
    } else if !isNeeded, let watch = writingWatch {
      writingWatch = nil
      watch.end()
    }
  }

  private func setTimer(to next: UInt64) {
    guard next != deadline else { return }
    // An early timer is kept: it fires once in vain, which costs less than a new timer for each call.
    if next != .max && deadline < next { return }
    timer.dispose()
    deadline = next
    timer = .none
    guard next != .max else { return }
    let time = Duration.microseconds(Int64(clamping: next))
    timer = loop.schedule(at: time) { [weak self] in self?.timerFired() }
  }

  private func lose(_ error: BusError) {
    guard bus != nil else { return }
    // The owner closes this object, so that calls fail after the state of the connection has changed.
    exchange(&wasLost, with: nil)?(error)
    close()
  }

  // MARK: - Sending

  /// Sends a message that expects no reply. For a reply, `replySize` is the size of its body.
  func send(_ message: OpaquePointer, replySize: Int? = nil) throws(BusError) {
    guard let bus else { throw .disconnected }
    let result = sd_bus_send(bus, message, nil)
    if result < 0 { throw BusError(connectionCode: result) }
    acceptedCount += 1
    backlog.add(replyWithBody: replySize, waiting: queuedCount(bus))
    update()
  }

  /// Sends a call, after others have ended if `isCounted` and there are too many. The call ends once, unless
  /// it is cancelled. With `absentService`, a call that the bus cannot deliver fails with
  /// ``BusError/serviceAbsent(_:)``.
  func send(
    _ message: OpaquePointer, timeout: Duration, isCounted: Bool, hasDescriptors: Bool,
    absentService: String?,
    _ finish: @escaping (Result<BusBody, BusError>) -> Void
  ) throws(BusError) -> PendingCall {
    guard let bus else { throw .disconnected }
    let limit = max(timeout, .milliseconds(1))
    let call = PendingCall(
      transport: self, due: loop.now + limit, isCounted: isCounted,
      hasDescriptors: hasDescriptors, absentService: absentService, finish)
    if calls.mustWait(call) {
      calls.enqueue(call)
      call.wait(with: message, on: loop)
    } else {
      try start(call, message, within: limit, bus)
    }
    return call
  }

  /// Sends the calls whose turn it is.
  private func startWaitingCalls() {
    while let bus, let call = calls.dequeue() {
      guard let reference = call.takeMessage() else { continue }
      let limit = max(call.due - loop.now, .milliseconds(1))
      do throws(BusError) {
        try start(call, reference.message, within: limit, bus)
      } catch {
        call.failed(error)
      }
    }
  }

  private func start(
    _ call: PendingCall, _ message: OpaquePointer, within limit: Duration, _ bus: OpaquePointer
  ) throws(BusError) {
    let (seconds, attoseconds) = limit.components
    let microseconds =
      seconds > 1 << 40
      ? UInt64.max : UInt64(seconds) * 1_000_000 + UInt64(attoseconds / 1_000_000_000_000)
    // Safety: the table retains the call until its slot is released.
    let context = Unmanaged.passUnretained(call).toOpaque()
    let result = sd_bus_call_async(
      bus, &call.slot, message,
      { reply, context, _ in
        guard let reply, let context else { return 0 }
        // Safety: as above.
        Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue().replied(reply)
        return 1
      }, context, microseconds)
    if result < 0 { throw BusError(connectionCode: result) }
    acceptedCount += 1
    calls.add(call)
    backlog.add(replyWithBody: nil, waiting: queuedCount(bus))
    update()
  }

  /// Removes a call that has ended, and sends others that waited for it.
  func remove(_ call: PendingCall) {
    guard calls.remove(call) else { return }
    call.releaseAll()
    startWaitingCalls()
  }

  // MARK: - Closing

  /// Closes the connection at once. Calls that have not ended fail with `disconnected`. If it flushes,
  /// messages that wait are written as far as the socket has room; otherwise they are dropped.
  func close(flushing isFlushing: Bool = false) {
    guard case .open(let bus) = phase else { return }
    phase = .closed
    (becameReady, wasLost, wroteAll) = (nil, nil, nil)
    received = isFlushing ? { _ in true } : nil
    timer.dispose()
    for watch in [readingWatch, writingWatch] { watch?.end() }
    (readingWatch, writingWatch) = (nil, nil)
    let ended = calls.removeAll()
    for call in ended { call.releaseAll() }
    if isFlushing { flush(bus) }
    received = nil
    sd_bus_slot_unref(filter)
    // The owner of a given socket may keep it open, and the peer must see the end nevertheless.
    shutdown(sd_bus_get_fd(bus), Int32(SHUT_RDWR))
    sd_bus_close(bus)
    sd_bus_unref(bus)
    for call in ended { call.failed(.disconnected) }
  }
}
