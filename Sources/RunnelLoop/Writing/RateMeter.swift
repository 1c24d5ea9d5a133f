import RunnelStreams

/// A limit of bytes per second. Unused bytes of up to one tenth of a second accumulate.
package final class RateMeter {
  private let bytesPerSecond: Double
  private let burst: Double
  private let timer: RestartableTimer
  private var tokens: Double
  private var last: Duration

  package init(bytesPerSecond: Int, on scheduler: any Scheduler) {
    require(bytesPerSecond > 0, "A rate limit must be positive. Use nil for no limit.")
    self.bytesPerSecond = Double(bytesPerSecond)
    burst = max(1, self.bytesPerSecond / 10)
    tokens = burst
    timer = RestartableTimer(on: scheduler)
    last = scheduler.now
  }

  /// The number of bytes that may be transferred now.
  package var allowance: Int {
    let now = timer.now
    tokens = min(burst, tokens + (now - last).seconds * bytesPerSecond)
    last = now
    return Int(tokens)
  }

  package func use(_ count: Int) {
    tokens -= Double(count)
  }

  /// Calls the action when bytes may be transferred again.
  package func wait(_ action: @escaping () -> Void) {
    let missing = max(1, burst / 2) - tokens
    timer.set(after: .seconds(max(0.001, missing / bytesPerSecond)), action)
  }
}

extension Duration {
  fileprivate var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
