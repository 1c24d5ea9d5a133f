import Glibc
import RunnelLoop
import RunnelStreams

/// The sending direction of a ``DatagramSocket``: a queue for the time in which the system has no
/// room.
final class DatagramWriter {
  private struct Outgoing {
    let bytes: [UInt8]
    let address: SocketAddress?

    var cost: Int { bytes.count + DatagramWriter.overhead }
  }

  private let socket: BoundSocket
  private let limit: Int
  /// The first datagram that waits.
  private var first: Outgoing?
  /// The datagrams that wait after it.
  private var others = Queue<Outgoing>()
  private var waitingBytes = 0
  private let canWrite = Property(true)
  private var watch: Watch?
  private let retry: RestartableTimer

  /// The bytes that a waiting datagram counts more than it has.
  private static let overhead = 64
  /// The datagrams that are sent in one turn when there is room again.
  private static let batch = 64
  private static let pause = Duration.milliseconds(10)

  init(_ socket: BoundSocket, limit: Int) {
    self.socket = socket
    self.limit = limit
    retry = RestartableTimer(on: socket.loop)
  }

  var isWritable: ReadOnlyProperty<Bool> { canWrite.readOnly }

  var waitingCount: Int { others.count + (first == nil ? 0 : 1) }

  /// Sends a datagram, or lets it wait. Returns false if it is dropped.
  func send(_ bytes: [UInt8], to address: SocketAddress?) -> Bool {
    guard socket.isOpen else { return false }
    let datagram = Outgoing(bytes: bytes, address: address)
    guard first == nil else { return wait(datagram) }
    switch attempt(datagram) {
    case .sent: return true
    case .failed: return false
    case .blocked:
      // An observer of failures may have closed the socket, or sent another datagram.
      guard socket.isOpen else { return false }
      guard first == nil else { return wait(datagram) }
      first = datagram
      waitingBytes += datagram.cost
      waitForRoom()
      if waitingBytes >= limit { set(isWritable: false) }
      return true
    }
  }

  private func wait(_ datagram: Outgoing) -> Bool {
    // The limit is exceeded by one datagram, so that `isWritable` holds for one of any size.
    guard waitingBytes < limit else { return false }
    others.append(datagram)
    waitingBytes += datagram.cost
    if waitingBytes >= limit { set(isWritable: false) }
    return true
  }

  /// Tries once to send, and reports errors.
  private func attempt(_ datagram: Outgoing) -> SendResult {
    var wasRefused = false
    let result = socket.send(datagram.bytes, to: datagram.address, wasRefused: &wasRefused)
    if wasRefused { report(.refused, socket.peer) }
    if case .failed(let cause) = result { report(cause, datagram.address ?? socket.peer) }
    return result
  }

  private func report(_ cause: SocketError.Cause, _ address: SocketAddress?) {
    socket.failures.next(SocketError(.write, "\(address ?? socket.address)", cause))
  }

  private func set(isWritable: Bool) {
    if canWrite.value != isWritable { canWrite.value = isWritable }
  }

  // MARK: - Waiting

  private func waitForRoom() {
    // The system reports the room of a Unix socket for one peer only.
    guard socket.family != .unix || socket.peer != nil else { return retryLater() }
    guard watch == nil else { return }
    do throws(SocketError) {
      watch = try socket.watch(for: .writing) { [weak self] in self?.flush() }
    } catch {
      retryLater()
    }
  }

  private func retryLater() {
    retry.set(after: Self.pause) { [weak self] in self?.flush() }
  }

  /// Sends the datagrams for which there is room, up to one batch.
  private func flush() {
    for _ in 0..<Self.batch {
      guard let datagram = first, socket.isOpen else { break }
      if case .blocked = attempt(datagram) { break }
      guard socket.isOpen else { return }
      waitingBytes -= datagram.cost
      first = others.popFirst()
    }
    guard socket.isOpen else { return }
    if first == nil { stopWaiting() } else { waitForRoom() }
    if waitingBytes * 2 <= limit { set(isWritable: true) }
  }

  func stopWaiting() {
    watch?.end()
    watch = nil
    retry.cancel()
  }

  /// Drops the waiting datagrams, after the socket was closed.
  func discard() {
    retry.tearDown()
    first = nil
    others = Queue()
    waitingBytes = 0
    set(isWritable: false)
  }
}
