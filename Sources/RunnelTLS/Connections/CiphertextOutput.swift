import RunnelLoop
import RunnelStreams

/// The way of ciphertext from a session to the queue of the inner connection.
final class CiphertextOutput: PausableSource {
  private let queue: WriteQueue
  /// The number of times that the queue has asked to wait.
  private var pauses = 0
  /// True while ciphertext is handed to the queue.
  private var isWriting = false
  var hasRoomAgain: (() -> Void)?

  init(_ queue: WriteQueue) {
    self.queue = queue
  }

  /// True while the queue is full.
  var isBlocked: Bool { pauses > 0 }

  /// Runs steps of a session, and writes their output. Returns false if the queue has ended.
  ///
  /// While the queue is full, a step gets no room for output, so that a peer which asks for new keys
  /// again and again and reads nothing cannot fill it. `isLast` makes an exception.
  @discardableResult
  func write(from engine: TLSEngine, isLast: Bool = false, _ body: () -> Void) -> Bool {
    queue.inputOutput.withBuffer { buffer in
      let room = UnsafeMutableRawBufferPointer(
        rebasing: buffer.prefix(isBlocked && !isLast ? 0 : buffer.count))
      let count = engine.withOutput(room, body)
      if count == 0 { return true }
      isWriting = true
      defer { isWriting = false }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
      // A full queue pauses this object, not the source whose bytes lead to the write.
      return Delivery.from(self) {
        guard queue.write(raw: bytes, isForced: true) else { return false }
        queue.flush()
        return true
      }
    }
  }

  func pause() {
    pauses += 1
  }

  func resume() {
    pauses -= 1
    // Within a write, the caller goes on.
    if pauses == 0 && !isWriting { hasRoomAgain?() }
  }
}
