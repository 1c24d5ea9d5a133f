import RunnelStreams

/// When a test stream was observed, and until when.
public struct ObservationSpan: Hashable, Sendable {
  /// When the observation began.
  public let from: Duration
  /// When it was disposed, or ended with the stream; nil while it lasts.
  public let to: Duration?

  /// An observation from one time to another, or one that still lasts.
  public init(from: Duration, to: Duration? = nil) {
    self.from = from
    self.to = to
  }
}

extension ObservationSpan: CustomStringConvertible {
  /// `1.0 seconds ..< 3.0 seconds`, or `1.0 seconds...` while it lasts.
  public var description: String {
    if let to { "\(from) ..< \(to)" } else { "\(from)..." }
  }
}

/// Writes down when a test stream is observed.
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
