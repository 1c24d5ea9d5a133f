import CLibevent
import Glibc
import RunnelStreams
import Synchronization

// Safety: state that is neither constant nor atomic is only used on one thread, which
// `mustBeCurrent` checks: the one that runs the loop, or while none does, the one that the idle
// loop belongs to.
/// A loop that waits for descriptors, timers, signals and jobs, and calls back on one thread.
///
///     EventLoop.main.signals(.terminate).observeNext { _ in EventLoop.main.stop() }
///     EventStream<Int, Never>.interval(.seconds(1)).observeNext { print($0) }
///     EventLoop.main.run()
///
/// ``main`` hosts the main actor and `DispatchQueue.main`. Any other loop has a thread of its own:
///
///     let worker = EventLoop(name: "worker")
///     measurements.via(worker) { $0.map(slowly) }.observeNext { show($0) }
///
/// Making a loop opens all descriptors that it needs: six, and one more for the main loop. Where the
/// limit allows fewer, that traps. To run the loop and to listen to signals needs no more.
///
/// The first loop also decides what a write to a pipe or a socket without a reader does, which ends
/// a process by default (SIGPIPE). From then on the write fails with `EPIPE`. If it is the standard
/// output that has lost its reader, as in `daemon | head -1`, the process still ends by the signal. A
/// program that has set a disposition of its own for SIGPIPE keeps it.
///
/// A loop is a scheduler and a context for streams, and an executor for actors and tasks. From other
/// threads ``execute(_:)``, ``stop()`` and what an executor does may be called; all else is for the
/// loop's own thread, and traps elsewhere (C11).
public final class EventLoop: @unchecked Sendable {
  /// The loop of the main thread.
  public static let main = EventLoop(isMain: true, name: "main")

  /// What the loop is called; also the name of its thread.
  public let name: String

  let isMain: Bool
  let mailbox = Mailbox()
  let base = EventBase()
  let agenda = TimerQueue()
  let timer = DeadlineTimer()
  @exclusivity(unchecked) var ready = JobList()
  @exclusivity(unchecked) private var spinPolicy = SpinPolicy()
  @exclusivity(unchecked) private var isWokenByJobs = false
  var watches: [ObjectIdentifier: Watch] = [:]
  /// What is read from a descriptor is read into this, and copied from it at once.
  package let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  let signalSlot = SignalSlot()
  var signalInbox: SignalInbox?
  @exclusivity(unchecked) var turns = 0
  @exclusivity(unchecked) var lag: Duration = .zero

  private enum Phase {
    /// Nobody runs it; jobs wait.
    case idle
    /// Turn follows turn.
    case running
    /// It has been told to stop, and gets there when it has run what was given before.
    case stopping
  }

  private struct RunState {
    var phase = Phase.idle
    /// How many runs have ended.
    var ended = 0
    /// The thread that an idle loop with a name belongs to: the last one that joined it, else the
    /// first one that used it. 0 if there is none.
    var idleOwner: UInt = 0
  }

  private let runState = Monitor(RunState())
  /// The thread that runs the loop, or 0; for the main loop the main thread, once that is known.
  private let thread = Atomic<UInt>(0)
  /// Whether the turn that runs is the last one.
  @exclusivity(unchecked) private var isLastTurn = false

  private init(isMain: Bool, name: String) {
    self.isMain = isMain
    self.name = name
    // Safety: the loop takes the check back before it goes.
    agenda.check = { [unowned self] in self.mustBeCurrent("disposing a timer") }
    if isMain { MainQueue.prepare() }
    _ = SignalTable.brokenPipesAreHandled
  }

  /// Makes a loop with a thread of its own, which runs from now until ``stop()``, and keeps the loop
  /// alive for so long. After that it is kept by what is observed on it, until that is disposed.
  public convenience init(name: String) {
    self.init(isMain: false, name: name)
    start()
  }

  deinit {
    // What timers and watches captured may dispose others when it goes: nothing is left to be freed
    // by then.
    agenda.check = nil
    for watch in watches.values { watch.free() }
    for watch in watches.values { watch.letGo() }
    scratch.deallocate()
  }

  /// The loop that the calling code runs on, if it runs on one.
  public static var current: EventLoop? { Current.contextIfAny as? EventLoop }

  // MARK: - Running

  /// Runs the main loop on the main thread, until ``stop()``. It may be run again after that.
  public func run() {
    mustBeMain()
    require(
      begin(),
      """
      EventLoop.main runs already: run() was called from one of its callbacks. Observe what you \
      wait for instead.
      """)
    runTurns()
  }

  /// Runs the main loop until a stream has sent an element or has ended. Returns the element; nil if
  /// there was none, or if the loop was stopped before.
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
      isMain, "EventLoop(name:) runs on a thread of its own already. After stop(), use start().")
    require(
      isCurrent, "EventLoop.main runs on the main thread only: call run() there, not in a task.")
  }

  /// Runs the main loop for so long.
  public func run(for duration: Duration) {
    run(until: EventStream<Void, Never>.timer(after: duration, on: self))
  }

  /// Ends the run of the loop, from any thread.
  ///
  /// Jobs that were given before run before; those that are given later wait until the loop runs
  /// again. Where it does not run this does nothing; `execute { loop.stop() }` ends the next run.
  public func stop() {
    let isFirst = runState.withLock { runState in
      guard runState.phase == .running else { return false }
      runState.phase = .stopping
      return true
    }
    if isFirst { execute { self.isLastTurn = true } }
  }

  /// Starts the thread of a loop that was made with a name again, after ``stop()``. Does nothing
  /// where it runs.
  public func start() {
    require(!isMain, "EventLoop.main has no thread to start: call run() on the main thread.")
    require(
      !isCurrent,
      """
      EventLoop "\(name)" cannot start itself again: it runs. After stop(), call start() on another \
      thread.
      """)
    guard begin() else { return }
    let thread = startThread {
      runnel_name_thread(self.name)
      self.runTurns()
    }
    pthread_detach(thread)
  }

  /// Waits until a loop that was made with a name has run its last job, after ``stop()``.
  ///
  /// After that the calling thread may use what the loop has left, and no other thread may, until
  /// the loop is started again or another thread joins it.
  public func join() {
    require(!isCurrent, "An EventLoop cannot wait on its own thread for that thread to end.")
    let ended = runState.withLock { $0.ended }
    // Somebody else may start the next run before this thread gets to see that the one has ended.
    _ = runState.wait { runState -> Bool? in
      guard runState.phase == .idle || runState.ended != ended else { return nil }
      if runState.phase == .idle { runState.idleOwner = callingThread() }
      return true
    }
  }

  // MARK: - Its thread

  /// Whether the calling code runs on this loop's thread.
  public var isCurrent: Bool {
    let owner = thread.load(ordering: .relaxed)
    if owner != 0 { return owner == callingThread() }
    guard isMain && isOnMainThread else { return false }
    thread.store(callingThread(), ordering: .relaxed)
    return true
  }

  /// Traps where something of the loop is used on another thread than the loop's (C11).
  ///
  /// While no thread runs it, the main loop belongs to the main thread. Any other belongs to the
  /// thread that joined it, else to the first one that uses it: it may take down what the loop has
  /// left.
  package func mustBeCurrent(_ action: @autoclosure () -> String) {
    require(
      isCurrent || isIdle(claiming: true),
      """
      \(action()) happens on the thread of its EventLoop only, here that of "\(name)". Elsewhere, \
      wrap it: loop.execute { … }, or keep what must die there in a DisposeBag made there. A loop that \
      does not run belongs to the thread that called join(), or else that used it first.
      """)
  }

  /// True on the loop's thread, and while the loop does not run, on the thread that it belongs to.
  public var admitsCaller: Bool { isCurrent || isIdle(claiming: false) }

  /// Whether no thread runs the loop, and it belongs to the calling thread; one that belongs to
  /// none may be claimed.
  private func isIdle(claiming claims: Bool) -> Bool {
    if isMain { return Current.isMainThread }
    return runState.withLock { runState in
      guard runState.phase == .idle else { return false }
      if claims && runState.idleOwner == 0 { runState.idleOwner = callingThread() }
      return runState.idleOwner == callingThread()
    }
  }

  /// Makes the loop the current one while a block runs.
  func asCurrent<Output>(_ body: () -> Output) -> Output {
    Current.with(context: self) { Current.with(scheduler: self, body) }
  }

  // MARK: - Turns

  /// How many timers, and how many jobs, run before descriptors are looked at again.
  private static let budget = 256

  /// Claims the next run, after one that is about to end. False if the loop runs.
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
    thread.store(callingThread(), ordering: .relaxed)
    signalInbox?.unblock()
    asCurrent {
      do {
        let wakeUps = try Watch(mailbox.descriptor.number, for: .arrivals, on: self) {
          self.isWokenByJobs = true
        }
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
    if !isMain { thread.store(0, ordering: .relaxed) }
    runState.withLock { runState in
      runState.phase = .idle
      runState.ended += 1
    }
  }

  private func turn() {
    turns += 1
    // One for each, or those that set themselves again would leave nothing for the others.
    var timers = Self.budget
    var jobs = Self.budget
    var before = 0
    repeat {
      before = timers + jobs
      runTimers(within: &timers)
      runJobs(within: &jobs)
    } while timers + jobs < before && timers > 0 && jobs > 0 && !isLastTurn
    if isLastTurn { return }

    if timers + jobs < 2 * Self.budget { spinPolicy.hasWorked() }
    let isIdle = timers > 0 && jobs > 0
    let looks = isIdle && SpinPolicy.isOfUse && spinPolicy.expectsJobs(at: now)
    guard isIdle && !looks && mailbox.fallAsleep() else { return base.poll(waiting: false) }
    timer.set(to: agenda.nextDeadline)
    isWokenByJobs = false
    base.poll(waiting: true)
    mailbox.wakeUp()
    if !isWokenByJobs { spinPolicy.hasWorked() }
  }

  private func runTimers(within budget: inout Int) {
    guard let first = agenda.nextDeadline else { return }
    let now = now
    // The clock begins at zero; a deadline before that may be too far away to be subtracted.
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

  /// Takes what others have given.
  func takeJobs() {
    if mailbox.empty(into: &ready) { spinPolicy.haveCome(at: now) }
  }
}
