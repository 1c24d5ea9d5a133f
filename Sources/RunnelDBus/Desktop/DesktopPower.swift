import RunnelStreams

/// The power of the machine, which UPower and the service of power profiles tell on the bus of the system.
///
///     let power = DesktopPower(on: system)
///     power.isOnBattery.observeNext { isOnBattery in show(isOnBattery == true) }
///
/// The services are not started. While one is absent, its properties are nil.
///
/// *Disposal*: ends when the object is released and none of its properties is left or observed.
public final class DesktopPower {
  /// The battery, or all batteries together.
  public struct Battery: Hashable, Sendable {
    /// The direction of the current.
    public enum State: UInt32, Hashable, Sendable {
      /// The battery does not tell.
      case unknown = 0
      /// The battery is charged.
      case charging = 1
      /// The machine uses the battery.
      case discharging = 2
      /// The battery has no charge.
      case empty = 3
      /// The battery is full, and the machine does not use it.
      case full = 4
    }

    /// The charge, from 0 to 1.
    public let charge: Double
    /// The direction of the current.
    public let state: State
    /// The time until the battery is empty, or full while it is charged; nil if it is not known.
    public let remainingTime: Duration?
    /// True if the user should be asked to save and to connect the machine.
    public let isLow: Bool
  }

  /// A balance between speed and the use of energy. The raw values are words of the service.
  public enum Profile: String, Hashable, Sendable {
    /// The machine uses little energy.
    case powerSaver = "power-saver"
    /// The usual one.
    case balanced
    /// The machine is fast.
    case performance
  }

  static let service = "org.freedesktop.UPower"
  static let path: ObjectPath = "/org/freedesktop/UPower"
  static let devicePath: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
  static let deviceInterface = service + ".Device"
  static let profiles = "net.hadess.PowerProfiles"
  static let profilesPath: ObjectPath = "/net/hadess/PowerProfiles"

  private let bus: BusConnection

  /// True while no power supply is connected; nil if it is not known.
  public let isOnBattery: ReadOnlyProperty<Bool?>

  /// The battery; nil if it is not known, or if the machine has none.
  public let battery: ReadOnlyProperty<Battery?>

  /// The profile that is in use; nil if it is not known.
  public let profile: ReadOnlyProperty<Profile?>

  /// Begins to follow the power. The bus is a connection to ``BusAddress/system``.
  public init(on bus: BusConnection) {
    self.bus = bus
    let machine = RemoteValues(of: Self.service, at: Self.path, from: Self.service, on: bus)
    isOnBattery = machine.map { $0["OnBattery"]?[Bool.self] }
    let device = RemoteValues(
      of: Self.deviceInterface, at: Self.devicePath, from: Self.service, on: bus)
    battery = device.map(Battery.init)
    let profiles = RemoteValues(
      of: Self.profiles, at: Self.profilesPath, from: Self.profiles, on: bus)
    profile = profiles.map { $0["ActiveProfile"]?[String.self].flatMap(Profile.init) }
  }

  /// Changes the profile each time that the result is observed, for all programs of the machine.
  ///
  /// *Events*: ``profile`` changes when the service announces it. Without the service this fails with
  /// ``BusError/serviceAbsent(_:)``.
  public func set(_ profile: Profile) -> Completable<BusError> {
    let method = BusMethod.ofProperties("Set", at: Self.profilesPath, from: Self.profiles)
    return bus.call(
      method, startsService: false, with: Self.profiles, "ActiveProfile", Variant(profile.rawValue)
    )
    .asCompletable()
  }
}

extension DesktopPower.Battery {
  /// The battery in the properties of UPower; nil if the machine has none.
  fileprivate init?(_ values: [String: Variant]) {
    guard values["IsPresent"]?[Bool.self] == true,
      let percentage = values["Percentage"]?[Double.self]
    else { return nil }
    charge = min(max(percentage / 100, 0), 1)
    state = values["State"]?[UInt32.self].flatMap(State.init) ?? .unknown
    let seconds = values[state == .charging ? "TimeToFull" : "TimeToEmpty"]?[Int64.self] ?? 0
    remainingTime = seconds > 0 ? .seconds(seconds) : nil
    // 3 is low, 4 critical, and at 5 the machine is about to sleep.
    isLow = values["WarningLevel"]?[UInt32.self] ?? 0 >= 3
  }
}
