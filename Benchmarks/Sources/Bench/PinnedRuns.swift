import CBaseline
import Foundation
import Runnel

/// The time since its beginning.
final class Stopwatch {
  private var start = ContinuousClock.now

  func begin() { start = .now }

  var nanoseconds: Double { (ContinuousClock.now - start).nanoseconds }
}

/// The count of numbered messages, of which at most `depth` are on their way, and their time.
final class MessageCount {
  private let depth: Int
  private let count: Int
  private var sent = 0
  private var received = 0
  private var sum = 0
  private let stopwatch = Stopwatch()

  init(_ depth: Int, of count: Int) {
    self.depth = depth
    self.count = count
  }

  var hasBegun: Bool { sent > 0 }

  func begin() { stopwatch.begin() }

  /// Sends the messages that may be on their way now.
  func fill(_ send: (_ number: Int) -> Void) {
    while sent < count && sent - received < depth {
      sent += 1
      send(sent - 1)
    }
  }

  /// Counts a received message. Returns the time of each message after the last one, and nil before.
  func receive(_ number: Int) -> Double? {
    sum += number
    received += 1
    if received < count { return nil }
    let time = stopwatch.nanoseconds / Double(count)
    guard sum == count * (count - 1) / 2 else { Main.fail("Messages are missing.") }
    return time
  }
}

/// Runs programs in C on a thread of their own on the first processor.
func baseline(_ body: @escaping @Sendable () -> Double) -> Double {
  // Safety: read after the thread has ended.
  nonisolated(unsafe) var time = 0.0
  inThread {
    net_pin()
    time = body()
  }()
  return time
}

/// Runs a closure on a new loop on the first processor, until it calls `finish` with a time.
func onLoop(
  _ begin: @escaping @Sendable (EventLoop, _ finish: @escaping (Double) -> Void) throws -> Void
) -> Double {
  let loop = EventLoop(name: "bench")
  let done = DispatchSemaphore(value: 0)
  // Safety: read after the signal.
  nonisolated(unsafe) var time = 0.0
  loop.execute {
    net_pin()
    do {
      try begin(loop) {
        time = $0
        // The connections are closed before the loop ends.
        _ = loop.schedule(after: .milliseconds(20)) { done.signal() }
      }
    } catch {
      Main.fail("\(error)")
    }
  }
  done.wait()
  loop.stop()
  loop.join()
  return time
}
