import RunnelStreams

/// The connections of a client, by their routes.
final class ConnectionPool {
  private struct Host {
    /// Connections without a request. The one that was used last is the last one.
    var idle: [ClientConnection] = []
    /// Connections that drop the rest of a body.
    var draining: [ClientConnection] = []
    /// The number of connections that are open or are being opened.
    var count = 0
    /// Requests without a connection, in their order.
    var waiting: [ConnectionTicket] = []
  }

  let scheduler: any Scheduler
  private let dialer: ClientDialer
  private let settings: ClientSettings
  private var hosts: [ClientRoute: Host] = [:]
  private let idleTimer: RestartableTimer
  /// The time for which the timer is set.
  private var nextExpiry = Duration.longest

  init(_ dialer: ClientDialer, _ settings: ClientSettings, on scheduler: any Scheduler) {
    self.dialer = dialer
    self.settings = settings
    self.scheduler = scheduler
    idleTimer = RestartableTimer(on: scheduler)
  }

  // MARK: - Requests

  /// Asks for a connection. An unused one is delivered at once.
  func add(_ ticket: ConnectionTicket) {
    hosts[ticket.route, default: Host()].waiting.append(ticket)
    serve(ticket.route)
  }

  /// Withdraws a request for a connection.
  func remove(_ ticket: ConnectionTicket) {
    let route = ticket.route
    if let dial = ticket.dial.take() {
      hosts[route]?.count -= 1
      dial.dispose()
      serve(route)
    } else {
      hosts[route]?.waiting.removeAll { $0 === ticket }
      removeIfEmpty(route)
    }
  }

  /// Gives connections to the requests that wait, in their order.
  private func serve(_ route: ClientRoute) {
    while let host = hosts[route], let ticket = host.waiting.first {
      if let connection = host.idle.last {
        hosts[route]?.idle.removeLast()
        guard let time = connection.usableUntil, time > scheduler.now else {
          connection.close()
          continue
        }
        hosts[route]?.waiting.removeFirst()
        ticket.finish(.success(connection))
      } else if host.count < settings.maximumConnectionsPerHost {
        hosts[route]?.waiting.removeFirst()
        hosts[route]?.count += 1
        dial(ticket)
      } else {
        return
      }
    }
    removeIfEmpty(route)
  }

  private func dial(_ ticket: ConnectionTicket) {
    let dial = Disposable()
    ticket.dial = dial
    dialer.dial(ticket.route).stream.start(
      in: dial,
      next: { [self] connection in
        ticket.dial = nil
        ticket.finish(.success(ClientConnection(connection, ticket.route, settings, of: self)))
      },
      end: { [self] termination in
        guard case .failed(let error) = termination else { return }
        ticket.dial = nil
        hosts[ticket.route]?.count -= 1
        serve(ticket.route)
        ticket.finish(.failure(error))
      })
  }

  // MARK: - Connections

  /// Takes a connection back after its response.
  func recycle(_ connection: ClientConnection) {
    hosts[connection.route]?.draining.removeAll { $0 === connection }
    hosts[connection.route]?.idle.append(connection)
    serve(connection.route)
    if let time = connection.usableUntil { setTimer(for: time) }
  }

  /// Retains a connection while it drops the rest of a body.
  func keepDraining(_ connection: ClientConnection) {
    hosts[connection.route]?.draining.append(connection)
  }

  /// Forgets a connection that has ended.
  func remove(_ connection: ClientConnection) {
    let route = connection.route
    hosts[route]?.idle.removeAll { $0 === connection }
    hosts[route]?.draining.removeAll { $0 === connection }
    hosts[route]?.count -= 1
    serve(route)
  }

  private func removeIfEmpty(_ route: ClientRoute) {
    if let host = hosts[route], host.count == 0, host.waiting.isEmpty { hosts[route] = nil }
  }

  /// The number of connections that are open or are being opened.
  var count: Int { hosts.values.reduce(0) { $0 + $1.count } }

  var idleCount: Int { hosts.values.reduce(0) { $0 + $1.idle.count } }

  // MARK: - Idle connections

  func closeIdle() {
    for connection in hosts.values.flatMap(\.idle) { connection.close() }
  }

  /// Sets the timer for a connection that is unused now, unless it is set for an earlier time.
  private func setTimer(for time: Duration) {
    guard time < nextExpiry else { return }
    nextExpiry = time
    idleTimer.set(at: time) { [weak self] in self?.closeExpired() }
  }

  private func closeExpired() {
    nextExpiry = .longest
    let now = scheduler.now
    for connection in hosts.values.flatMap(\.idle) {
      // The end of another connection may have given this one to a request.
      guard let time = connection.usableUntil else { continue }
      if time <= now { connection.close() } else { setTimer(for: time) }
    }
  }
}

/// A request for a connection.
final class ConnectionTicket {
  let route: ClientRoute
  /// The observation of the operation that opens a connection.
  var dial: Disposable?
  private var deliver: ((Result<ClientConnection, HTTPClientError>) -> Void)?

  init(
    _ route: ClientRoute, _ deliver: @escaping (Result<ClientConnection, HTTPClientError>) -> Void
  ) {
    self.route = route
    self.deliver = deliver
  }

  func finish(_ result: Result<ClientConnection, HTTPClientError>) {
    deliver.take()?(result)
  }

  /// Ends the request.
  func cancel(in pool: ConnectionPool) {
    guard let deliver = deliver.take() else { return }
    pool.remove(self)
    release(deliver)
  }
}
