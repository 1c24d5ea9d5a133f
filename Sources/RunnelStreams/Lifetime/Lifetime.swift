/// The lifetime of an object, as a stream that ends with it. Store one in the object:
///
///     final class Player: LifetimeOwner {
///       let lifetime = Lifetime()
///     }
///     let player = Player()
///     seconds.take(until: player.rx.deallocated()).observeNext { show($0) }
///
/// The object may be released on any thread, as the `deinit` of a main-actor class may run on any.
/// Each observer is notified on its own context: the actor that ``ended(isolation:)`` is called in,
/// or else the thread's context. If the object is released on that context, the observer is
/// notified at once, otherwise in a later job of the context.
public final class Lifetime: Sendable {
  private struct Waiting {
    var calls: [Int: @Sendable () -> Void] = [:]
    var last = 0
  }

  private let waiting = Monitor(Waiting())

  /// Creates the lifetime of the object that stores it.
  public init() {}

  deinit {
    let calls = waiting.withLock { $0.calls }
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call() }
  }

  /// Returns a stream that sends one element and completes when the object is released. If it is
  /// released already, the stream does so at once.
  ///
  ///     seconds.take(until: track.lifetime.ended()).observeNext { show($0) }
  ///
  /// The stream does not keep the object alive. A detached task has neither an actor nor a context.
  /// There, the task that observes must also be the one that releases the object; otherwise this
  /// traps.
  public func ended(isolation: isolated (any Actor)? = #isolation) -> EventStream<Void, Never> {
    ended(at: isolation)
  }

  /// Returns the same stream as ``ended(isolation:)`` for a given actor.
  package func ended(at actor: (any Actor)?) -> EventStream<Void, Never> {
    ended { observer in
      if actor == nil && Current.contextIfAny == nil { return Self.checkedCall(to: observer) }
      return Self.call(to: observer, at: Current.context(orOf: actor))
    }
  }

  /// The same stream for an object in the observer's own isolation domain, such as a control and
  /// its events. The compiler keeps both in one domain, or the object belongs to the main actor,
  /// which is a context.
  @usableFromInline
  package var endedAtHome: EventStream<Void, Never> {
    ended { observer in
      if let home = Current.contextIfAny { return Self.call(to: observer, at: home) }
      // Safety: without a context the object is confined to the domain of the observer, so that
      // domain also releases it.
      nonisolated(unsafe) let observer = observer
      return { Self.announce(observer) }
    }
  }

  private func ended(
    _ call: @escaping (Observer<Void, Never>) -> @Sendable () -> Void
  ) -> EventStream<Void, Never> {
    .unguarded { [weak self] observer in
      guard let self else { return Self.announce(observer) }
      let key = self.add(call(observer))
      observer.observation.add { [weak self] in self?.remove(key) }
    }
  }

  /// Returns a closure that notifies an observer on its context, and that any thread may call.
  private static func call(
    to observer: Observer<Void, Never>, at home: any ExecutionContext
  ) -> @Sendable () -> Void {
    let homeObserver = HomeObserver(observer, at: home)
    return { homeObserver.completeSoon(with: ()) }
  }

  /// Returns a closure that notifies an observer that has no context.
  private static func checkedCall(to observer: Observer<Void, Never>) -> @Sendable () -> Void {
    let strand = ConcurrentStrand.current
    // Safety: only the task or thread that observes uses it, which `require` checks.
    nonisolated(unsafe) let observer = observer
    return {
      require(
        strand == .current,
        """
        An object was released by another thread or task than the one that observes its \
        Lifetime, which has no context. Observe it in an actor or on an EventLoop.
        """)
      announce(observer)
    }
  }

  private static func announce(_ observer: Observer<Void, Never>) {
    observer.next(())
    observer.completed()
  }

  private func add(_ call: @escaping @Sendable () -> Void) -> Int {
    waiting.withLock { waiting in
      waiting.last += 1
      waiting.calls[waiting.last] = call
      return waiting.last
    }
  }

  private func remove(_ key: Int) {
    // The captures are released outside the lock, because a `deinit` may call back into it.
    release(waiting.withLock { $0.calls.removeValue(forKey: key) })
  }
}

/// An object that reports its release: it stores a ``Lifetime``.
public protocol LifetimeOwner: AnyObject, ReactiveCompatible {
  /// The lifetime, created with the object and stored only in it.
  var lifetime: Lifetime { get }
}

extension Reactive where Base: LifetimeOwner {
  /// Returns a stream that sends one element and completes when the object is released.
  ///
  ///     seconds.take(until: window.rx.deallocated()).observeNext { show($0) }
  ///
  /// The observer is notified on the context that ``Lifetime/ended(isolation:)`` describes.
  public func deallocated(
    isolation: isolated (any Actor)? = #isolation
  ) -> EventStream<Void, Never> {
    base.lifetime.ended(isolation: isolation)
  }
}

/// The task that the calling code runs in, or its thread if it does not run in a task.
private enum ConcurrentStrand: Hashable {
  case task(Int)
  case thread(UInt)

  static var current: ConcurrentStrand {
    withUnsafeCurrentTask { task in task.map { .task($0.hashValue) } } ?? .thread(callingThread())
  }
}
