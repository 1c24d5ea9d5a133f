import RunnelLoop
import RunnelStreams

/// The attempts to connect to the addresses of a name: Happy Eyeballs, RFC 8305.
///
/// The families alternate, beginning with IPv6. An attempt starts 250 ms after the one before, or
/// when that has failed. If the IPv4 addresses arrive first, the race waits 50 ms for IPv6 addresses. The
/// resolver of the C library gives both at once.
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

  /// The addresses that were not tried, by family.
  private var waiting: (v6: [SocketAddress], v4: [SocketAddress]) = ([], [])
  private var lastWasIPv6 = false
  private var isResolving = true
  /// True once the first attempt may start.
  private var mayStart = false
  private var pending = 0
  private var hasTried = false
  /// True while the next attempt waits for its delay.
  private var delays = false
  private var lastFailure: SocketError.Cause?
  private var resolutionFailure: SocketError.Cause?
  private let attempts = Disposable()
  private let nextAttempt: RestartableTimer
  private let startTimer: RestartableTimer
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
    nextAttempt = RestartableTimer(on: system.scheduler)
    startTimer = RestartableTimer(on: system.scheduler)
  }

  func begin() {
    let observation = system.resolve(name, port: port).observe(
      next: { [weak self] in self?.take($0) },
      failed: { [weak self] cause in
        self?.resolutionFailure = cause
        self?.resolvingHasEnded()
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
    waiting.v6 += addresses.filter { $0.host?.isIPv6 ?? false }
    waiting.v4 += addresses.filter { !($0.host?.isIPv6 ?? false) }
    if mayStart {
      // The attempts so far may have failed, or wait for an answer since more than the delay.
      if !delays { startNext() }
    } else if !waiting.v6.isEmpty {
      start()
    } else {
      startTimer.set(after: Self.resolutionDelay) { [weak self] in self?.start() }
    }
  }

  private func resolvingHasEnded() {
    isResolving = false
    if !mayStart { start() } else if !delays { startNext() }
  }

  private func start() {
    startTimer.cancel()
    guard !mayStart else { return }
    mayStart = true
    startNext()
  }

  private func stopResolving() {
    guard isResolving else { return }
    isResolving = false
    resolving.dispose()
    if !hasTried && waiting.v6.isEmpty && waiting.v4.isEmpty {
      return finish(.failure(Failure(operation: .resolve, cause: .timedOut(.resolving))))
    }
    start()
    if pending == 0 { startNext() }
  }

  /// Tries the next address. Fails if there is none and nothing is pending.
  private func startNext() {
    nextAttempt.cancel()
    delays = false
    guard let address = nextAddress() else {
      if pending == 0 && !isResolving { failFinally() }
      return
    }
    hasTried = true
    pending += 1
    let attempt = system.connect(to: address, options) { [weak self] result in
      guard let self else { return }
      pending -= 1
      switch result {
      case .success(let transport):
        tearDown()
        finish(.success(transport))
      case .failure(let cause):
        lastFailure = cause
        startNext()
      }
    }
    attempts.add(attempt)
    delays = true
    nextAttempt.set(after: Self.attemptDelay) { [weak self] in self?.startNext() }
  }

  private func nextAddress() -> SocketAddress? {
    let takesIPv6 = waiting.v4.isEmpty || !lastWasIPv6 && !waiting.v6.isEmpty
    guard !(takesIPv6 ? waiting.v6 : waiting.v4).isEmpty else { return nil }
    lastWasIPv6 = takesIPv6
    return takesIPv6 ? waiting.v6.removeFirst() : waiting.v4.removeFirst()
  }

  private func failFinally() {
    let failure =
      hasTried
      ? Failure(operation: .connect, cause: lastFailure ?? .unreachable)
      : Failure(operation: .resolve, cause: resolutionFailure ?? .unknownName)
    tearDown()
    finish(.failure(failure))
  }

  func tearDown() {
    attempts.dispose()
    resolving.dispose()
    nextAttempt.tearDown()
    startTimer.tearDown()
  }
}
