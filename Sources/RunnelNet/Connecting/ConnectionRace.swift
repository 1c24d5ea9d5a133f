import RunnelLoop
import RunnelStreams

/// The attempts to connect to the addresses of a name: Happy Eyeballs, RFC 8305.
///
/// The families alternate, beginning with IPv6. An attempt starts 250 ms after the one before, or
/// when that has failed. If the IPv4 addresses arrive first, the race waits 50 ms for IPv6 addresses. The
/// resolver of the C library gives both at once.
///
///     waiting ── IPv6, the end of resolving, or 50 ms ──▶ delaying (an attempt has begun)
///     delaying ── 250 ms, or a failure ──▶ delaying, or ready without an address
///     ready ── more addresses ──▶ delaying
final class ConnectionRace: Teardown {
  private static let attemptDelay = Duration.milliseconds(250)
  private static let resolutionDelay = Duration.milliseconds(50)

  private let name: String
  private let port: UInt16
  private let options: ConnectionOptions
  private let system: any NetworkSystem
  private let finish: (Result<any Transport, Failure>) -> Void

  struct Failure: Error {
    let operation: SocketError.Operation
    let cause: SocketError.Cause
  }

  private enum Phase {
    /// The first attempt may not start yet.
    case waiting
    /// The next attempt waits for its delay.
    case delaying
    /// The next attempt starts when there is an address.
    case ready
  }

  private var phase = Phase.waiting
  /// The addresses that were not tried, by family.
  private var untried: (v6: [SocketAddress], v4: [SocketAddress]) = ([], [])
  private var lastWasIPv6 = false
  private var isResolving = true
  private var pending = 0
  /// The failure of the last attempt, or of resolving if there was none.
  private var failure: Failure?
  private let attempts = Disposable()
  private let timer: RestartableTimer
  private let resolving = Disposable()

  init(
    _ name: String, port: UInt16, _ options: ConnectionOptions, _ system: any NetworkSystem,
    _ finish: @escaping (Result<any Transport, Failure>) -> Void
  ) {
    self.name = name
    self.port = port
    self.options = options
    self.system = system
    self.finish = finish
    timer = RestartableTimer(on: system.scheduler)
  }

  func begin() {
    let observation = system.resolve(name, port: port).observe(
      next: { [weak self] in self?.take($0) },
      failed: { [weak self] cause in
        self?.resolvingHasEnded(Failure(operation: .resolve, cause: cause))
      },
      completed: { [weak self] in self?.resolvingHasEnded() })
    resolving.add(observation)
    if let limit = options.resolvingTimeout, isResolving {
      resolving.add(
        system.scheduler.schedule(after: limit) { [weak self] in self?.stopResolving() })
    }
  }

  private func take(_ addresses: [SocketAddress]) {
    if addresses.isEmpty { return }
    untried.v6 += addresses.filter { $0.host?.isIPv6 ?? false }
    untried.v4 += addresses.filter { !($0.host?.isIPv6 ?? false) }
    switch phase {
    case .waiting where untried.v6.isEmpty:
      timer.set(after: Self.resolutionDelay) { [weak self] in self?.startNext() }
    // The attempts so far may have failed, or wait for an answer since more than the delay.
    case .waiting, .ready: startNext()
    case .delaying: break
    }
  }

  private func resolvingHasEnded(_ failure: Failure? = nil) {
    isResolving = false
    if self.failure == nil { self.failure = failure }
    if phase != .delaying { startNext() }
  }

  private func stopResolving() {
    guard isResolving else { return }
    resolving.dispose()
    resolvingHasEnded(Failure(operation: .resolve, cause: .timedOut(.resolving)))
  }

  /// Tries the next address. Fails if there is none and nothing is pending.
  private func startNext() {
    timer.cancel()
    phase = .ready
    guard let address = nextAddress() else {
      if pending == 0 && !isResolving {
        tearDown()
        finish(.failure(failure ?? Failure(operation: .resolve, cause: .unknownName)))
      }
      return
    }
    pending += 1
    phase = .delaying
    timer.set(after: Self.attemptDelay) { [weak self] in self?.startNext() }
    // The attempt may end at once.
    let attempt = system.connect(to: address, options) { [weak self] result in
      guard let self else { return }
      pending -= 1
      switch result {
      case .success(let transport):
        tearDown()
        finish(.success(transport))
      case .failure(let cause):
        failure = Failure(operation: .connect, cause: cause)
        startNext()
      }
    }
    attempts.add(attempt)
  }

  private func nextAddress() -> SocketAddress? {
    let takesIPv6 = untried.v4.isEmpty || !lastWasIPv6 && !untried.v6.isEmpty
    guard !(takesIPv6 ? untried.v6 : untried.v4).isEmpty else { return nil }
    lastWasIPv6 = takesIPv6
    return takesIPv6 ? untried.v6.removeFirst() : untried.v4.removeFirst()
  }

  func tearDown() {
    attempts.dispose()
    resolving.dispose()
    timer.tearDown()
  }
}
