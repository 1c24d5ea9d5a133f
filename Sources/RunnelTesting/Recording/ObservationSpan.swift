import RunnelStreams

/// A period in which a test stream was observed.
public struct ObservationSpan: Hashable, Sendable {
  /// The time at which the observation started.
  public let from: Duration
  /// The time at which the observation ended, by disposal or with the stream; nil while it is
  /// active.
  public let to: Duration?

  /// Creates a period. `to` is nil for an active observation.
  public init(from: Duration, to: Duration? = nil) {
    self.from = from
    self.to = to
  }
}

extension ObservationSpan: CustomStringConvertible {
  /// The period: `1.0 seconds ..< 3.0 seconds`, or `1.0 seconds...` while active.
  public var description: String {
    if let to { "\(from) ..< \(to)" } else { "\(from)..." }
  }
}

/// A record of the observations of a test stream.
final class ObservationLog {
  private let scheduler: TestScheduler
  private(set) var spans: [ObservationSpan] = []

  init(_ scheduler: TestScheduler) {
    self.scheduler = scheduler
  }

  func enter(_ observation: Disposable) {
    let index = spans.count
    spans.append(ObservationSpan(from: scheduler.now))
    observation.add { [self] in
      spans[index] = ObservationSpan(from: spans[index].from, to: scheduler.now)
    }
  }
}
