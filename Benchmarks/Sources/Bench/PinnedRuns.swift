import CBaseline
import Foundation
import Runnel

/// The time since its beginning.
final class Stopwatch {
  private var start = ContinuousClock.now

  func begin() { start = .now }

  var nanoseconds: Double { (ContinuousClock.now - start).nanoseconds }
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
