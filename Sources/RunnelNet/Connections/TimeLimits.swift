import RunnelLoop
import RunnelStreams

/// The times after which a ``Connection`` fails. `nil` means no limit.
public struct TimeLimits: Hashable, Sendable {
  /// The time without a byte in either direction. It does not run while reading is paused because the
  /// program is behind and nothing waits to be written.
  public var idle: Duration?
  /// The time without a byte from the peer while a stream of the connection is observed and is not
  /// paused.
  public var reading: Duration?
  /// The time in which none of the waiting bytes is written.
  public var writing: Duration?
  /// The time since the limits were set.
  public var total: Duration?

  /// Creates limits.
  public init(
    idle: Duration? = nil, reading: Duration? = nil, writing: Duration? = nil,
    total: Duration? = nil
  ) {
    self.idle = idle
    self.reading = reading
    self.writing = writing
    self.total = total
  }
}

/// The deadlines of a connection with time limits. One timer serves all of them.
final class Deadlines {
  let limits: TimeLimits
  // Safety: the state of the connection owns this object, and stops it when it is closed.
  private unowned let core: ConnectionCore
  private let scheduler: any Scheduler
  private let timer: RestartableTimer
  private let start: Duration
  private var lastRead: Duration
  private var lastWrite: Duration
  /// The time for which the timer is set.
  private var nextCheck = Duration.longest
  /// The time since which a consumer waits for bytes.
  private var readingSince: Duration?
  /// The time since which the connection is not read.
  private var pausedSince: Duration?

  init(_ limits: TimeLimits, of core: ConnectionCore) {
    self.limits = limits
    self.core = core
    scheduler = core.scheduler
    timer = RestartableTimer(on: scheduler)
    start = scheduler.now
    lastRead = start
    lastWrite = start
    readingSince = core.inlet.waitsForBytes ? start : nil
    pausedSince = core.inlet.isPaused ? start : nil
    core.queue.activity = { [weak self] in self?.writingMoved() }
    check()
  }

  func didRead() {
    lastRead = scheduler.now
  }

  /// The connection is not read for a time.
  func pauseHasBegun() {
    pausedSince = scheduler.now
    reading(waits: false)
  }

  /// The connection is read again. The time of the pause does not count.
  func pauseHasEnded() {
    let now = scheduler.now
    if let start = pausedSince.take() { lastRead += now - max(start, lastRead) }
    if let idle = limits.idle { check(at: lastRead.plus(idle)) }
  }

  /// A consumer begins or stops to wait for bytes.
  func reading(waits: Bool) {
    guard let limit = limits.reading, waits != (readingSince != nil) else { return }
    readingSince = waits ? scheduler.now : nil
    if let readingSince { check(at: readingSince.plus(limit)) }
  }

  private func writingMoved() {
    lastWrite = scheduler.now
    if let writing = limits.writing { check(at: lastWrite.plus(writing)) }
    if let idle = limits.idle { check(at: lastWrite.plus(idle)) }
  }

  /// Sets the timer, unless it is set for an earlier time.
  private func check(at time: Duration) {
    guard time < nextCheck else { return }
    nextCheck = time
    timer.set(at: time) { [weak self] in self?.check() }
  }

  func stop() {
    timer.tearDown()
    core.queue.activity = nil
  }

  /// Fails the connection if a deadline has passed, or else waits for the next one.
  private func check() {
    let now = scheduler.now
    var deadlines: [(Duration, SocketError.TimeLimit)] = []
    func add(_ limit: Duration?, since time: Duration?, _ kind: SocketError.TimeLimit) {
      guard let limit, let time else { return }
      deadlines.append((time.plus(limit), kind))
    }
    nextCheck = .longest
    add(limits.total, since: start, .total)
    let isBehind = core.inlet.isPaused && core.queue.waitingCount == 0
    add(limits.idle, since: isBehind ? nil : max(lastRead, lastWrite), .idle)
    add(limits.reading, since: readingSince.map { max(lastRead, $0) }, .reading)
    add(limits.writing, since: core.queue.waitingCount > 0 ? lastWrite : nil, .writing)
    guard let next = deadlines.min(by: { $0.0 < $1.0 }) else { return }
    if next.0 <= now {
      let operation: SocketError.Operation = next.1 == .writing ? .write : .read
      return core.fail(.timedOut(next.1), operation)
    }
    check(at: next.0)
  }
}
