import RunnelLoop
import RunnelNet
import RunnelStreams

/// A program that a ``Supervisor`` keeps.
///
/// The object belongs to the thread of the supervisor's loop.
public final class SupervisedChild {
  /// The name of the child.
  public let name: String
  /// What the child does, and its numbers.
  public var row: ReadOnlyProperty<ChildRow> { current.readOnly }
  /// The lines that the child writes, if they are logged.
  public let lines = PushStream<String>()

  private let program: String
  private let arguments: [String]
  private let rules: ChildRules
  private let loop: EventLoop
  private let guardian: ParentGuard
  private let log: Log
  let current: Property<ChildRow>

  private var policy: RestartPolicy
  private var process: ChildProcess?
  /// The observations of the present process.
  private var observations = Disposable()
  private let timer: RestartableTimer
  /// The time since which the present process is ready.
  private var readySince: Duration?
  private var wasLate = false
  private var wantsToRun = false

  init(
    _ name: String, _ program: String, _ arguments: [String], _ rules: ChildRules,
    on loop: EventLoop, _ guardian: ParentGuard
  ) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.rules = rules
    self.loop = loop
    self.guardian = guardian
    log = Log("runnel.supervisor", ["child": name])
    current = Property(ChildRow(name: name))
    policy = RestartPolicy(rules)
    timer = RestartableTimer(on: loop)
  }

  deinit {
    timer.cancel()
    observations.dispose()
  }

  /// True if the next child can be started: this one is ready, or not started again.
  var isSettled: Bool {
    switch current.value.state {
    case .running, .ended, .givenUp: true
    case .waiting, .starting, .delayed, .stopping: false
    }
  }

  /// Waits for its turn, unless it runs.
  func wait() {
    if process == nil && isSettled { change { $0.state = .waiting } }
  }

  // MARK: - Control

  /// Starts the child, unless it runs already. Restarts are counted from the beginning.
  public func start() {
    loop.mustBeCurrent("starting a SupervisedChild")
    wantsToRun = true
    guard process == nil else { return }
    policy = RestartPolicy(rules)
    begin()
  }

  /// Asks the child to end, and kills its process group after the grace period. It is not started
  /// again until ``start()``.
  ///
  /// *Events*: completes when the process has ended. It ends also if nobody observes.
  @discardableResult
  public func stop() -> Completable<Never> {
    loop.mustBeCurrent("stopping a SupervisedChild")
    wantsToRun = false
    if let process {
      change { $0.state = .stopping }
      process.terminate(grace: rules.grace)
    } else if current.value.state != .givenUp {
      timer.cancel()
      change { $0.state = .ended }
    }
    return Completable(
      current.filter { $0.identifier == nil }.take(1).ignoreElements(as: Never.self))
  }

  /// Ends the process, if one runs, and starts the child again at once.
  public func restart() {
    guard process != nil else { return start() }
    stop()
    wantsToRun = true
    policy = RestartPolicy(rules)
  }

  // MARK: - Runs

  private func begin() {
    timer.cancel()
    (readySince, wasLate) = (nil, false)
    do throws(ProcessError) {
      let process = try ChildProcess(program, arguments, on: loop) { $0 = rules.processOptions }
      self.process = process
      if rules.endsWithParent { guardian.add(process.identifier) }
      observe(process)
      change { row in
        (row.state, row.identifier, row.lastError) = (.starting, process.identifier, nil)
      }
      log.debug("A child was started.", ["pid": process.identifier])
      awaitReadiness(of: process)
    } catch {
      change { $0.lastError = error }
      log.error("A child could not be started.", ["error": "\(error)"])
      decide(isSuccess: false)
    }
  }

  private func observe(_ process: ChildProcess) {
    observations = Disposable()
    // A log has at most this much room for a line.
    let output = process.outputLines(longest: 4_096, dividing: true)
    let errors = process.errorLines(longest: 4_096, dividing: true)
    for lines in [output, errors] {
      observations.add(lines.ignoreFailure().observeNext(weak: self) { $0.take($1) })
    }
    observations.add(process.exit.observeNext(weak: self) { $0.end($1) })
  }

  private func take(_ line: String) {
    if rules.output == .logged {
      Log(name).info(line)
      lines.next(line)
    }
    if case .line(let text) = rules.readiness, line.contains(text) { becomeReady() }
  }

  private func awaitReadiness(of process: ChildProcess) {
    timer.set(after: rules.readinessTime) { [weak self] in self?.missReadiness() }
    switch rules.readiness {
    case .started: becomeReady()
    case .line: break
    case .notification:
      observations.add(
        process.notification.ignoreFailure().observeNext(weak: self) { child, _ in
          child.becomeReady()
        })
    case .listening(let address):
      observations.add(
        EventStream<Int, Never>.interval(.milliseconds(100), on: loop).startWith(0)
          .flatMapFirst { [loop] _ in
            Connection.connect(to: address, on: loop).stream.ignoreFailure { _, _ in }
          }
          .observeNext(weak: self) { child, connection in
            connection.close()
            child.becomeReady()
          })
    }
  }

  private func becomeReady() {
    guard current.value.state == .starting else { return }
    timer.cancel()
    readySince = loop.now
    change { $0.state = .running }
    log.info("A child is ready.", ["pid": current.value.identifier ?? 0])
  }

  private func missReadiness() {
    wasLate = true
    log.warning("A child is not ready in time, and is stopped.", ["after": rules.readinessTime])
    process?.terminate(grace: rules.grace)
  }

  private func end(_ status: ProcessStatus) {
    if rules.endsWithParent, let process { guardian.remove(process.identifier) }
    process = nil
    timer.cancel()
    let wasAsked = current.value.state == .stopping
    change { row in
      (row.state, row.identifier, row.lastStatus) = (wasAsked ? .ended : .delayed, nil, status)
    }
    if !wasAsked { return decide(isSuccess: status.isSuccess && !wasLate) }
    log.info("A child has ended.", ["status": status])
    if wantsToRun { begin() }
  }

  private func decide(isSuccess: Bool) {
    let healthyFor = readySince.map { loop.now - $0 } ?? .zero
    let status = current.value.lastStatus.map { "\($0)" } ?? "not started"
    switch policy.decide(isSuccess: isSuccess, healthyFor: healthyFor, now: loop.now) {
    case .end:
      log.info("A child has ended.", ["status": status])
      change { $0.state = .ended }
    case .giveUp:
      log.error("A child has failed too often, and is given up.", ["status": status])
      change { $0.state = .givenUp }
    case .restart(let delay):
      log.warning("A child has ended, and is started again.", ["status": status, "after": delay])
      change { row in
        row.state = .delayed
        row.restartCount += 1
      }
      timer.set(after: delay) { [weak self] in self?.begin() }
    }
  }

  private func change(_ body: (inout ChildRow) -> Void) {
    var row = current.value
    body(&row)
    if row != current.value { current.value = row }
  }
}
