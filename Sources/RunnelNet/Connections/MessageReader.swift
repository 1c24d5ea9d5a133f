import RunnelStreams

/// Reads the messages of a connection for one observer.
///
/// It is not generic: the methods of a generic class are not specialised when they are called
/// through a protocol. The closures are made in ``init(_:of:demand:into:)``, which is.
final class MessageReader: InputConsumer, Teardown {
  /// The connection, until the observation ends.
  @exclusivity(unchecked) private var connection: Connection?
  private let demand: Demand?
  private let observerIsActive: () -> Bool
  /// Sends the first message, and returns the number of its bytes; nil if it is not complete.
  private let sendFirst: (UnsafeRawBufferPointer) throws(SocketError.Cause) -> Int?
  private let sendLast: (UnsafeRawBufferPointer) throws(SocketError.Cause) -> Void
  private let sendEnd: (Termination<SocketError>) -> Void

  @inline(__always)
  init<Decoder: MessageDecoder>(
    _ decoder: Decoder, of connection: Connection, demand: Demand?,
    into observer: Observer<Decoder.Message, SocketError>
  ) {
    self.connection = connection
    self.demand = demand
    let box = Box(decoder)
    observerIsActive = { observer.isActive }
    sendFirst = { (bytes) throws(SocketError.Cause) in
      guard let (message, count) = try box.decoder.decode(bytes) else { return nil }
      demand?.use()
      observer.next(message)
      box.decoder.recycle(message)
      return count
    }
    sendLast = { (bytes) throws(SocketError.Cause) in
      if let message = try box.decoder.decodeLast(bytes) { observer.next(message) }
    }
    sendEnd = { observer.end($0) }
    demand?.add(connection.inlet, of: self)
  }

  var isActive: Bool { observerIsActive() }

  var wantsMore: Bool { isActive }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    // An observer may release the connection.
    guard let connection else { return 0 }
    defer { withExtendedLifetime(connection) {} }
    let inlet = connection.inlet
    var used = 0
    do throws(SocketError.Cause) {
      while used < bytes.count && wantsMore && inlet.mayDeliver {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
        guard let count = try sendFirst(rest) else { break }
        used += count
      }
    } catch {
      connection.core.fail(error, .read)
    }
    return used
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    guard isActive, let connection else { return }
    if case .completed = termination {
      do throws(SocketError.Cause) {
        try sendLast(rest)
      } catch {
        return sendEnd(.failed(SocketError(.read, "\(connection.peer)", error)))
      }
    }
    sendEnd(termination)
  }

  func tearDown() {
    guard let connection = connection.take() else { return }
    connection.inlet.stop(self)
    demand?.remove(self)
  }
}

/// The state of a decoder, which closures share.
private final class Box<Decoder: MessageDecoder> {
  @exclusivity(unchecked) var decoder: Decoder

  init(_ decoder: Decoder) {
    self.decoder = decoder
  }
}
