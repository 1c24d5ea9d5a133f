import RunnelStreams

/// The receiver of the bytes of an ``Inlet``.
package protocol InputConsumer: AnyObject {
  /// False once its observation ends.
  var isActive: Bool { get }

  /// True if it takes bytes now.
  var wantsMore: Bool { get }

  /// True if it takes bytes also while a place after it is full. The default is false.
  var ignoresPauses: Bool { get }

  /// Reading goes on after a pause. The default does nothing.
  func pauseHasEnded()

  /// Handles bytes, and returns how many of them are used up. It gets the others again, with more.
  func consume(_ bytes: UnsafeRawBufferPointer) -> Int

  /// Handles the end, with the bytes that are not used up.
  func end(_ rest: UnsafeRawBufferPointer, _ termination: Termination<SocketError>)

  /// Handles the news that the peer has finished, or that the connection is closed. Bytes may still
  /// wait. The default does nothing.
  func endIsNear()
}

extension InputConsumer {
  package var ignoresPauses: Bool { false }
  package func pauseHasEnded() {}
  package func endIsNear() {}
}
