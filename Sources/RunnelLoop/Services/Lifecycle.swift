import Glibc
import RunnelStreams

extension EventLoop {
  /// Runs a service on the main loop from its setup to the end of its shutdown.
  ///
  ///     let outcome = EventLoop.main.runUntilTerminated { service in
  ///       let store = try await Store.open()
  ///       service.onShutdown("store") { try await store.close() }
  ///       service.onReload { try await store.reopen() }
  ///     }
  ///     exit(outcome.exitCode)
  ///
  /// *Setup*: the closure starts the parts of the service and registers their shutdown steps. It
  /// runs on the main actor. If it throws, the service shuts down.
  ///
  /// *Shutdown*: begins once, on SIGTERM, SIGINT (Ctrl-C) or ``Lifecycle/shutDown()``. It also
  /// begins on a write to a standard output that has lost its reader (`daemon | head -1`, SIGPIPE).
  /// A setup that still runs is cancelled. The steps then run in sequence, the last added first. A
  /// step that throws does not prevent the others.
  ///
  /// *Deadlines*: the deadline of the shutdown is counted from the signal. Each step may take an
  /// equal share of the remaining time, or the limit in `Lifecycle.onShutdown(_:within:_:)`. The
  /// last step may take all of it. A step that exceeds its time is cancelled, and the next one
  /// begins. The run ends when all steps are done, or at the deadline. A step must not block the
  /// main thread: use a ``WorkerPool`` for blocking work. A second SIGINT has its previous
  /// disposition. By default it ends the process at once (exit status 130 in a shell), even if a
  /// step blocks the main thread.
  ///
  /// *Reload*: on SIGHUP. See ``Lifecycle/reloads``.
  ///
  /// *Service manager*: it is notified of readiness, reloads and shutdown. While the loop turns, it
  /// also receives watchdog notifications at half of the watchdog timeout.
  ///
  /// Exit soon after this function returns. SIGTERM, SIGHUP and SIGPIPE have no effect from then
  /// on, so that a late signal does not interrupt the remaining work.
  public func runUntilTerminated(
    deadline: Duration = .seconds(10),
    manager: ServiceManager? = .current,
    _ setUp: @escaping @MainActor (Lifecycle) async throws -> Void
  ) -> Lifecycle.Outcome {
    require(
      isMain && isCurrent,
      "runUntilTerminated needs EventLoop.main and the main thread: call it there, not in a task.")
    return MainActor.assumeIsolated {
      let lifecycle = Lifecycle(on: self, deadline, manager)
      asCurrent { lifecycle.begin(setUp) }
      run()
      return asCurrent { lifecycle.end() }
    }
  }
}

/// A service from its setup to the end of its shutdown:
/// see ``EventLoop/runUntilTerminated(deadline:manager:_:)``.
@MainActor
public final class Lifecycle {
  /// Asynchronous work on the main actor.
  public typealias Work = @MainActor () async throws -> Void

  /// Sends an element for each reload, on SIGHUP.
  ///
  /// Reloads do not overlap: signals during a reload request one more. Observers run first, then
  /// the closures of ``onReload(file:line:_:)``. No reload happens before the setup is done or after
  /// the shutdown has begun.
  public var reloads: EventStream<Void, Never> { reloading.stream }

  private enum Phase {
    case starting
    case running
    case stopping(Outcome.Reason)
  }

  private struct Step {
    let name: String
    /// The longest time that it may take; nil for a share of the remaining time.
    let limit: Duration?
    let work: Work
  }

  private struct BegunStep {
    let number: Int
    let name: String
    let task: Task<Void, Never>
  }

  private struct ReloadStep {
    let location: SourceLocation
    let work: Work
  }

  private static let log = Log("runnel.service")

  private let loop: EventLoop
  private let deadline: Duration
  private let manager: ServiceManager?
  private let observations = Disposable()
  private let reloading = PushStream<Void>()

  private var phase = Phase.starting
  /// The steps that have not begun, in the order of addition.
  private var steps: [Step] = []
  /// The steps that have begun and are not done.
  private var begunSteps: [BegunStep] = []
  private var lastNumber = 0
  /// The deadline of the shutdown, on the clock of the loop.
  private var shutdownEnd = Duration.longest
  private var reloadSteps: [ReloadStep] = []
  private var failures: [Outcome.Failure] = []
  private var isSetUp = false
  private var setup: Task<Void, Never>?
  private var reload: Task<Void, Never>?
  private var wantsReload = false
  private var shutdown: Task<Void, Never>?

  /// Observes signals after the end, so that they have no effect.
  private static var lateSignals: Disposable?

  init(on loop: EventLoop, _ deadline: Duration, _ manager: ServiceManager?) {
    self.loop = loop
    self.deadline = deadline
    self.manager = manager
  }

  // MARK: - Registration

  /// Adds a step of the shutdown. A step that is added during the shutdown runs next.
  ///
  ///     let store = try await Store.open()
  ///     service.onShutdown("store", within: .seconds(5)) { try await store.close() }
  ///
  /// A step that exceeds its limit is cancelled, and the next one begins. Without a limit, it may
  /// take an equal share of the time until the deadline of the shutdown.
  public func onShutdown(_ name: String, within limit: Duration? = nil, _ work: @escaping Work) {
    steps.append(Step(name: name, limit: limit, work: work))
  }

  /// Adds a step of the shutdown that ends when a completable completes.
  ///
  ///     service.onShutdown("connections", closing)
  public func onShutdown<Failure: Error>(
    _ name: String, within limit: Duration? = nil, _ work: Completable<Failure>
  ) {
    onShutdown(name, within: limit) { try await work.completion() }
  }

  /// Adds an action for each reload, after those that were added before. An error goes to
  /// `Hooks.unhandledFailure`, and the service continues.
  public func onReload(
    file: StaticString = #fileID, line: UInt = #line, _ work: @escaping Work
  ) {
    reloadSteps.append(ReloadStep(location: SourceLocation(file: file, line: line), work: work))
  }

  /// Shuts the service down, as a signal would.
  public func shutDown() {
    shutDown(for: .request)
  }

  /// Sends a one-line status of the service to the service manager.
  public func report(_ status: String) {
    manager?.notify(.status(status))
  }

  /// Tells the service manager that the setup, a reload or the shutdown takes this much longer, from now
  /// on. Otherwise it may end the service (`TimeoutStartSec`). May be called again and again.
  public func extendTime(by time: Duration) {
    manager?.notify(.needsTime(time))
  }

  // MARK: - Phases

  func begin(_ setUp: @escaping @MainActor (Lifecycle) async throws -> Void) {
    observations.add(
      loop.signals(.terminate).observeNext(weak: self) { $0.shutDown(for: .signal($1)) })
    let interrupts = Disposable()
    observations.add(interrupts)
    interrupts.add(
      loop.signals(.interrupt).observeNext(weak: self) { lifecycle, signal in
        // A second SIGINT has its previous disposition.
        interrupts.dispose()
        SignalTable.stopIgnoring(.interrupt)
        lifecycle.shutDown(for: .signal(signal))
      })
    observations.add(
      loop.signals(.hangup).observeNext(weak: self) { lifecycle, _ in lifecycle.hangUp() })
    observations.add(
      loop.signals(.brokenPipe).observeNext(weak: self) { lifecycle, signal in
        if StandardOutput.hasLostReader { lifecycle.shutDown(for: .signal(signal)) }
      })
    setup = Task {
      do {
        try await setUp(self)
        isSetUp = true
        ready()
      } catch {
        isSetUp = true
        shutDown(for: .failure(error))
      }
    }
  }

  func end() -> Outcome {
    if Self.lateSignals == nil {
      Self.lateSignals = loop.signals(.terminate, .hangup, .brokenPipe).observeNext { _ in }
    }
    observations.dispose()
    for task in [setup, reload, shutdown] + begunSteps.map(\.task) { task?.cancel() }
    let unfinished =
      (isSetUp ? [] : ["setup"]) + begunSteps.map(\.name) + steps.reversed().map(\.name)
    let reason: Outcome.Reason = if case .stopping(let reason) = phase { reason } else { .stop }
    return Outcome(reason: reason, failures: failures, unfinished: unfinished)
  }

  private func ready() {
    guard case .starting = phase else { return }
    phase = .running
    Self.log.debug("The service is ready.")
    manager?.notify(.ready)
    guard let manager, let timeout = manager.watchdogTimeout else { return }
    let alarm = RestartableTimer(on: loop)
    observations.add(alarm)
    // A shorter interval would occupy the loop.
    feedWatchdog(of: manager, every: max(timeout / 2, .milliseconds(1)), with: alarm)
  }

  /// Each notification schedules the next one, so that a delayed loop does not catch up.
  private func feedWatchdog(
    of manager: ServiceManager, every interval: Duration, with alarm: RestartableTimer
  ) {
    alarm.set(after: interval) { [weak self] in
      manager.notify(.watchdog)
      self?.feedWatchdog(of: manager, every: interval, with: alarm)
    }
  }

  private func hangUp() {
    wantsReload = true
    guard reload == nil else { return }
    reload = Task {
      await setup?.value
      while wantsReload, case .running = phase {
        wantsReload = false
        await reloadOnce()
      }
      reload = nil
    }
  }

  private func reloadOnce() async {
    manager?.notify(.reloading)
    reloading.next(())
    var hasFailed = false
    for step in reloadSteps {
      do { try await step.work() } catch {
        hasFailed = true
        Hooks.report(error, ofReloadAddedAt: step.location)
      }
    }
    if !hasFailed { Self.log.info("The service was reloaded.") }
    if case .running = phase { manager?.notify(.ready) }
  }

  private func shutDown(for reason: Outcome.Reason) {
    if case .stopping = phase { return }
    phase = .stopping(reason)
    Self.log.debug("The service ends.", ["reason": "\(reason)"])
    manager?.notify(.stopping)
    setup?.cancel()
    reload?.cancel()
    shutdownEnd = loop.now.plus(max(deadline, .zero))
    observations.add(loop.schedule(at: shutdownEnd) { [loop] in loop.stop() })
    shutdown = Task {
      for task in [setup, reload] {
        if let task { _ = await isDone(task, within: share) }
      }
      while !Task.isCancelled, let step = steps.popLast() {
        let limit = step.limit ?? share
        let task = begin(step)
        if await !isDone(task, within: limit) { task.cancel() }
      }
      // Cancelled steps may finish while time remains.
      for step in begunSteps { await step.task.value }
      if !Task.isCancelled { loop.stop() }
    }
  }

  /// The time for the next step if it has no limit.
  private var share: Duration {
    max(shutdownEnd - loop.now, .zero) / (steps.count + 1)
  }

  private func begin(_ step: Step) -> Task<Void, Never> {
    lastNumber += 1
    let number = lastNumber
    let task = Task {
      do { try await step.work() } catch {
        failures.append(Outcome.Failure(step: step.name, error: error))
      }
      guard let index = begunSteps.firstIndex(where: { $0.number == number }) else { return }
      release(begunSteps.remove(at: index))
    }
    begunSteps.append(BegunStep(number: number, name: step.name, task: task))
    return task
  }

  /// Waits until a task is done or a time has passed. Returns false if it is not done by then.
  private func isDone(_ task: Task<Void, Never>, within limit: Duration) async -> Bool {
    await withCheckedContinuation { continuation in
      let race = Race(continuation)
      let alarm = RestartableTimer(on: loop)
      alarm.set(after: limit) { race.finish(false) }
      Task {
        await task.value
        alarm.cancel()
        race.finish(true)
      }
    }
  }
}

/// Resumes a continuation with the first of several results.
@MainActor private final class Race {
  private var continuation: CheckedContinuation<Bool, Never>?

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = continuation
  }

  func finish(_ result: Bool) {
    continuation.take()?.resume(returning: result)
  }
}
