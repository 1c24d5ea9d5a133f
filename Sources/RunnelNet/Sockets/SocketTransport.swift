import CSockets
import Glibc
import RunnelLoop

/// A connected socket on a loop, which it owns.
final class SocketTransport: Transport {
  @exclusivity(unchecked) var receiver: (any TransportReceiver)?

  private let loop: EventLoop
  /// The descriptor; -1 after it is closed.
  @exclusivity(unchecked) private var number: Int32
  private var watch: Watch?
  @exclusivity(unchecked) private var blockedQueue: WriteQueue?
  /// The error of the connection, once it was taken from the socket.
  private var failure: SocketError.Cause?
  /// The checks of acknowledgements; nil if there is no limit for them.
  private let checks: LateTasks?
  /// The milliseconds in which the peer must acknowledge bytes.
  private let acknowledgementLimit: UInt32
  /// The loop's milliseconds since which bytes may be on their way, while a check is planned.
  @exclusivity(unchecked) private var unacknowledgedSince: Int64 = 0
  @exclusivity(unchecked) var latePlace: Int?
  /// The accepted descriptors, if the connection accepts some.
  @exclusivity(unchecked) var passedDescriptors: (([Descriptor]) -> Void)?

  let peer: SocketAddress
  /// A read from a Unix socket also ends where descriptors were passed.
  var readsCompletely: Bool { peer.port != nil }

  /// Takes a connected socket in non-blocking mode.
  init(
    _ descriptor: consuming OwnedSocket, peer: SocketAddress, _ options: ConnectionOptions,
    on loop: EventLoop
  ) throws(DescriptorError) {
    self.loop = loop
    self.peer = peer
    let limit = peer.port == nil ? 0 : options.acknowledgementTimeout?.inMilliseconds ?? 0
    acknowledgementLimit = UInt32(clamping: limit)
    checks = limit > 0 ? loop.inputOutput.lateTasks(after: Self.checkTime(limit)) : nil
    number = descriptor.take()
    do throws(DescriptorError) {
      watch = try Watch(number, for: .socket, on: loop) { events in
        self.handle(events)
      }
    } catch {
      Glibc.close(number)
      number = -1
      throw error
    }
  }

  deinit {
    if number >= 0 { Glibc.close(number) }
  }

  var socket: Int32? { number >= 0 ? number : nil }

  var local: SocketAddress {
    var address = runnel_address()
    return runnel_local_address(number, &address) == 0 ? SocketAddress(address) : .unnamed
  }

  private func handle(_ events: Watch.Events) {
    // The last reference may be released in a callback.
    withExtendedLifetime(self) {
      if events.contains(.writable), let queue = blockedQueue.take() { queue.flush() }
      if number < 0 { return }
      if events.contains(.closed) {
        receiver?.peerHasFinished()
      }
      if number < 0 { return }
      if events.contains(.readable) { receiver?.transportIsReadable() }
    }
  }

  // MARK: - Reading

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    while true {
      let count =
        passedDescriptors == nil
        ? recv(number, buffer.baseAddress, buffer.count, 0) : receive(into: buffer)
      if count > 0 { return .count(count) }
      if count == 0 { return failure.map { .failed($0) } ?? .end }
      switch errno {
      case EAGAIN: return .blocked
      // No other edge would follow.
      case EINTR: continue
      default: return .failed(Self.cause(errno))
      }
    }
  }

  private static func cause(_ code: Int32) -> SocketError.Cause {
    code == ETIMEDOUT ? .timedOut(.acknowledgement) : SocketError.Cause(errno: code)
  }

  private func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var numbers = [Int32](repeating: -1, count: Int(runnel_most_descriptors))
    var passed = 0
    var wasCut: Int32 = 0
    let count = runnel_receive(
      number, buffer.baseAddress, buffer.count, &numbers, &passed, &wasCut)
    let code = errno
    let descriptors = numbers[..<passed].map { Descriptor(owning: $0) }
    // The system has closed some, because no more can be opened.
    if wasCut != 0 {
      errno = EMFILE
      return -1
    }
    if passed > 0 { passedDescriptors?(descriptors) }
    errno = code
    return count
  }

  func takeError() -> SocketError.Cause? {
    let code = runnel_take_error(number)
    if code != 0 { failure = Self.cause(code) }
    return failure
  }

  // MARK: - Writing

  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
    result {
      runnel_write(number, first.baseAddress, first.count, second.baseAddress, second.count)
    }
  }

  func send(file: Int32, at offset: Int64, count: Int) -> WriteResult {
    result { runnel_send_file(number, file, offset, count) }
  }

  func write(_ bytes: UnsafeRawBufferPointer, passing descriptors: [Int32]) -> WriteResult {
    result {
      runnel_pass(number, bytes.baseAddress, bytes.count, descriptors, descriptors.count)
    }
  }

  /// Calls again after an interruption, because no other edge would follow.
  private func result(_ call: () -> Int) -> WriteResult {
    var count = call()
    while count < 0 && errno == EINTR { count = call() }
    if count >= 0 {
      if latePlace == nil { awaitAcknowledgement() }
      return .count(count)
    }
    return errno == EAGAIN ? .blocked : .failed(.system(errno))
  }

  private func awaitAcknowledgement() {
    guard let checks else { return }
    unacknowledgedSince = loop.now.inMilliseconds
    checks.add(self, on: loop)
  }

  /// The time between two checks of acknowledgements: at most a fifth of the limit, and a power of two, so
  /// that connections share few timers.
  private static func checkTime(_ limit: Int64) -> Duration {
    let fifth = min(max(limit / 5, 1), 1 << 13)
    return .milliseconds(1 << (Int64.bitWidth - 1 - fifth.leadingZeroBitCount))
  }

  func waitForRoom(_ queue: WriteQueue) {
    blockedQueue = queue
  }

  func finishWriting() {
    if number >= 0 { shutdown(number, Int32(SHUT_WR)) }
    receiver?.writingHasFinished()
  }

  func writingFailed(_ error: DescriptorError) {
    receiver?.writingFailed(error)
  }

  // MARK: - End

  func close(reset: Bool) {
    guard number >= 0 else { return }
    watch?.end()
    watch = nil
    blockedQueue = nil
    passedDescriptors = nil
    checks?.remove(self)
    if reset { _ = runnel_reset_on_close(number) }
    Glibc.close(number)
    number = -1
  }
}

extension SocketTransport: LateTask {
  /// Checks whether the peer has acknowledged bytes.
  func runLate() {
    let silence = runnel_unacknowledged(number)
    // The next write begins a new wait.
    guard silence >= 0 else { return }
    if min(silence, loop.now.inMilliseconds - unacknowledgedSince) >= acknowledgementLimit {
      failure = .timedOut(.acknowledgement)
      receiver?.transportFailed(.timedOut(.acknowledgement))
    } else {
      checks?.add(self, on: loop)
    }
  }
}
