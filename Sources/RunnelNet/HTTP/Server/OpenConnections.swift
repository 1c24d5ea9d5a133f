import RunnelLoop
import RunnelStreams

/// The open connections of a server: checks their deadlines, and ends them with the server.
final class OpenConnections {
  private enum Phase {
    case serving
    /// The server ends. The closures are called when all connections are closed.
    case draining([() -> Void])
  }

  private var phase = Phase.serving
  private(set) var served: [ServerConnection] = []
  /// Connections that become secure.
  private var securing: [ObjectIdentifier: Connection] = [:]
  /// The number of checks of the deadlines.
  private(set) var tick = 0
  private let timer: RestartableTimer
  private let scheduler: any Scheduler

  /// The time between two checks of the deadlines.
  static let sweepInterval = Duration.seconds(1)

  init(on scheduler: any Scheduler) {
    self.scheduler = scheduler
    timer = RestartableTimer(on: scheduler)
  }

  /// The number of connections that are served.
  var count: Int { served.count }

  /// The number of connections that are served or become secure.
  var totalCount: Int { served.count + securing.count }

  var isDraining: Bool { if case .draining = phase { true } else { false } }

  func add(_ connection: ServerConnection) {
    connection.place = served.count
    served.append(connection)
    if served.count == 1 { setTimer() }
  }

  /// Removes a connection. Returns false if it was removed before.
  func remove(_ connection: ServerConnection) -> Bool {
    let place = connection.place
    guard place < served.count, served[place] === connection else { return false }
    let last = served.removeLast()
    if last !== connection {
      served[place] = last
      last.place = place
    }
    if served.isEmpty { timer.cancel() }
    return true
  }

  /// Adds a connection until it is secure, or has failed.
  func beginSecuring(_ connection: Connection) {
    securing[ObjectIdentifier(connection)] = connection
  }

  func endSecuring(_ connection: Connection) {
    securing[ObjectIdentifier(connection)] = nil
    finishIfDrained()
  }

  private func setTimer() {
    timer.set(after: Self.sweepInterval) { [weak self] in
      guard let self else { return }
      tick &+= 1
      // The last one takes the place of one that ends, so the order is backwards.
      for place in served.indices.reversed() where place < served.count { served[place].sweep() }
      if !served.isEmpty { setTimer() }
    }
  }

  // MARK: - Ending

  /// Begins to drain. Returns false if that has begun before.
  func beginDraining() -> Bool {
    if isDraining { return false }
    phase = .draining([])
    return true
  }

  /// Lets running requests finish, and resets the connections that are open at a deadline.
  func drain(within deadline: Duration) {
    for connection in served { connection.drain() }
    _ = scheduler.schedule(after: deadline) { [weak self] in
      guard let self else { return }
      for connection in served.map(\.connection) + securing.values { connection.reset() }
    }
  }

  /// Calls a closure when all connections are closed.
  func whenDrained(_ done: @escaping () -> Void) {
    guard case .draining(let others) = phase else { return }
    phase = .draining(others + [done])
    finishIfDrained()
  }

  func finishIfDrained() {
    guard case .draining(let closures) = phase, totalCount == 0 else { return }
    phase = .draining([])
    for done in closures { done() }
  }
}
