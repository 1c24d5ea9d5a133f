import RunnelStreams

/// The connection of the machine to networks.
///
///     let network = DesktopNetwork(session: bus, system: system)
///     network.status.observeNext { status in show(status?.connectivity == .full) }
///
/// It asks the portal of the session, and while that does not answer, NetworkManager on the bus of the
/// system. Neither is started.
///
/// *Disposal*: ends when the object is released and ``status`` is neither left nor observed.
public final class DesktopNetwork {
  /// The places that can be reached.
  public enum Connectivity: Hashable, Sendable {
    /// There is no network.
    case none
    /// A network without the internet.
    case local
    /// The internet is not reached, or not all of it.
    case limited
    /// A page of the network, which wants a login, answers in place of the internet.
    case portal
    /// The internet is reached.
    case full
  }

  /// The state of the network.
  public struct Status: Hashable, Sendable {
    /// The places that can be reached.
    public let connectivity: Connectivity
    /// True if large transfers should wait, because they may cost money.
    public let isMetered: Bool
  }

  static let portalInterface = DesktopPortal.prefix + "NetworkMonitor"
  static let manager = "org.freedesktop.NetworkManager"
  static let managerPath: ObjectPath = "/org/freedesktop/NetworkManager"

  /// The state of the network; nil while none of the services answers.
  public let status: ReadOnlyProperty<Status?>

  /// Begins to follow the network. The buses are connections to ``BusAddress/session`` and
  /// ``BusAddress/system``.
  public init(session: BusConnection, system: BusConnection) {
    let portal = PortalNetwork(session)
    let manager = RemoteValues(
      of: Self.manager, at: Self.managerPath, from: Self.manager, on: system)
    let plain = manager.map(Status.init(manager:))
    let told = portal.status.map { status in withExtendedLifetime(portal) { status } }
    let both = ReadOnlyProperty.combine(told, plain)
    status = both.map { $0 ?? $1 }
  }
}

/// The state of the network from the portal, which has it in one part.
private final class PortalNetwork: ServiceCopy {
  typealias Part = String

  let status = Property<DesktopNetwork.Status?>(nil)
  private let follower: ServiceFollower<PortalNetwork>
  private static let whole = "status"

  init(_ bus: BusConnection) {
    follower = ServiceFollower(DesktopPortal.service, on: bus, earlyLimit: 1)
    let changes = SignalFilter(
      "changed", of: DesktopNetwork.portalInterface, at: DesktopPortal.path,
      from: DesktopPortal.service)
    follower.handle(changes) { copy, _ in
      if copy.follower.accepts([Self.whole]) { copy.follower.read(Self.whole) }
    }
    follower.start(for: self)
  }

  deinit {
    follower.letGo()
  }

  func askForAll() -> Single<BusBody, BusError> {
    let method = BusMethod(
      "GetStatus", of: DesktopNetwork.portalInterface, at: DesktopPortal.path,
      from: DesktopPortal.service)
    return follower.bus.call(method, startsService: false)
  }

  func receiveAll(_ body: BusBody) throws(BusError) {
    let values = try body.value(as: [String: Variant].self)
    let early = follower.finishLoading()
    guard follower.isCurrent else { return }
    set(DesktopNetwork.Status(portal: values))
    for part in early.keys where follower.isCurrent { follower.read(part) }
  }

  func ask(for part: String) -> Single<BusBody, BusError> { askForAll() }

  func receive(
    _ reply: Result<BusBody, BusError>, for part: String, isOutdated: Bool
  ) throws(BusError) {
    if isOutdated { return }
    set(DesktopNetwork.Status(portal: try reply.get().value(as: [String: Variant].self)))
  }

  func forget() { set(nil) }

  private func set(_ new: DesktopNetwork.Status?) {
    if status.value != new { status.value = new }
  }
}

extension DesktopNetwork.Status {
  /// The state in the reply of the portal.
  fileprivate init(portal values: [String: Variant]) {
    connectivity =
      switch (values["available"]?[Bool.self], values["connectivity"]?[UInt32.self]) {
      case (false, _): .none
      case (_, 1): .local
      case (_, 2): .limited
      case (_, 3): .portal
      default: .full
      }
    isMetered = values["metered"]?[Bool.self] ?? false
  }

  /// The state in the properties of NetworkManager; nil if it has none.
  fileprivate init?(manager values: [String: Variant]) {
    guard let state = values["State"]?[UInt32.self] else { return nil }
    connectivity =
      switch (state, values["Connectivity"]?[UInt32.self]) {
      case (..<50, _), (_, 1): .none
      case (_, 2): .portal
      case (_, 3): .limited
      case (_, 4): .full
      // Without a check of the internet, the state tells more.
      case (50, _): .local
      case (70, _): .full
      default: .limited
      }
    let metered = values["Metered"]?[UInt32.self]
    // 1 is yes, and 3 a guess that it is.
    isMetered = metered == 1 || metered == 3
  }
}
