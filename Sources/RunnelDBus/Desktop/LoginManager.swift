import RunnelStreams

/// The sleep and the shutdown of the machine, which logind announces on the bus of the system.
///
///     let login = LoginManager(of: "Notes", on: bus)
///     login.delayingSleep(because: "Notes saves drafts.") {
///       Completable { finish in
///         show("saves drafts")
///         finish(.completed)
///         return .none
///       }
///     }
///     .observe(next: { event in show(event) }, failed: { error in show(error) })
///
/// Without logind the streams wait until it appears.
public final class LoginManager {
  /// An activity of the machine that a program can inhibit. The raw values are words of logind.
  public enum Activity: String, Hashable, Sendable {
    /// Suspend and hibernation.
    case sleep
    /// Power-off and restart.
    case shutdown
    /// Measures after a time without input, such as the lock of the screen.
    case idle
  }

  /// A change of the machine's sleep.
  public enum SleepEvent: Hashable, Sendable {
    /// The machine is about to sleep.
    case willSleep
    /// The machine is awake again.
    case awake
  }

  static let service = "org.freedesktop.login1"
  static let path: ObjectPath = "/org/freedesktop/login1"
  static let interface = "org.freedesktop.login1.Manager"

  private let program: String
  private let bus: BusConnection

  /// Creates an observer of logind. Nothing is sent.
  ///
  /// - Parameters:
  ///   - program: The name that the user reads where inhibitions are listed.
  ///   - bus: A connection to ``BusAddress/system``.
  public init(of program: String, on bus: BusConnection) {
    self.program = program
    self.bus = bus
  }

  /// The sleep of the machine. The machine does not wait for observers: see
  /// ``delayingSleep(because:until:)``.
  public var sleep: EventStream<SleepEvent, BusError> {
    announcements("PrepareForSleep").map { $0 ? .willSleep : .awake }
  }

  /// Sends true before the machine is shut down, and false if that is cancelled.
  public var shutdown: EventStream<Bool, BusError> { announcements("PrepareForShutdown") }

  /// Keeps the machine from activities while the result is observed.
  ///
  /// *Events*: an element when logind has agreed, and again after logind was restarted. Fails if logind
  /// refuses.
  ///
  /// *Disposal*: allows the activities.
  public func inhibit(_ activities: Set<Activity>, because reason: String)
    -> EventStream<Void, BusError>
  {
    EventStream { observer in
      let lock = ActivityLock(self.lock(activities, because: reason, "block")) { result in
        switch result {
        case .success: observer.next(())
        case .failure(let error): observer.failed(error)
        }
      }
      let following = self.bus.owner(of: Self.service).observeNext { owner in
        if owner == nil { lock.release() } else { lock.take() }
      }
      return Disposable {
        following.dispose()
        lock.release()
      }
    }
  }

  /// Delays each sleep of the machine until work is done, at most for the time that logind allows, usually
  /// five seconds.
  ///
  /// *Events*: ``SleepEvent/willSleep`` before the work begins, and ``SleepEvent/awake``. Fails if logind
  /// refuses.
  ///
  /// *Disposal*: sleep is no longer delayed. Work that has begun is disposed.
  public func delayingSleep(
    because reason: String, until work: @escaping () -> Completable<Never>
  ) -> EventStream<SleepEvent, BusError> {
    delaying(.sleep, "PrepareForSleep", because: reason, until: work)
      .map { $0 ? .willSleep : .awake }
  }

  /// Delays the shutdown of the machine until work is done, at most for the time that logind allows,
  /// usually five seconds.
  ///
  /// *Events*: true before the work begins, and false if the shutdown is cancelled. Fails if logind
  /// refuses.
  ///
  /// *Disposal*: the shutdown is no longer delayed. Work that has begun is disposed.
  public func delayingShutdown(
    because reason: String, until work: @escaping () -> Completable<Never>
  ) -> EventStream<Bool, BusError> {
    delaying(.shutdown, "PrepareForShutdown", because: reason, until: work)
  }

  /// Delays an activity that logind announces with true, and whose end it announces with false.
  private func delaying(
    _ activity: Activity, _ announcement: String, because reason: String,
    until work: @escaping () -> Completable<Never>
  ) -> EventStream<Bool, BusError> {
    EventStream { observer in
      let lock = ActivityLock(self.lock([activity], because: reason, "delay")) { result in
        if case .failure(let error) = result { observer.failed(error) }
      }
      var working = Disposable.none
      var isAnnounced = false
      let announced = self.announcements(announcement).observe(
        next: { begins in
          isAnnounced = begins
          working.dispose()
          observer.next(begins)
          // The observer can have disposed all, which the work notices.
          guard begins else { return lock.take() }
          working = work().observe(completed: { lock.release() })
        },
        failed: { observer.failed($0) })
      let following = self.bus.owner(of: Self.service).observeNext { owner in
        if owner == nil { isAnnounced = false }
        if owner == nil { lock.release() } else if !isAnnounced { lock.take() }
      }
      return Disposable {
        announced.dispose()
        following.dispose()
        working.dispose()
        lock.release()
      }
    }
  }

  private func announcements(_ name: String) -> EventStream<Bool, BusError> {
    let filter = SignalFilter(name, of: Self.interface, at: Self.path, from: Self.service)
    return bus.signals(filter).compactMap { signal in try? signal.body.value(as: Bool.self) }
  }

  private func lock(
    _ activities: Set<Activity>, because reason: String, _ mode: String
  ) -> Single<BusDescriptor, BusError> {
    let words = activities.map(\.rawValue).sorted().joined(separator: ":")
    let method = BusMethod("Inhibit", of: Self.interface, at: Self.path, from: Self.service)
    return bus.call(method, startsService: false, with: words, program, reason, mode)
      .map { body throws(BusError) in try body.value(as: BusDescriptor.self) }
  }
}

/// A lock of logind: a descriptor that is open while the lock is held.
private final class ActivityLock {
  private let call: Single<BusDescriptor, BusError>
  private let finish: (Result<Void, BusError>) -> Void
  private var taking = Disposable.none
  private var descriptor: BusDescriptor?

  /// Creates a lock that is not held. `finish` is called at the end of each attempt to take it.
  init(
    _ call: Single<BusDescriptor, BusError>, _ finish: @escaping (Result<Void, BusError>) -> Void
  ) {
    self.call = call
    self.finish = finish
  }

  /// Takes the lock, instead of one that is held.
  func take() {
    taking.dispose()
    taking = call.observe(
      succeeded: { [weak self] descriptor in
        self?.descriptor = descriptor
        self?.finish(.success(()))
      },
      failed: { [weak self] error in
        // The next owner is asked again.
        if error != .disconnected { self?.finish(.failure(error)) }
      })
  }

  func release() {
    taking.dispose()
    descriptor = nil
  }
}
