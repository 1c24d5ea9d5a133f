import RunnelLoop
import RunnelNet
import RunnelStreams

/// A program that a ``Supervisor`` keeps.
///
/// The object belongs to the thread of the supervisor's loop.
public final class SupervisedChild {
  /// The name of the child.
  public let name: String
  /// The state of the child, and its numbers.
  public var row: ReadOnlyProperty<ChildRow> { current.readOnly }
  /// The lines that the child writes, if they are logged.
  public let lines = PushStream<String>()

  private let program: String
  private let arguments: [String]
  private let rules: ChildRules
  private let loop: EventLoop
  private let guardian: Guardian
  private let log: Log
  private let current: Property<ChildRow>
  /// The row that is published at the end of a transition, when observers may call back.
  private var next: ChildRow

  private var policy: RestartPolicy
  private var run: Run?
  private let timer: RestartableTimer
  private let bag = DisposeBag()
  private var wantsToRun = false
  private var isAbandoned = false

  /// A process of the child.
  private final class Run {
    let process: ChildProcess
    /// The observations that wait for its readiness.
    let readiness = Disposable()
    var readySince: Duration?
    var wasLate = false

    init(_ process: ChildProcess) {
      self.process = process
    }
  }

  init(
    _ name: String, _ program: String, _ arguments: [String], _ rules: ChildRules,
    on loop: EventLoop, _ guardian: Guardian
  ) {
    self.name = name
    self.program = program
    self.arguments = arguments
    self.rules = rules
    self.loop = loop
    self.guardian = guardian
    log = Log("runnel.supervisor", ["child": name])
    next = ChildRow(name: name)
    current = Property(next)
    policy = RestartPolicy(rules)
    timer = RestartableTimer(on: loop)
    let timer = timer
    bag.add(Disposable { timer.tearDown() })
  }

  /// True if the next child can be started: this one is ready, or not started again.
  var isSettled: Bool {
    switch next.state {
    case .running, .ended, .givenUp: true
    case .waiting, .starting, .delayed, .stopping: false
    }
  }

  /// True if a process runs, or is started later.
  var isActive: Bool { run != nil || next.state == .delayed }
  var isWaiting: Bool { next.state == .waiting }

  // MARK: - Control

  /// Starts the child, unless it runs. Restarts are counted for the limit from now on. A child that is
  /// being stopped is started when it has ended.
  public func start() {
    loop.mustBeCurrent("starting a SupervisedChild")
    guard !isAbandoned else { return }
    wantsToRun = true
    policy = RestartPolicy(rules)
    run?.wasLate = false
    if run == nil { begin() }
  }

  /// Asks the child to end, and kills its process group after the grace period. It is not started
  /// again until ``start()``.
  ///
  ///     let clock = Supervisor(on: .main).add("clock", running: "sleep", ["1000"])
  ///     clock.stop().observe(completed: { show("The clock has ended.") })
  ///
  /// *Events*: starts when it is observed, and completes when the process has ended.
  public func stop() -> Completable<Never> {
    .deferred { [self] in
      loop.mustBeCurrent("stopping a SupervisedChild")
      let stopped = run
      wantsToRun = false
      end()
      return Completable(
        current.filter { _ in self.run == nil || self.run !== stopped }.take(1)
          .ignoreElements(as: Never.self))
    }
  }

  /// Asks the child to end, if it runs, and starts it again when it has ended.
  public func restart() {
    loop.mustBeCurrent("restarting a SupervisedChild")
    guard run != nil else { return start() }
    wantsToRun = true
    policy = RestartPolicy(rules)
    run?.wasLate = false
    end()
  }

  /// Sends a signal to the process group of the child. Returns false if no process runs.
  @discardableResult
  public func send(_ signal: Signal) -> Bool { run?.process.send(signal) ?? false }

  /// Waits for its turn, unless it runs. A child that is being stopped is started when it has ended.
  func prepare() {
    if next.state == .stopping {
      start()
    } else if isSettled && run == nil {
      next.state = .waiting
      publish()
    }
  }

  /// The supervisor has ended.
  func abandon() {
    isAbandoned = true
    wantsToRun = false
    timer.tearDown()
  }

  /// Ends the present process, or the wait for the next one.
  private func end() {
    timer.cancel()
    if let run {
      run.readiness.dispose()
      // A child that is stopped already is not asked twice.
      if next.state != .stopping {
        next.state = .stopping
        run.process.terminate(with: rules.stopSignal, grace: rules.grace)
      }
    } else if next.state != .givenUp {
      next.state = .ended
    }
    publish()
  }

  // MARK: - Runs

  private func begin(again: Bool = false) {
    timer.cancel()
    if again { next.restartCount += 1 }
    do throws(ProcessError) {
      if rules.endsWithParent { guardian.start() }
      let run = Run(try ChildProcess(program, arguments, on: loop) { $0 = rules.processOptions })
      self.run = run
      let identifier = run.process.identifier
      if rules.endsWithParent { guardian.add(identifier) }
      (next.state, next.identifier, next.lastError) = (.starting, identifier, nil)
      log.debug("A child was started.", ["pid": identifier])
      observe(run)
      awaitReadiness(of: run)
      publish()
    } catch {
      next.lastError = error
      log.error("A child could not be started.", ["error": "\(error)"])
      decide(isSuccess: false, healthyFor: .zero)
    }
  }

  /// The last lines of the process may come after its end.
  private func observe(_ run: Run) {
    bag.add(run.readiness)
    let process = run.process
    // A line of the log has room for 4,096 bytes, with its name and time.
    let output = process.outputLines(longest: 3_500, dividing: true)
    let errors = process.errorLines(longest: 3_500, dividing: true)
    for (lines, name) in [(output, "output"), (errors, "error")] {
      lines.ignoreFailure().observeNext(weak: self) { [weak run] child, line in
        child.take(line, of: run, from: name)
      }.disposed(by: bag)
    }
    process.exit.observeNext(weak: self) { [weak run] child, status in
      if let run { child.finish(run, status) }
    }.disposed(by: bag)
  }

  private func take(_ line: String, of run: Run?, from stream: String) {
    if rules.output == .logged {
      Log(name).info(line, ["stream": stream])
      lines.next(line)
    }
    if case .line(let text) = rules.readiness, line.contains(text) { becomeReady(run) }
  }

  private func awaitReadiness(of run: Run) {
    timer.set(after: rules.readinessTime) { [weak self, weak run] in self?.missReadiness(run) }
    switch rules.readiness {
    case .started:
      timer.cancel()
      run.readySince = loop.now
      next.state = .running
    case .line: break
    case .notification:
      run.readiness.add(
        run.process.notification.ignoreFailure().observeNext(weak: self) { [weak run] child, _ in
          child.becomeReady(run)
        })
    case .listening(let endpoint):
      run.readiness.add(
        EventStream<Int, Never>.interval(.milliseconds(100), on: loop).startWith(0)
          .flatMapFirst { [loop] _ in
            Connection.connect(to: endpoint, on: loop).stream.ignoreFailure { _, _ in }
          }
          .take(1)
          .observeNext(weak: self) { [weak run] child, connection in
            connection.close()
            child.becomeReady(run)
          })
    }
  }

  private func becomeReady(_ run: Run?) {
    // Lines of a former process may come late.
    guard let run, self.run === run, next.state == .starting else { return }
    timer.cancel()
    run.readiness.dispose()
    run.readySince = loop.now
    next.state = .running
    log.info("A child is ready.", ["pid": run.process.identifier])
    publish()
  }

  private func missReadiness(_ run: Run?) {
    guard let run, self.run === run, next.state == .starting else { return }
    run.wasLate = true
    log.warning("A child is not ready in time, and is stopped.", ["after": rules.readinessTime])
    end()
  }

  private func finish(_ run: Run, _ status: ProcessStatus) {
    guard self.run === run else { return }
    if rules.endsWithParent { guardian.remove(run.process.identifier) }
    self.run = nil
    timer.cancel()
    run.readiness.dispose()
    (next.identifier, next.lastStatus) = (nil, status)
    let wasAsked = next.state == .stopping && !run.wasLate
    log.info("A child has ended.", ["status": "\(status)"])
    if wasAsked || !wantsToRun {
      if wantsToRun { return begin(again: true) }
      next.state = .ended
      publish()
    } else {
      let healthyFor = run.readySince.map { loop.now - $0 } ?? .zero
      decide(isSuccess: status.isSuccess && !run.wasLate, healthyFor: healthyFor)
    }
  }

  private func decide(isSuccess: Bool, healthyFor time: Duration) {
    switch policy.decide(isSuccess: isSuccess, healthyFor: time, now: loop.now) {
    case .end: next.state = .ended
    case .giveUp:
      log.error("A child has failed too often, and is given up.")
      next.state = .givenUp
    case .restart(let delay):
      log.warning("A child is started again.", ["after": delay])
      next.state = .delayed
      timer.set(after: delay) { [weak self] in self?.begin(again: true) }
    }
    publish()
  }

  /// Publishing comes last in a transition, because observers may call any method.
  private func publish() {
    if next != current.value { current.value = next }
  }
}
