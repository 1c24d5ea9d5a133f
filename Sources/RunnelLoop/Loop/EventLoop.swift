import CLinux
import Glibc
import RunnelStreams
import Synchronization

// Safety: state that is neither constant nor atomic is used on one thread only. `mustBeCurrent`
// checks that this is the thread that runs the loop, or the owner of an idle loop.
/// A loop that waits for descriptors, timers, signals and jobs, and runs callbacks on one thread.
///
///     EventLoop.main.signals(.terminate).observeNext { _ in EventLoop.main.stop() }
///     EventStream<Int, Never>.interval(.seconds(1)).observeNext { print($0) }
///     EventLoop.main.run()
///
/// ``main`` hosts the main actor and `DispatchQueue.main`. Any other loop has its own thread:
///
///     let worker = EventLoop(name: "worker")
///     measurements.via(worker) { $0.map(slowly) }.observeNext { show($0) }
///
/// A loop opens all descriptors that it needs when it is created: six, and one more for the main
/// loop. It traps if the limit does not allow this. Running the loop and observing signals open no
/// others.
///
/// The first loop also installs a handler for SIGPIPE, which ends a process by default. From then
/// on, a write to a pipe or a socket without a reader fails with `EPIPE`. If the standard output
/// has lost its reader, as in `daemon | head -1`, the signal still ends the process. A disposition
/// that the program has set for SIGPIPE is kept.
///
/// A loop is a scheduler and a context for streams, and an executor for actors and tasks. Other
/// threads may call ``execute(_:)``, ``stop()`` and the methods of an executor. All other use on
/// another thread traps (C11).
public final class EventLoop: @unchecked Sendable {
  /// The loop of the main thread.
  public static let main = EventLoop(isMain: true, name: "main")

  /// The name of the loop and of its thread.
  public let name: String

  let isMain: Bool
  let mailbox = Mailbox()
  let base = EventBase()
  let agenda = TimerQueue()
  let timer = DeadlineTimer()
  @exclusivity(unchecked) var ready = JobList()
  @exclusivity(unchecked) private var spinPolicy = SpinPolicy()
  var watches: [ObjectIdentifier: Watch] = [:]
  package let inputOutput = InputOutput()
  let signalSlot = SignalSlot()
  /// Another main loop, whose sources this loop serves.
  @exclusivity(unchecked) package var guest: (any GuestLoop)?
  var signalInbox: SignalInbox?
  @exclusivity(unchecked) var turns = 0
  @exclusivity(unchecked) var lag: Duration = .zero
  /// The present turn, which a watchdog reads on its own thread.
  let activity = LoopActivity()

  /// idle → `start()` → running → `stop()` → stopping → last turn → idle
  private enum Phase {
    /// No thread runs the loop; jobs wait.
    case idle
    /// A thread runs the turns of the loop.
    case running
    /// ``stop()`` was called. The run ends after the jobs that were added before.
    case stopping
  }

  private struct RunState {
    var phase = Phase.idle
    var endedCount = 0
    /// The thread that owns an idle loop other than the main loop: the last one that joined it, or
    /// else the first one that used it. 0 if there is none.
    var idleOwner: UInt = 0
  }

  private let runState = Monitor(RunState())
  private let thread = RunningThread()
  /// True after the last job of a run. Only the loop uses it, before each job, so it needs no lock.
  @exclusivity(unchecked) private var isLastTurn = false

  private init(isMain: Bool, name: String) {
    self.isMain = isMain
    self.name = name
    agenda.check = { [weak self, thread] cancel in
      // A thread retains the loop that it runs.
      if thread.isCalling { return cancel() }
      // A loop that is being released cancels its timers itself.
      guard let self else { return }
      self.mustBeCurrent("disposing a timer")
      // The loop must not be released meanwhile, on any thread.
      withExtendedLifetime(self) { cancel() }
    }
    if isMain { MainQueue.prepare() }
    _ = SignalTable.brokenPipesAreHandled
  }

  /// Creates a loop and starts its thread. The thread runs until ``stop()`` and retains the loop.
  /// After that, each observation on the loop retains it until it is disposed.
  public convenience init(name: String) {
    self.init(isMain: false, name: name)
    start()
  }

  deinit {
    // Releasing the captures of timers and watches may dispose others, so all events are freed
    // first.
    for watch in watches.values { watch.free() }
    agenda.cancelAll()
    for watch in watches.values { watch.releaseAction() }
  }

  /// The loop that runs the calling code, or nil if no loop does.
  public static var current: EventLoop? { Current.contextIfAny as? EventLoop }

  // MARK: - Running

  /// Runs the main loop on the main thread until ``stop()``. It may be called again after that.
  public func run() {
    mustBeMain()
    require(
      begin(),
      """
      EventLoop.main runs already: run() was called inside one of its callbacks. Observe the \
      stream that you wait for instead.
      """)
    runTurns()
    Self.endRun(runState)
  }

  /// Runs the main loop until a stream sends an element or ends. Returns the element, or nil if
  /// there was none or the loop was stopped.
  ///
  ///     show(EventLoop.main.run(until: names))
  @discardableResult
  public func run<Element, Failure: Error>(
    until stream: some StreamConvertible<Element, Failure>
  ) throws(Failure) -> Element? {
    mustBeMain()
    var outcome: Result<Element?, Failure> = .success(nil)
    let observation = asCurrent {
      stream.stream.take(1).observe(
        next: { outcome = .success($0) },
        failed: {
          outcome = .failure($0)
          self.stop()
        },
        completed: { self.stop() })
    }
    if !observation.isDisposed { run() }
    asCurrent { observation.dispose() }
    return try outcome.get()
  }

  private func mustBeMain() {
    require(
      isMain, "EventLoop(name:) runs on its own thread already. After stop(), call start().")
    require(
      isCurrent, "EventLoop.main runs on the main thread only: call run() there, not in a task.")
  }

  /// Runs the main loop for a duration.
  public func run(for duration: Duration) {
    run(until: EventStream<Void, Never>.timer(after: duration, on: self))
  }

  /// Ends the run of the loop, from any thread.
  ///
  /// Jobs that were added before the call still run. Later jobs wait until the loop runs again.
  /// Does nothing if the loop does not run; `execute { loop.stop() }` ends the next run.
  public func stop() {
    let isFirst = runState.withLock { runState in
      guard runState.phase == .running else { return false }
      runState.phase = .stopping
      return true
    }
    if isFirst { execute { self.isLastTurn = true } }
  }

  /// Starts the thread of a loop other than ``main`` again, after ``stop()``. Does nothing if the
  /// loop runs.
  public func start() {
    require(!isMain, "EventLoop.main has no thread to start: call run() on the main thread.")
    require(
      !isCurrent,
      """
      EventLoop "\(name)" runs already and cannot start itself. After stop(), call start() on \
      another thread.
      """)
    guard begin() else { return }
    // Safety: balanced by `runTurns(of:)`, which the thread calls once.
    let reference = Unmanaged.passRetained(self)
    let thread = startThread { [runState] in
      Self.runTurns(of: reference)
      // The thread that joins may release the loop, so this one must not retain it any more.
      Self.endRun(runState)
    }
    pthread_detach(thread)
  }

  /// Runs a loop on the calling thread until ``stop()``, and releases it. Never inlined, so that the
  /// thread retains nothing of the loop after the return.
  @inline(never)
  private static func runTurns(of reference: Unmanaged<EventLoop>) {
    // Safety: balanced by `start()`, which retains the loop for this thread.
    let loop = reference.takeRetainedValue()
    runnel_name_thread(loop.name)
    loop.runTurns()
  }

  /// Waits until a loop other than ``main`` has run its last job, after ``stop()``. The thread of
  /// the loop no longer retains the loop then.
  ///
  /// After that the calling thread owns the idle loop and may use its streams. Ownership ends when
  /// the loop is started or another thread joins it.
  public func join() {
    require(
      !isCurrent,
      "EventLoop.join() was called on the loop's own thread. Call it on another thread.")
    let endedCount = runState.withLock { $0.endedCount }
    // Another thread may start the next run before this thread sees the end of this one.
    _ = runState.wait { runState -> Bool? in
      guard runState.phase == .idle || runState.endedCount != endedCount else { return nil }
      if runState.phase == .idle { runState.idleOwner = callingThread() }
      return true
    }
  }

  // MARK: - Thread

  /// True when the calling code runs on this loop's thread.
  public var isCurrent: Bool {
    let owner = thread.number.load(ordering: .relaxed)
    if owner != 0 { return owner == callingThread() }
    guard isMain && isOnMainThread else { return false }
    thread.number.store(callingThread(), ordering: .relaxed)
    return true
  }

  /// Traps if the calling thread is not the loop's (C11).
  ///
  /// While no thread runs it, the main loop belongs to the main thread. Any other idle loop belongs
  /// to the thread that joined it, or else to the first one that uses it. That thread may dispose
  /// the observations of the loop.
  package func mustBeCurrent(_ action: @autoclosure () -> String) {
    require(
      isCurrent || isIdle(claiming: true),
      """
      \(action()) is allowed only on the thread of its EventLoop, here "\(name)". On another \
      thread, use loop.execute { … }, or a DisposeBag that was created on the loop. A loop that \
      does not run belongs to the thread that called join(), or else to the first that used it.
      """)
  }

  /// True on the loop's thread. While the loop does not run, true on the thread that owns it.
  public var admitsCaller: Bool { isCurrent || isIdle(claiming: false) }

  /// Returns true if no thread runs the loop and the calling thread owns it. If `claims` is true, a
  /// loop without an owner is claimed.
  private func isIdle(claiming claims: Bool) -> Bool {
    if isMain { return Current.isMainThread }
    return runState.withLock { runState in
      guard runState.phase == .idle else { return false }
      if claims && runState.idleOwner == 0 { runState.idleOwner = callingThread() }
      return runState.idleOwner == callingThread()
    }
  }

  func asCurrent<Output>(_ body: () -> Output) -> Output {
    Current.with(context: self) { Current.with(scheduler: self, body) }
  }

  // MARK: - Turns

  /// The number of timers, and of jobs, that run before descriptors are polled again.
  private static let budget = 256

  /// Begins a run, after waiting for one that is about to end. Returns false if the loop runs.
  private func begin() -> Bool {
    let begins = runState.wait { runState -> Bool? in
      switch runState.phase {
      case .idle:
        runState.phase = .running
        runState.idleOwner = 0
        return true
      case .running: return false
      case .stopping: return isCurrent ? false : nil
      }
    }
    return begins ?? false
  }

  private func runTurns() {
    thread.number.store(callingThread(), ordering: .relaxed)
    activity.useThisThread()
    signalInbox?.unblock()
    asCurrent {
      do {
        let wakeUps = try Watch(mailbox.descriptor.number, for: .arrivals, on: self) {}
        let alarms = try Watch(timer.descriptor.number, for: .arrivals, on: self) {
          self.timer.hasGoneOff()
        }
        let mainQueue = isMain ? try MainQueue.watch(on: self) : nil
        while !isLastTurn { turn() }
        mainQueue?.end()
        alarms.end()
        wakeUps.end()
      } catch {
        fatalError("EventLoop \"\(name)\" cannot run. \(error)")
      }
    }
    isLastTurn = false
    activity.rest()
    if !isMain { thread.number.store(0, ordering: .relaxed) }
  }

  /// Reports the end of a run. The next one may begin on another thread.
  private static func endRun(_ runState: Monitor<RunState>) {
    runState.withLock { runState in
      runState.phase = .idle
      runState.endedCount += 1
    }
  }

  private func turn() {
    turns += 1
    activity.begin()
    // Timers and jobs have separate budgets, or one kind could starve the other.
    var timers = Self.budget
    var jobs = Self.budget
    var before = 0
    repeat {
      before = timers + jobs
      runTimers(within: &timers)
      runJobs(within: &jobs)
    } while timers + jobs < before && timers > 0 && jobs > 0 && !isLastTurn
    inputOutput.runTasks()
    if isLastTurn { return }
    let isServed = guest?.serve() ?? false
    if isLastTurn { return }

    if timers + jobs < 2 * Self.budget || isServed { spinPolicy.didOtherWork() }
    // The tasks at the end of the turn, and the guest, may have added jobs.
    let hasWork = ready.count > 0 || inputOutput.hasTasks
    let isIdle = timers > 0 && jobs > 0 && !hasWork && !isServed
    let spins = isIdle && SpinPolicy.isUseful && spinPolicy.shouldSpin(at: now)
    guard isIdle && !spins && mailbox.prepareToSleep() else { return base.poll(waiting: false) }
    timer.set(to: agenda.nextDeadline)
    activity.rest()
    base.poll(waiting: true)
    if !mailbox.endSleep() { spinPolicy.didOtherWork() }
  }

  /// Runs one turn for a guest that waits inside one of its callbacks. Returns false if the loop
  /// cannot run a turn now.
  package func turnForGuest() -> Bool {
    guard let guest, isCurrent, !base.isPolling, runState.withLock({ $0.phase != .idle }) else {
      return false
    }
    self.guest = nil
    turn()
    activity.wake()
    self.guest = guest
    return true
  }

  private func runTimers(within budget: inout Int) {
    guard let first = agenda.nextDeadline else { return }
    let now = now
    // The clock begins at zero. Subtracting an earlier deadline could overflow.
    if first <= now { lag = now - max(first, .zero) }
    while budget > 0 && !isLastTurn, let action = agenda.popFirst(dueAt: now) {
      budget -= 1
      action()
    }
  }

  private func runJobs(within budget: inout Int) {
    takeJobs()
    while budget > 0 && !isLastTurn, let job = ready.popFirst() {
      budget -= 1
      run(job)
    }
  }

  func takeJobs() {
    if mailbox.empty(into: &ready) { spinPolicy.jobsArrived(at: now) }
  }
}

/// The thread that runs a loop. It outlives the loop for timers that are disposed later.
private final class RunningThread: Sendable {
  /// The thread, or 0. For the main loop, the main thread once it is known.
  let number = Atomic<UInt>(0)

  var isCalling: Bool { number.load(ordering: .relaxed) == callingThread() }
}
