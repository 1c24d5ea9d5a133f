import RunnelStreams

/// A description of how bytes form messages.
protocol MessageDecoder {
  associatedtype Message

  /// Returns the first message of the bytes and the number of bytes that it uses; nil if it is not
  /// complete. `bytes` is not empty and begins where the last message ended.
  mutating func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(SocketError.Cause) -> (message: Message, used: Int)?

  /// Returns the message that the end of the stream completes, if there is one.
  mutating func decodeLast(_ bytes: UnsafeRawBufferPointer) throws(SocketError.Cause) -> Message?

  /// Takes a message back after it was delivered, so that its memory can be used again.
  mutating func recycle(_ message: consuming Message)
}

extension MessageDecoder {
  mutating func recycle(_ message: consuming Message) {}
}

extension SocketError.Cause: Error {}

/// Reads the messages of a connection for one observer.
final class MessageReader<Decoder: MessageDecoder>: InputConsumer, Teardown {
  private var decoder: Decoder
  /// The connection, until the observation ends.
  private var connection: Connection?
  private let demand: Demand?
  private let observer: Observer<Decoder.Message, SocketError>

  init(
    _ decoder: Decoder, of connection: Connection, demand: Demand?,
    into observer: Observer<Decoder.Message, SocketError>
  ) {
    self.decoder = decoder
    self.connection = connection
    self.demand = demand
    self.observer = observer
    demand?.hasIncreased = { [weak self] in self?.connection?.inlet.demandHasIncreased() }
  }

  var isActive: Bool { observer.isActive }

  var wantsMore: Bool {
    if let demand, demand.count == 0 { return false }
    return observer.isActive
  }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    // An observer may release the connection.
    guard let connection else { return 0 }
    return withExtendedLifetime(connection) { consume(bytes, of: connection.inlet) }
  }

  private func consume(_ bytes: UnsafeRawBufferPointer, of inlet: Inlet) -> Int {
    var used = 0
    do throws(SocketError.Cause) {
      while used < bytes.count && wantsMore && inlet.mayDeliver {
        let left = UnsafeRawBufferPointer(rebasing: bytes[used...])
        guard let (message, count) = try decoder.decode(left) else { break }
        used += count
        demand?.use()
        observer.next(message)
        decoder.recycle(message)
      }
    } catch {
      inlet.fail(error, .read)
    }
    return used
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    guard observer.isActive, let connection else { return }
    if case .completed = termination {
      do throws(SocketError.Cause) {
        if let message = try decoder.decodeLast(rest) { observer.next(message) }
      } catch {
        let failure = SocketError(.read, "\(connection.peer)", error)
        return observer.end(.failed(failure))
      }
    }
    observer.end(termination)
  }

  func tearDown() {
    demand?.hasIncreased = nil
    guard let connection = connection.take() else { return }
    connection.inlet.stop(self)
  }
}
