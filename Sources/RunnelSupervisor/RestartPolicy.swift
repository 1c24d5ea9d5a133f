import RunnelStreams

/// The ends of a child after which it is started again.
public enum Restart: Sendable, Hashable {
  /// Always.
  case always
  /// If its status is not a success, or if it was not ready in time.
  case onFailure
  /// Never.
  case never
}

/// The number of restarts within a time, beyond which a child is given up.
public struct RestartLimit: Sendable, Hashable {
  /// The greatest number of restarts.
  public var count: Int
  /// The time in which they are counted. A restart this long ago does not count.
  public var time: Duration

  /// Creates a limit.
  public init(_ count: Int, within time: Duration) {
    self.count = count
    self.time = time
  }
}

/// The decision about a child that has ended.
struct RestartPolicy {
  enum Decision: Equatable {
    case restart(after: Duration)
    case end
    case giveUp
  }

  private let rules: ChildRules
  private var delays: Backoff.Delays
  /// The times of the last restarts.
  private var restarts: [Duration] = []

  init(_ rules: ChildRules) {
    self.rules = rules
    delays = rules.backoff.delays()
  }

  /// Decides after a run. A run that was healthy for some time resets the delays.
  mutating func decide(isSuccess: Bool, healthyFor time: Duration, now: Duration) -> Decision {
    switch rules.restart {
    case .always: break
    case .onFailure: if isSuccess { return .end }
    case .never: return .end
    }
    if time >= rules.healthyTime { delays = rules.backoff.delays() }
    if let limit = rules.restartLimit {
      restarts.removeAll { now - $0 >= limit.time }
      guard restarts.count < limit.count else { return .giveUp }
      restarts.append(now)
    }
    return .restart(after: delays.next() ?? .zero)
  }
}
