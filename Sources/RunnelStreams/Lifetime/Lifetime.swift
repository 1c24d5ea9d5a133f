/// The life of an object, so that others can end with it. Keep one in the object:
///
///     final class Player: LifetimeOwner {
///       let lifetime = Lifetime()
///     }
///     let player = Player()
///     seconds.take(until: player.rx.deallocated()).observeNext { show($0) }
///
/// It may be released on any thread, as the `deinit` of a main-actor class may be. Each observer is
/// told on its own context, the actor that ``ended(isolation:)`` is called in, else that of the
/// thread: at once if the object is released there, else by the next job of the context.
public final class Lifetime: Sendable {
  private struct Waiting {
    var calls: [Int: @Sendable () -> Void] = [:]
    var last = 0
  }

  private let waiting = Monitor(Waiting())

  /// The life of the object that keeps it.
  public init() {}

  deinit {
    let calls = waiting.withLock { $0.calls }
    for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call() }
  }

  /// Sends one element when the object is gone, and completes; at once if it is gone already.
  ///
  ///     seconds.take(until: track.lifetime.ended()).observeNext { show($0) }
  ///
  /// The stream does not keep the object alive. Where there is neither an actor nor a context, as
  /// in a detached task, the task that observes must be the one that releases the object; it traps
  /// otherwise.
  public func ended(isolation: isolated (any Actor)? = #isolation) -> EventStream<Void, Never> {
    ended(at: isolation)
  }

  /// The same for those who have been given the actor.
  package func ended(at actor: (any Actor)?) -> EventStream<Void, Never> {
    ended { observer in
      if actor == nil && Current.contextIfAny == nil { return Self.call(toHomeless: observer) }
      return Self.call(to: observer, at: Current.context(orOf: actor))
    }
  }

  /// The same for what is tied to an object of the observer's own domain, such as a control and its
  /// events: the compiler keeps both in one domain, unless the object belongs to the main actor,
  /// which is a context.
  package var endedAtHome: EventStream<Void, Never> {
    ended { observer in
      if let home = Current.contextIfAny { return Self.call(to: observer, at: home) }
      // Safety: without a context the object is confined to the domain of the observer, which is
      // therefore the one that releases it.
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

  /// What tells an observer of a context, wherever it is called from.
  private static func call(
    to observer: Observer<Void, Never>, at home: any ExecutionContext
  ) -> @Sendable () -> Void {
    let homeObserver = HomeObserver(observer, at: home)
    return { homeObserver.completeSoon(with: ()) }
  }

  /// What tells an observer that has no context.
  private static func call(toHomeless observer: Observer<Void, Never>) -> @Sendable () -> Void {
    let strand = ConcurrentStrand.current
    // Safety: it is only used by the task or thread that observes, which is checked.
    nonisolated(unsafe) let observer = observer
    return {
      require(
        strand == .current,
        """
        An object was released by another thread or task than the one that observes its Lifetime, which \
        has no context to be told on. Observe it in an actor or on an EventLoop.
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
    // What the call captured is released outside the lock: its deinit may come back here.
    let call = waiting.withLock { $0.calls.removeValue(forKey: key) }
    withExtendedLifetime(call) {}
  }
}

/// An object that tells when it goes: it keeps a ``Lifetime``.
public protocol LifetimeOwner: AnyObject, ReactiveCompatible {
  /// Made with the object, and kept by nobody else.
  var lifetime: Lifetime { get }
}

extension Reactive where Base: LifetimeOwner {
  /// Sends one element when the object is gone, and completes.
  ///
  ///     seconds.take(until: window.rx.deallocated()).observeNext { show($0) }
  ///
  /// The observer is told as by ``Lifetime/ended(isolation:)``.
  public func deallocated(
    isolation: isolated (any Actor)? = #isolation
  ) -> EventStream<Void, Never> {
    base.lifetime.ended(isolation: isolation)
  }
}

/// The task that the calling code runs in, or the thread where it runs in none.
private enum ConcurrentStrand: Hashable {
  case task(Int)
  case thread(UInt)

  static var current: ConcurrentStrand {
    withUnsafeCurrentTask { task in task.map { .task($0.hashValue) } } ?? .thread(callingThread())
  }
}
