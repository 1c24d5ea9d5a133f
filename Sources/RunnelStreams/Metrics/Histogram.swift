/// The distribution of a quantity, such as the time of requests. Any thread may record values.
///
///     let times = Metrics().histogram("job_seconds", "Time of a job.")
///     times.record(.milliseconds(12))
public final class Histogram: Sendable {
  /// The values that were recorded.
  struct Content {
    /// The number of values in each bucket, not cumulative. The last bucket has those above all limits.
    var counts: [Int]
    var sum = 0.0
  }

  /// The limits for times in seconds, from a millisecond to ten seconds.
  public static let secondLimits = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
  ]

  /// The largest value of each bucket, in ascending order.
  public let limits: [Double]
  private let state: Monitor<Content>

  init(_ limits: [Double]) {
    require(
      !limits.isEmpty && zip(limits, limits.dropFirst()).allSatisfy { $0 < $1 }
        && limits.allSatisfy { $0.isFinite },
      "The limits of a Histogram are finite and ascend: \(limits).")
    self.limits = limits
    state = Monitor(Content(counts: Array(repeating: 0, count: limits.count + 1)))
  }

  /// The number of recorded values.
  public var count: Int { content.counts.reduce(0, +) }

  /// The sum of the recorded values.
  public var sum: Double { content.sum }

  /// Records a value. An infinite value, or one that is no number, is ignored.
  public func record(_ value: Double) {
    guard value.isFinite else { return }
    let index = limits.firstIndex { value <= $0 } ?? limits.count
    state.withLock {
      $0.counts[index] += 1
      $0.sum += value
    }
  }

  /// Records a time in seconds.
  public func record(_ time: Duration) {
    record(time / .seconds(1))
  }

  var content: Content { state.withLock { $0 } }
}
