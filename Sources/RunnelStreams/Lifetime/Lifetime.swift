/// The life of an object, so that others can end with it. Keep one in the object:
///
///     final class Player: LifetimeOwner {
///       let lifetime = Lifetime()
///     }
///     let player = Player()
///     seconds.take(until: player.rx.deallocated).observeNext { show($0) }
///
/// It may be released on any thread, as the `deinit` of a main-actor class may be. Each observer
/// hears of it on its own loop: at once if the object went there, else as that loop's next job.
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
  /// The stream does not keep the object alive.
  public var ended: EventStream<Void, Never> {
    .unguarded { [weak self] observer in
      guard let self else { return Lifetime.announce(observer) }
      let key = self.add(Lifetime.call(to: observer))
      observer.observation.add { [weak self] in self?.remove(key) }
    }
  }

  /// What tells an observer, wherever it is called from.
  private static func call(to observer: Observer<Void, Never>) -> @Sendable () -> Void {
    if let home = Current.contextIfAny {
      let arrivals = Arrivals(observer, at: home)
      return { arrivals.completeSoon(with: ()) }
    }
    // Safety: where the observer has no home, its domain is the one that releases the object.
    nonisolated(unsafe) let observer = observer
    return { announce(observer) }
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
  ///     seconds.take(until: window.rx.deallocated).observeNext { show($0) }
  public var deallocated: EventStream<Void, Never> { base.lifetime.ended }
}
