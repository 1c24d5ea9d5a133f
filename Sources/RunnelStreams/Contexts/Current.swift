import Glibc

/// The scheduler and the execution context of the current thread.
///
/// An event loop sets both for its thread. A test sets a ``Scheduler`` for the duration of a block.
/// Operators without an explicit scheduler use the current one when they are observed.
public enum Current {
  /// The scheduler of this thread, if it has one. The thread of the main actor always has one: real
  /// time, until an event loop or a test sets another.
  public static var schedulerIfAny: (any Scheduler)? {
    ThreadState.current.scheduler ?? (isMainThread ? MainActorScheduler.shared : nil)
  }

  /// The scheduler of this thread: its event loop, or a test's scheduler. On the main actor without
  /// either, it is real time. On other threads, it traps.
  public static var scheduler: any Scheduler {
    guard let scheduler = schedulerIfAny else {
      fatalError(
        """
        This thread has no scheduler for a timed operator. Observe the stream on an EventLoop, \
        or name one: debounce(for: .seconds(1), on: scheduler).
        """)
    }
    return scheduler
  }

  /// The context of this thread, if it has one. The main thread has the main actor's context until
  /// an event loop replaces it.
  public static var contextIfAny: (any ExecutionContext)? {
    ThreadState.current.context ?? (isMainThread ? ActorContext.main : nil)
  }

  /// Returns the context for results: that of the given actor, or else this thread's. Traps if
  /// there is neither.
  ///
  /// The actor has priority, because it may run on the thread of a loop now and on another thread
  /// later. The returned context does not keep the actor alive.
  public static func context(orOf actor: (any Actor)?) -> any ExecutionContext {
    if let actor {
      let threads = ThreadState.current.context
      if actor === MainActor.shared { return threads ?? ActorContext.main }
      if let threads, threads.hosts(actor) { return threads }
      return ActorContext(weakly: actor)
    }
    guard let context = contextIfAny else {
      fatalError(
        """
        This thread has no context for results to return to. Observe the stream on an EventLoop, \
        on the main thread, or in the actor in which it was made. A `remote` property does not see \
        the actor that it is asked in: there, make the handle with Remote(…).
        """)
    }
    return context
  }

  /// Sets the current scheduler of this thread while a block runs.
  public static func with<Result, Failure: Error>(
    scheduler: any Scheduler, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    let previous = thread.scheduler
    thread.scheduler = scheduler
    defer { thread.scheduler = previous }
    return try body()
  }

  /// Sets the current context of this thread while a block runs. Only for a context that runs its
  /// jobs one at a time, and runs them on this thread now: streams rely on it without a check.
  package static func with<Result, Failure: Error>(
    context: any ExecutionContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    let previous = thread.context
    thread.context = context
    defer { thread.context = previous }
    return try body()
  }

  /// True if main-actor code runs on this thread now. That is the main thread until an async `main`
  /// suspends; from then on, it is the thread that serves the main queue.
  package static var isMainThread: Bool { isOnMainThread || MainQueue.isCurrent }
}

/// The dispatch queue of the main actor's jobs. The function is looked up by name, because this
/// module links no Dispatch; if the process has loaded none, no thread serves that queue.
private enum MainQueue {
  private typealias Label = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

  private static let label: Label? = {
    guard let symbol = dlsym(nil, "dispatch_queue_get_label") else { return nil }
    // Safety: this is the C signature of the function. A null queue means the current one.
    return unsafeBitCast(symbol, to: Label.self)
  }()

  static var isCurrent: Bool {
    guard let name = label?(nil) else { return false }
    return strcmp(name, "com.apple.main-thread") == 0
  }
}

/// The scheduler and the context of one thread.
private final class ThreadState {
  private static let perThread = ThreadLocal { ThreadState() }

  static var current: ThreadState { perThread.value }

  var scheduler: (any Scheduler)?
  var context: (any ExecutionContext)?
}
