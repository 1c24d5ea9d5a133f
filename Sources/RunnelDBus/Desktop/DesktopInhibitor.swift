import RunnelStreams

/// Keeps the machine awake and the session open, such as while a film is shown or a file is written.
///
///     let inhibitor = DesktopInhibitor(of: "Player", session: bus, system: system)
///     let playing = inhibitor.inhibit([.sleep, .idle], because: "A film is shown.")
///       .observe(next: { way in show(way) }, failed: { error in show(error) })
///     playing.dispose()  // at the end of the film
///
/// It asks the portal of the desktop. Without one, logind keeps the machine from sleep, and the service
/// `org.freedesktop.ScreenSaver` from measures after a time without input, or logind if that service is
/// absent.
public final class DesktopInhibitor {
  /// An activity of the machine or the desktop.
  public enum Activity: UInt32, Hashable, Sendable, CaseIterable {
    /// The user logs out. Only the portal can inhibit it.
    case logout = 1
    /// The machine sleeps.
    case sleep = 4
    /// Measures after a time without input, such as a dark screen.
    case idle = 8
  }

  /// The service that has agreed.
  public enum Way: Hashable, Sendable {
    /// The portal of the desktop.
    case portal
    /// The screen saver of the session, for ``Activity/idle``.
    case screenSaver
    /// Logind.
    case logind
  }

  static let screenSaver = "org.freedesktop.ScreenSaver"
  static let screenSaverPath: ObjectPath = "/org/freedesktop/ScreenSaver"
  static let requestInterface = DesktopPortal.prefix + "Request"

  private let program: String
  private let session: BusConnection
  private let login: LoginManager

  /// Creates an inhibitor. Nothing is sent.
  ///
  /// - Parameters:
  ///   - program: The name that the user reads where inhibitions are listed.
  ///   - session: A connection to ``BusAddress/session``.
  ///   - system: A connection to ``BusAddress/system``.
  public init(of program: String, session: BusConnection, system: BusConnection) {
    self.program = program
    self.session = session
    login = LoginManager(of: program, on: system)
  }

  /// Keeps the machine from activities while the result is observed.
  ///
  /// *Events*: an element for each service that has agreed, and again after the service was restarted. Fails if a
  /// service refuses, or ends before its first answer. Without any service, there is no event until logind
  /// appears.
  ///
  /// *Disposal*: allows the activities.
  public func inhibit(_ activities: Set<Activity>, because reason: String)
    -> EventStream<Way, BusError>
  {
    portal(activities, reason).catch { error in
      guard error.saysNoPortal else { return .failed(error) }
      var ways: [EventStream<Way, BusError>] = []
      if activities.contains(.sleep) { ways.append(self.logind(.sleep, reason)) }
      if activities.contains(.idle) { ways.append(self.idle(reason)) }
      return ways.isEmpty ? .failed(error) : .merge(ways)
    }
  }

  /// The portal keeps the inhibition until the request is closed, or the connection is.
  private func portal(
    _ activities: Set<Activity>, _ reason: String
  ) -> EventStream<Way, BusError> {
    let flags = activities.reduce(UInt32(0)) { $0 | $1.rawValue }
    let portal = RemoteObject(
      DesktopPortal.prefix + "Inhibit", at: DesktopPortal.path, from: DesktopPortal.service,
      on: session)
    let call = portal.call(
      "Inhibit", with: "", flags, ["reason": Variant(reason)], as: ObjectPath.self)
    return held(by: DesktopPortal.service, call) { [session] path in
      RemoteObject(Self.requestInterface, at: path, from: DesktopPortal.service, on: session)
        .call("Close").asCompletable()
    }
    .map { .portal }
  }

  private func logind(
    _ activity: LoginManager.Activity, _ reason: String
  ) -> EventStream<Way, BusError> {
    login.inhibit([activity], because: reason).map { .logind }
  }

  private func idle(_ reason: String) -> EventStream<Way, BusError> {
    let saver = RemoteObject(
      Self.screenSaver, at: Self.screenSaverPath, from: Self.screenSaver, on: session)
    let call = saver.call("Inhibit", with: program, reason, as: UInt32.self)
    return held(by: Self.screenSaver, call) { saver.call("UnInhibit", with: $0).asCompletable() }
      .map { .screenSaver }
      .catch { error in
        error.saysNoPortal ? self.logind(.idle, reason) : .failed(error)
      }
  }

  /// Sends an element when a call has succeeded, and calls again for each next owner of the service's name.
  /// The result is given back at the disposal, also if it arrives later, but only to the owner that has given
  /// it.
  private func held<Token>(
    by service: String, _ call: Single<Token, BusError>,
    _ giveBack: @escaping (Token) -> Completable<BusError>
  ) -> EventStream<Void, BusError> {
    EventStream { [session] observer in
      let inhibition = HeldInhibition(call, giveBack, observer)
      inhibition.ask()
      let following = session.owner(of: service).observeNext { inhibition.follow($0) }
      return Disposable {
        following.dispose()
        inhibition.end()
      }
    }
  }
}

/// An inhibition that the owner of a name has given.
private final class HeldInhibition<Token> {
  private enum Phase {
    case asking
    case held(Token)
    /// The owner that held it has left.
    case lost
    case ended
  }

  private let call: Single<Token, BusError>
  private let giveBack: (Token) -> Completable<BusError>
  private let observer: Observer<Void, BusError>
  private var phase = Phase.asking
  private var owner: String?
  /// True since the service has agreed for the first time. From then on, a service that leaves is waited for.
  private var hasBeenHeld = false

  init(
    _ call: Single<Token, BusError>, _ giveBack: @escaping (Token) -> Completable<BusError>,
    _ observer: Observer<Void, BusError>
  ) {
    self.call = call
    self.giveBack = giveBack
    self.observer = observer
  }

  func ask() {
    phase = .asking
    // It is not disposed, because the service would keep what it gives later.
    call.observe(succeeded: { self.succeed($0) }, failed: { self.fail($0) })
  }

  private func succeed(_ token: Token) {
    switch phase {
    case .asking:
      phase = .held(token)
      hasBeenHeld = true
      observer.next(())
    case .held, .lost, .ended: giveBackNow(token)
    }
  }

  private func fail(_ error: BusError) {
    guard case .asking = phase else { return }
    switch error {
    case .disconnected, .noReply, .serviceAbsent, .serviceUnknown, .nameHasNoOwner:
      if hasBeenHeld { return phase = .lost }
    default: break
    }
    phase = .ended
    observer.failed(error)
  }

  func follow(_ new: String?) {
    let old = exchange(&owner, with: new)
    // The first owner has got the first call.
    if case .held = phase, old != nil, new != old { phase = .lost }
    if case .lost = phase, new != nil { ask() }
  }

  func end() {
    if case .held(let token) = exchange(&phase, with: .ended) { giveBackNow(token) }
  }

  private func giveBackNow(_ token: Token) { giveBack(token).observe(failed: { _ in }) }
}
