import RunnelLoop

/// Reports once that a response was written, or that it was lost.
final class ResponseDelivery {
  private var report: ((_ count: Int, _ isComplete: Bool) -> Void)?
  /// The number of bytes of the connection before the body.
  private let start: UInt64
  /// The number of bytes of the body that the queue has got.
  var count = 0

  init(_ report: @escaping (Int, Bool) -> Void, start: UInt64) {
    self.report = report
    self.start = start
  }

  /// Reports the end when the queue has written the bytes that wait in it now.
  func end(with queue: WriteQueue) {
    let isTaken = queue.write([], isForced: true) { [weak queue] error in
      if let queue { self.end(error == nil, in: queue) }
    }
    if !isTaken { end(false, in: queue) }
  }

  /// Reports that the response is complete, or that it ends too early.
  func end(_ isComplete: Bool, in queue: WriteQueue) {
    guard let report = report.take() else { return }
    let written = queue.writtenCount > start ? Int(queue.writtenCount - start) : 0
    report(isComplete ? count : min(count, written), isComplete)
  }
}
