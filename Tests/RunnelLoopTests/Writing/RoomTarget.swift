import Glibc
import RunnelLoop

/// A target with a limited room, which keeps the bytes that were written.
final class RoomTarget: WriteTarget {
  var room: Int
  /// The error of each write.
  var failure: DescriptorError?
  private(set) var bytes: [UInt8] = []
  /// The number of bytes of each call.
  private(set) var offers: [Int] = []
  private(set) var ends: [String] = []
  private var waiting: WriteQueue?

  init(room: Int = 0) {
    self.room = room
  }

  func write(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> WriteResult {
    let result = take(first.count + second.count)
    if case .count(let count) = result {
      bytes += UnsafeRawBufferPointer(rebasing: first.prefix(count))
      bytes += UnsafeRawBufferPointer(rebasing: second.prefix(max(0, count - first.count)))
    }
    return result
  }

  func send(file: Int32, at offset: Int64, count: Int) -> WriteResult { take(count) }

  private func take(_ offer: Int) -> WriteResult {
    offers.append(offer)
    if let failure { return .failed(failure) }
    let count = min(room, offer)
    room -= count
    return count == 0 ? .blocked : .count(count)
  }

  func waitForRoom(_ queue: WriteQueue) { waiting = queue }

  func becomeWritable(room: Int = 1 << 20) {
    self.room = room
    waiting.take()?.flush()
  }

  func finishWriting() { ends.append("finished") }
  func writingFailed(_ error: DescriptorError) { ends.append("failed") }
}
