import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams

/// One end of a connection of a ``TestNetwork``.
final class TestTransport: Transport {
  let local: SocketAddress
  let peer: SocketAddress
  var receiver: (any TransportReceiver)?
  /// The other end. It is retained because the network has no wires of its own.
  var other: TestTransport?
  /// True if everything that this end sends is lost.
  var isCut = false

  /// A finished end can still read.
  private enum Output { case open, finished, closed }

  private let network: TestNetwork
  private var arrived: [UInt8] = []
  /// The number of bytes on their way to this end.
  private var onTheWay = 0
  /// The result of reading after the bytes that have arrived.
  private var resultWhenEmpty = ReadResult.blocked
  private var output = Output.open
  private var blocked: WriteQueue?

  init(local: SocketAddress, peer: SocketAddress, on network: TestNetwork) {
    self.local = local
    self.peer = peer
    self.network = network
  }

  var socket: Int32? { nil }
  /// As if the other end acknowledged what its program reads.
  var unacknowledgedCount: Int { other.map { $0.onTheWay + $0.arrived.count } ?? 0 }
  var readsCompletely: Bool { false }

  // MARK: - Reading

  func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadResult {
    if arrived.isEmpty { return resultWhenEmpty }
    let count = min(buffer.count, arrived.count, max(1, network.pieceSize))
    arrived.withUnsafeBytes {
      buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
    arrived.removeFirst(count)
    other?.roomIsAvailable()
    return .count(count)
  }

  func takeError() -> SocketError.Cause? { error }

  private var error: SocketError.Cause? {
    if case .failed(let cause) = resultWhenEmpty { cause } else { nil }
  }

  // MARK: - Writing

  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
    if error != nil { return .failed(.system(ECONNRESET)) }
    guard let other else { return .failed(.system(EPIPE)) }
    let room = network.capacity - other.arrived.count - other.onTheWay
    guard room > 0 else { return .blocked }
    let bytes = (Array(first) + Array(second)).prefix(room)
    other.onTheWay += bytes.count
    send { $0.arrive(Array(bytes)) }
    return .count(bytes.count)
  }

  func waitForRoom(_ queue: WriteQueue) {
    blocked = queue
  }

  private func roomIsAvailable() {
    guard let queue = blocked.take() else { return }
    _ = network.schedule(after: .zero) { queue.flush() }
  }

  func finishWriting() {
    finish()
    receiver?.writingHasFinished()
  }

  func writingFailed(_ error: DescriptorError) {
    receiver?.writingFailed(error)
  }

  private func finish() {
    guard output == .open else { return }
    output = .finished
    send { $0.end() }
  }

  /// Calls a closure with the other end when what is sent now arrives there.
  private func send(_ arrival: @escaping (TestTransport) -> Void) {
    guard !isCut, let other else { return }
    _ = network.schedule(after: network.latency) { arrival(other) }
  }

  // MARK: - Arrivals

  private func arrive(_ bytes: [UInt8]) {
    onTheWay -= bytes.count
    if output == .closed {
      // Bytes for a closed end reset the connection.
      return send { $0.fail(.reset) }
    }
    // A failed end drops the bytes, so its peer is never blocked.
    if error == nil { arrived += bytes }
    receiver?.transportIsReadable()
  }

  private func end() {
    if error == nil { resultWhenEmpty = .end }
    receiver?.peerHasFinished()
  }

  func fail(_ cause: SocketError.Cause) {
    if error != nil || output == .closed { return }
    resultWhenEmpty = .failed(cause)
    arrived = []
    receiver?.transportIsReadable()
  }

  func close(reset: Bool) {
    if output == .closed { return }
    blocked = nil
    if reset { send { $0.fail(.reset) } } else { finish() }
    output = .closed
    arrived = []
    guard let other else { return }
    other.roomIsAvailable()
    // The end that is closed last breaks the cycle.
    if other.output == .closed {
      self.other = nil
      other.other = nil
    }
  }
}
