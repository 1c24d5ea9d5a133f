import RunnelLoop
import RunnelNet
import RunnelStreams

/// A connection to a broker that carries packets, over a socket or a WebSocket.
final class PacketChannel {
  private enum Carrier {
    case socket(Connection)
    case webSocket(WebSocket)
  }

  private let carrier: Carrier
  private let reading = Disposable()

  init(_ connection: Connection) {
    carrier = .socket(connection)
  }

  init(_ socket: WebSocket) {
    carrier = .webSocket(socket)
  }

  private var connection: Connection {
    switch carrier {
    case .socket(let connection): connection
    case .webSocket(let socket): socket.connection
    }
  }

  /// Begins to read. The closures are not called after ``close()``.
  ///
  /// - Parameters:
  ///   - received: Called with bytes of the broker.
  ///   - ended: Called once with the reason for the end, which is nil if the broker has closed it.
  ///   - writable: Called when there is room again.
  func begin(
    received: @escaping ([UInt8]) -> Void, ended: @escaping (MQTTError?) -> Void,
    writable: @escaping () -> Void
  ) {
    // Packets of both directions do not wait for each other: a full writer must not stop the reading
    // of confirmations.
    let source = UnpausedSource()
    reading.add(
      connection.writer.isWritable.stream.observeNext { if $0 { writable() } })
    switch carrier {
    case .socket(let connection):
      reading.add(
        connection.bytes.observe(
          next: { bytes in Delivery.from(source) { received(bytes) } },
          failed: { ended(.connection($0)) }, completed: { ended(nil) }))
    case .webSocket(let socket):
      reading.add(
        socket.messages.observe(
          next: { message in
            switch message {
            case .binary(let bytes): Delivery.from(source) { received(bytes) }
            case .text: ended(.brokenProtocol(.protocolError, detail: "a WebSocket carries text"))
            }
          }, failed: { ended(.webSocket($0)) }, completed: { ended(nil) }))
    }
  }

  // MARK: - Writing

  /// True if ``write(_:)`` takes the next packet.
  var isWritable: Bool { connection.writer.isWritable.value }

  /// Writes a whole packet. Returns false if the connection has ended, or if there is no room.
  func write(_ bytes: [UInt8]) -> Bool {
    switch carrier {
    case .socket(let connection): connection.write(bytes)
    case .webSocket(let socket): socket.send(bytes)
    }
  }

  /// Writes the last packet, also if there is no room.
  func writeLast(_ bytes: [UInt8]) {
    switch carrier {
    case .socket(let connection): _ = connection.core.queue.write(bytes, isForced: true)
    case .webSocket(let socket): _ = socket.send(bytes)
    }
  }

  /// The numbers of bytes that were read so far, that have reached the other side, and that wait for that.
  var traffic: (read: UInt64, written: UInt64, waiting: Int) {
    let core = connection.core
    // The system takes bytes long before a slow network does.
    let unsent = core.transport.unacknowledgedCount
    let written = core.queue.writtenCount
    return (
      core.inlet.readCount, written - min(written, UInt64(unsent)),
      core.queue.waitingCount + unsent
    )
  }

  // MARK: - Ending

  /// The reason for the end of the connection.
  var failure: MQTTError {
    connection.core.failure.map { .connection($0) } ?? .endedWithoutReason
  }

  /// Closes the connection when the waiting packets are written.
  func close() {
    reading.dispose()
    switch carrier {
    case .socket(let connection): connection.close()
    case .webSocket(let socket): socket.close()
    }
  }

  /// Closes the connection at once. Its broker has failed.
  func reset() {
    reading.dispose()
    connection.reset()
  }
}

/// A source that does not wait.
private final class UnpausedSource: PausableSource {
  func pause() {}
  func resume() {}
}
