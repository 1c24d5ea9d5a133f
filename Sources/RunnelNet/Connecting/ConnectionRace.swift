import RunnelLoop
import RunnelStreams

/// The attempts to connect to the addresses of a name: Happy Eyeballs, RFC 8305.
///
/// The families alternate, beginning with IPv6. An attempt starts 250 ms after the one before, or
/// when that has failed. If the IPv4 addresses arrive first, the race waits 50 ms for IPv6 addresses.
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
  private var unresolved = 2
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
    resolve(isIPv6: true)
    resolve(isIPv6: false)
    if let limit = options.resolvingTimeout, unresolved > 0 {
      resolving.add(
        system.scheduler.schedule(after: limit) { [weak self] in self?.stopResolving() })
    }
  }

  private func resolve(isIPv6: Bool) {
    var addresses: [SocketAddress] = []
    let observation = system.resolve(name, port: port, isIPv6: isIPv6).observe(
      next: { addresses = $0 },
      failed: { [weak self] cause in
        self?.resolutionFailure = cause
        self?.didResolve([], isIPv6: isIPv6)
      },
      completed: { [weak self] in self?.didResolve(addresses, isIPv6: isIPv6) })
    resolving.add(observation)
  }

  private func didResolve(_ addresses: [SocketAddress], isIPv6: Bool) {
    unresolved -= 1
    if isIPv6 { waiting.v6 += addresses } else { waiting.v4 += addresses }
    if mayStart {
      // The attempts so far may have failed, or wait for an answer since more than the delay.
      if !delays { startNext() }
    } else if isIPv6 && !addresses.isEmpty || unresolved == 0 {
      start()
    } else if !isIPv6 && !addresses.isEmpty {
      startTimer.set(after: Self.resolutionDelay) { [weak self] in self?.start() }
    }
  }

  private func start() {
    startTimer.cancel()
    guard !mayStart else { return }
    mayStart = true
    startNext()
  }

  private func stopResolving() {
    guard unresolved > 0 else { return }
    unresolved = 0
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
      if pending == 0 && unresolved == 0 { failFinally() }
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
