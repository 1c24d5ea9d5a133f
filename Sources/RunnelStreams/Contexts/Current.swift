import Glibc

/// What the current thread works with: its scheduler and its execution context.
///
/// An event loop sets both for its thread; a test sets a ``Scheduler`` for a block. Operators that
/// need one and are given none ask here when they are observed.
public enum Current {
  /// The scheduler of this thread, if it has one. Where the main actor's code runs there always is
  /// one: real time, until an event loop or a test sets another.
  public static var schedulerIfAny: (any Scheduler)? {
    ThreadState.current.scheduler ?? (isMainThread ? MainActorScheduler.shared : nil)
  }

  /// The scheduler of this thread. Traps where there is none.
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

  /// The context of this thread, if it has one. The main thread's is the main actor's until an
  /// event loop takes it over.
  public static var contextIfAny: (any ExecutionContext)? {
    ThreadState.current.context ?? (isMainThread ? ActorContext.main : nil)
  }

  /// The context that results return to: that of the given actor, else this thread's. Traps where
  /// there is neither.
  ///
  /// An actor comes before the thread because it may borrow a loop's thread and be elsewhere the
  /// next time; it is not kept alive.
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

  /// Makes a scheduler the current one of this thread while a block runs.
  public static func with<Result, Failure: Error>(
    scheduler: any Scheduler, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    let previous = thread.scheduler
    thread.scheduler = scheduler
    defer { thread.scheduler = previous }
    return try body()
  }

  /// Makes a context the current one of this thread while a block runs.
  public static func with<Result, Failure: Error>(
    context: any ExecutionContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = ThreadState.current
    let previous = thread.context
    thread.context = context
    defer { thread.context = previous }
    return try body()
  }

  /// Whether the main actor's code runs on this thread now. That is the main thread, until an async
  /// `main` gives it up: from then on it is whichever thread serves the main queue.
  package static var isMainThread: Bool { isOnMainThread || MainQueue.isCurrent }
}

/// The queue that the main actor's jobs go through, asked without importing Dispatch, which the
/// runtime has loaded.
private enum MainQueue {
  private typealias Label = @convention(c) (UnsafeRawPointer?) -> UnsafePointer<CChar>?

  private static let label: Label? = {
    guard let symbol = dlsym(nil, "dispatch_queue_get_label") else { return nil }
    // Safety: that is the C signature of this function; a null queue means the current one.
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
