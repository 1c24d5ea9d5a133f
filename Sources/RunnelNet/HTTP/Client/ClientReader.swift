import RunnelStreams

/// Passes the bytes of a connection to a ``ClientConnection``, which it does not retain.
///
/// A connection retains its reader. With a weak reference, a client connection that nobody uses any
/// more is released, which closes the connection.
final class ClientReader: InputConsumer {
  weak var owner: ClientConnection?

  // Safety of `Inlet.core`: the owner retains the connection. Its release stops the inlet.
  var isActive: Bool { owner != nil }

  var wantsMore: Bool { owner?.wantsMore ?? false }

  func consume(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard let owner else { return bytes.count }
    return owner.consume(bytes)
  }

  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>) {
    owner?.end(rest, termination)
  }

  func endIsNear() {
    owner?.endIsNear()
  }
}
