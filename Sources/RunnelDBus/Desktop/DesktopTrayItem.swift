import RunnelStreams

/// An icon of the program in the tray of the desktop, with a menu.
///
///     let item = DesktopTrayItem("org.example.Player", title: "Player", icon: "audio-volume-high")
///     item.menu.value = [TrayMenuItem("Quit") { show("quits") }]
///     item.clicks.observeNext { show("shows its window") }
///     let shown = item.show(on: bus).observe(failed: { error in show(error) })
///     shown.dispose()  // removes the icon
///
/// It is a StatusNotifier item, which KDE and others show, and GNOME with an extension.
public final class DesktopTrayItem {
  /// The attention that the item asks for. The raw values are words of the interface.
  public enum Status: String, Hashable, Sendable {
    /// The desktop may hide the item.
    case passive = "Passive"
    /// The usual one.
    case active = "Active"
    /// The user should look at the program.
    case needsAttention = "NeedsAttention"
  }

  static let interface = "org.kde.StatusNotifierItem"
  static let watcher = "org.kde.StatusNotifierWatcher"
  static let watcherPath: ObjectPath = "/StatusNotifierWatcher"
  static let path: ObjectPath = "/StatusNotifierItem"
  static let menuPath: ObjectPath = "/StatusNotifierItem/Menu"

  /// The title.
  public let title: Property<String>
  /// The name of the icon in the theme.
  public let icon: Property<String>
  /// The attention that the item asks for.
  public let status = Property(Status.active)
  /// The menu.
  public let menu = Property<[TrayMenuItem]>([])
  private let identifier: String
  private let clicked = PushStream<Void>()
  private let scrolled = PushStream<Int>()

  /// Creates an item, which is not shown yet. The identifier is the same in each run of the program.
  public init(_ identifier: String, title: String, icon: String) {
    self.identifier = identifier
    self.title = Property(title)
    self.icon = Property(icon)
  }

  /// Sends when the user clicks on the icon.
  public var clicks: EventStream<Void, Never> { clicked.stream }

  /// Sends the steps by which the user turns the wheel over the icon. They are negative upwards.
  public var scrolls: EventStream<Int, Never> { scrolled.stream }

  /// Shows the icon while the result is observed. One connection shows one item.
  ///
  /// *Events*: an element when the desktop has taken the item, and again after its tray was restarted.
  /// Without a tray, the stream waits for one. Fails if the tray refuses.
  ///
  /// *Disposal*: removes the icon.
  public func show(on bus: BusConnection) -> EventStream<Void, BusError> {
    EventStream { [self] observer in
      let resources = Disposable()
      let tree = TrayMenu(menu.value)
      resources.add(menu.stream.skip(1).observeNext { tree.set($0) })
      resources.add(bus.export([tree.description], at: Self.menuPath, allowing: nil))
      resources.add(bus.export([description], at: Self.path, allowing: nil))
      let registering = SerialDisposable()
      resources.add(registering)
      resources.add(
        bus.owner(of: Self.watcher).observeNext { [weak bus] owner in
          guard owner != nil, let bus, case .connected(let name?) = bus.state.value else {
            registering.current = Disposable.none
            return
          }
          let register = BusMethod(
            "RegisterStatusNotifierItem", of: Self.watcher, at: Self.watcherPath,
            from: Self.watcher)
          registering.current = bus.call(register, startsService: false, with: name).observe(
            succeeded: { _ in observer.next(()) },
            failed: { error in
              switch error {
              // The next tray is asked again.
              case .disconnected, .noReply, .serviceAbsent: break
              default: observer.failed(error)
              }
            })
        })
      return Disposable {
        resources.dispose()
        withExtendedLifetime(bus) {}
      }
    }
  }

  private var description: BusInterface {
    var interface = BusInterface(Self.interface)
    interface.constant("Category", "ApplicationStatus")
    interface.constant("Id", identifier)
    interface.property("Title", title.readOnly)
    interface.property("Status", status.map(\.rawValue))
    interface.property("IconName", icon.readOnly)
    interface.constant("ItemIsMenu", false)
    interface.constant("Menu", Self.menuPath)
    for name in ["Activate", "SecondaryActivate"] {
      interface.method(name, "x", "y") { [clicked] (_: Int32, _: Int32) throws(BusError) in
        clicked.next(())
      }
    }
    // The desktop shows the menu itself.
    interface.method("ContextMenu", "x", "y") { (_: Int32, _: Int32) throws(BusError) in }
    interface.method("Scroll", "delta", "orientation") {
      [scrolled] (delta: Int32, _: String) throws(BusError) in scrolled.next(Int(delta))
    }
    // The desktop does not follow the usual signal of properties.
    interface.signal("NewTitle", title.stream.skip(1).map { _ in () })
    interface.signal("NewIcon", icon.stream.skip(1).map { _ in () })
    interface.signal("NewStatus", "status", status.stream.skip(1).map(\.rawValue))
    return interface
  }
}
