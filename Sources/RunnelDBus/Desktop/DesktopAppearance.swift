import RunnelStreams

/// The appearance that the user has chosen for the desktop.
///
///     let appearance = DesktopAppearance(on: bus)
///     appearance.colorScheme.observeNext { scheme in show(scheme == .dark) }
///
/// It asks the service `org.freedesktop.portal.Desktop`, which is not started. While it is absent, and for
/// a setting that it does not have, the values are nil.
///
/// *Disposal*: ends when the object is released and none of its properties is left or observed.
public final class DesktopAppearance {
  /// The brightness of colours.
  public enum ColorScheme: UInt32, Hashable, Sendable {
    /// The program chooses.
    case noPreference = 0
    /// Light text on dark backgrounds.
    case dark = 1
    /// Dark text on light backgrounds.
    case light = 2
  }

  /// The difference between colours.
  public enum Contrast: UInt32, Hashable, Sendable {
    /// The usual one.
    case normal = 0
    /// A high contrast.
    case high = 1
  }

  /// A colour of the sRGB space. Each part is from 0 to 1.
  public struct Color: Hashable, Sendable {
    /// The red part.
    public let red: Double
    /// The green part.
    public let green: Double
    /// The blue part.
    public let blue: Double
  }

  static let service = DesktopPortal.service
  static let path = DesktopPortal.path
  static let interface = DesktopPortal.prefix + "Settings"
  static let namespace = "org.freedesktop.appearance"

  private let bus: BusConnection
  private let currentScheme = Property<ColorScheme?>(nil)
  private let currentContrast = Property<Contrast?>(nil)
  private let currentAccent = Property<Color?>(nil)
  private var settings: [String: Variant] = [:]
  private let follower: ServiceFollower<DesktopAppearance>

  /// Begins to follow the settings.
  public init(on bus: BusConnection) {
    self.bus = bus
    follower = ServiceFollower(Self.service, on: bus, earlyLimit: 1)
    let changes = SignalFilter(
      "SettingChanged", of: Self.interface, at: Self.path, from: Self.service,
      firstArgument: Self.namespace)
    follower.handle(changes) { $0.receive($1.body) }
    follower.keep(
      follower.state.observeNext { state in
        guard case .failed(let error) = state else { return }
        Log("runnel.dbus").warning("The appearance of the desktop is not known: \(error)")
      })
    follower.start(for: self)
  }

  deinit {
    follower.letGo()
  }

  /// The brightness of colours; nil if it is not known.
  public var colorScheme: ReadOnlyProperty<ColorScheme?> { kept(currentScheme) }

  /// The difference between colours; nil if it is not known.
  public var contrast: ReadOnlyProperty<Contrast?> { kept(currentContrast) }

  /// The colour of what is selected or important; nil if it is not known, or the user has chosen none.
  public var accentColor: ReadOnlyProperty<Color?> { kept(currentAccent) }

  /// A property that retains this object.
  private func kept<Value>(_ property: Property<Value>) -> ReadOnlyProperty<Value> {
    property.map { [self] value in withExtendedLifetime(self) { value } }
  }

  // MARK: - Settings

  private func receive(_ body: BusBody) {
    guard
      let (namespace, name, value) = try? body.values(
        as: String.self, String.self, Variant.self),
      namespace == Self.namespace, follower.accepts([namespace])
    else { return }
    // A reply that is on its way can be older.
    follower.outdate(namespace)
    set(settings.merging([name: value]) { _, later in later })
  }

  private func set(_ new: [String: Variant]) {
    settings = new
    change(currentScheme, "color-scheme") { variant in
      variant[UInt32.self].map { ColorScheme(rawValue: $0) ?? .noPreference }
    }
    change(currentContrast, "contrast") { variant in
      variant[UInt32.self].map { Contrast(rawValue: $0) ?? .normal }
    }
    change(currentAccent, "accent-color", Color.init)
  }

  /// Sets a property to the present setting, which an observer of another one may have changed.
  private func change<Value: Equatable>(
    _ property: Property<Value?>, _ name: String, _ value: (Variant) -> Value?
  ) {
    let new = settings[name].flatMap(value)
    if property.value != new { property.value = new }
  }
}

/// The namespace is the only part: its settings are read together.
extension DesktopAppearance: ServiceCopy {
  func askForAll() -> Single<BusBody, BusError> {
    let method = BusMethod("ReadAll", of: Self.interface, at: Self.path, from: Self.service)
    return bus.call(method, startsService: false, with: [Self.namespace])
  }

  func receiveAll(_ body: BusBody) throws(BusError) {
    let all = try body.value(as: [String: [String: Variant]].self)
    let early = follower.finishLoading()
    set(all[Self.namespace] ?? [:])
    for namespace in early.keys where follower.isCurrent { follower.read(namespace) }
  }

  func ask(for namespace: String) -> Single<BusBody, BusError> { askForAll() }

  func receive(
    _ reply: Result<BusBody, BusError>, for namespace: String, isOutdated: Bool
  ) throws(BusError) {
    if isOutdated { return }
    set(try reply.get().value(as: [String: [String: Variant]].self)[namespace] ?? [:])
  }

  func forget() { set([:]) }
}

extension DesktopAppearance.Color {
  /// The colour in the setting of a portal; nil if it has parts outside of 0 to 1, which means none.
  fileprivate init?(_ variant: Variant) {
    guard case .structure(let parts) = variant.content, parts.count == 3 else { return nil }
    let numbers = parts.compactMap { part in
      if case .double(let number) = part, (0...1).contains(number) { number } else { nil }
    }
    guard numbers.count == 3 else { return nil }
    (red, green, blue) = (numbers[0], numbers[1], numbers[2])
  }
}
