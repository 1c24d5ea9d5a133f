import RunnelStreams

/// The session of the user at logind: the lock of the screen, and the presence of the user.
///
///     let session = LoginSession(on: system)
///     session.isLocked.observeNext { isLocked in if isLocked == true { show("hides the notes") } }
///
/// It is the session in which the program runs, or else the one on the user's display. It is looked up again when
/// a session begins or ends. While logind is absent, and if there is no session, the values are nil.
///
/// *Disposal*: ends when the object is released and none of its properties is left or observed.
public final class LoginSession {
  static let interface = "org.freedesktop.login1.Session"

  private let bus: BusConnection
  private let values = Property<[String: Variant]?>(nil)
  private let asking = SerialDisposable()
  private let reading = SerialDisposable()
  /// The session that is followed.
  private var path: ObjectPath?
  /// The observations, which end on the loop.
  private let resources = Disposable()

  /// Begins to follow the session. The bus is a connection to ``BusAddress/system``.
  public init(on bus: BusConnection) {
    self.bus = bus
    resources.add(asking)
    resources.add(reading)
    resources.add(
      bus.owner(of: LoginManager.service).observeNext { [weak self] owner in
        if owner != nil { self?.find() } else { self?.forget() }
      })
    for name in ["SessionNew", "SessionRemoved"] {
      let filter = SignalFilter(
        name, of: LoginManager.interface, at: LoginManager.path, from: LoginManager.service)
      resources.add(
        bus.signals(filter).observe(next: { [weak self] _ in self?.find() }, failed: { _ in }))
    }
  }

  deinit {
    bus.loop.close(resources) { $0.dispose() }
  }

  /// True while the screen is locked; nil if it is not known.
  public var isLocked: ReadOnlyProperty<Bool?> { flag("LockedHint") }

  /// True while the session is the one that the user sees; nil if it is not known.
  public var isActive: ReadOnlyProperty<Bool?> { flag("Active") }

  /// True while the user does nothing, for a time that the desktop chooses; nil if it is not known.
  public var isIdle: ReadOnlyProperty<Bool?> { flag("IdleHint") }

  private func flag(_ name: String) -> ReadOnlyProperty<Bool?> {
    values.map { [self] values in withExtendedLifetime(self) { values?[name]?[Bool.self] } }
  }

  /// Asks for the path of the session.
  private func find() {
    let method = BusMethod(
      "GetSession", of: LoginManager.interface, at: LoginManager.path, from: LoginManager.service)
    asking.current = bus.call(method, startsService: false, with: "auto").observe(
      succeeded: { [weak self] body in
        if let path = try? body.value(as: ObjectPath.self) { self?.follow(path) }
      },
      failed: { [weak self] error in
        self?.forget()
        if error != .disconnected {
          Log("runnel.dbus").debug("The session of the user is not known: \(error)")
        }
      })
  }

  private func follow(_ path: ObjectPath) {
    if path == self.path { return }
    self.path = path
    let remote = RemoteValues(
      of: Self.interface, at: path, from: LoginManager.service, on: bus)
    // The observation retains the object.
    reading.current = remote.map { $0 }.observeNext { [weak self] new in
      if let self, values.value != new { values.value = new }
    }
  }

  private func forget() {
    path = nil
    asking.current = Disposable.none
    reading.current = Disposable.none
    if values.value != nil { values.value = nil }
  }
}
