#if GTK
import CGTK
import Glibc

/// The preference of the desktop for dark or light windows, which GTK itself follows only in some desktops.
///
/// The portal of the desktop is asked, and reports changes. If there is no portal, the setting of GNOME is read
/// instead. Nothing waits for an answer.
///
///     connecting ── there is a bus ──▶ asking ── it answers ──▶ following the portal
///     connecting, asking ── there is none, or an error ──▶ following the settings
///     following the settings ── the portal reports a change ──▶ following the portal
///     each of them ── end() ──▶ ended
@MainActor
final class ColorScheme {
  enum Preference: Equatable {
    case none, dark, light
  }

  private enum Phase {
    case connecting
    case asking(Subscription)
    case followingPortal(Subscription)
    /// `subscription` is nil if there is no bus.
    case followingSettings(Signals, subscription: Subscription?)
    case ended
  }

  /// The signals of the portal on a connection, which is kept meanwhile.
  private struct Subscription {
    let connection: OpaquePointer
    let number: guint
  }

  private static let (portal, path) = (
    "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
  )
  private static let interface = "org.freedesktop.portal.Settings"
  private static let (namespace, key) = ("org.freedesktop.appearance", "color-scheme")
  /// The time in milliseconds after which the portal is taken as absent.
  private static let timeout: gint = 5_000

  private var phase = Phase.connecting
  private let cancellable = made(g_cancellable_new())
  private let changed: @MainActor (Preference) -> Void

  /// Begins to ask. The closure gets the preference when it is known, and then each change.
  init(_ changed: @escaping @MainActor (Preference) -> Void) {
    self.changed = changed
    guard let address = Self.address else {
      followSettings(subscription: nil)
      return
    }
    // The connection of `g_bus_get` is shared, and would end the process together with the bus.
    let flags =
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
      | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue
    g_dbus_connection_new_for_address(
      address, GDBusConnectionFlags(rawValue: flags), nil, cancellable,
      { _, result, data in
        // Safety: GLib calls this once, on the main thread. It balances the retain below.
        nonisolated(unsafe) let (result, data) = (result, data)
        MainActor.assumeIsolated {
          let connection = g_dbus_connection_new_for_address_finish(result, nil)
          guard let data else { return }
          Unmanaged<ColorScheme>.fromOpaque(data).takeRetainedValue().connected(connection)
        }
      }, Unmanaged.passRetained(self).toOpaque())
  }

  /// The address of the bus of the session; nil if there is none. GDBus would start one.
  private static var address: String? {
    if let address = getenv("DBUS_SESSION_BUS_ADDRESS") { return String(cString: address) }
    return getenv("XDG_RUNTIME_DIR").map {
      "unix:path=" + text(freeing: g_dbus_address_escape_value("\(String(cString: $0))/bus"))
    }
  }

  /// Stops following. Calls that are under way keep the object until they have ended.
  func end() {
    if case .ended = phase { return }
    g_cancellable_cancel(cancellable)
    g_object_unref(cancellable)
    switch phase {
    case .connecting, .ended: break
    case .asking(let subscription), .followingPortal(let subscription): end(subscription)
    case .followingSettings(let signals, let subscription):
      signals.disconnectAll()
      if let subscription { end(subscription) }
    }
    phase = .ended
  }

  private func end(_ subscription: Subscription) {
    g_dbus_connection_signal_unsubscribe(subscription.connection, subscription.number)
    g_object_unref(UnsafeMutableRawPointer(subscription.connection))
  }

  // MARK: - Portal

  private func connected(_ connection: OpaquePointer?) {
    guard case .connecting = phase else {
      if let connection { g_object_unref(UnsafeMutableRawPointer(connection)) }
      return
    }
    guard let connection else { return followSettings(subscription: nil) }
    phase = .asking(subscribe(on: connection))
    g_dbus_connection_call(
      connection, Self.portal, Self.path, Self.interface, "Read",
      runnel_setting_name(Self.namespace, Self.key), nil, G_DBUS_CALL_FLAGS_NONE, Self.timeout,
      cancellable,
      { connection, result, data in
        // Safety: GLib calls this once, on the main thread. It balances the retain below.
        nonisolated(unsafe) let (connection, result, data) = (connection, result, data)
        MainActor.assumeIsolated {
          guard let connection, let data else { return }
          let reply = g_dbus_connection_call_finish(OpaquePointer(connection), result, nil)
          Unmanaged<ColorScheme>.fromOpaque(data).takeRetainedValue().answered(reply)
          if let reply { g_variant_unref(reply) }
        }
      }, Unmanaged.passRetained(self).toOpaque())
  }

  private func subscribe(on connection: OpaquePointer) -> Subscription {
    let number = g_dbus_connection_signal_subscribe(
      connection, Self.portal, Self.interface, "SettingChanged", Self.path, Self.namespace,
      G_DBUS_SIGNAL_FLAGS_NONE,
      { _, _, _, _, _, arguments, data in
        // Safety: GDBus calls this on the main thread, until it releases the object.
        nonisolated(unsafe) let (arguments, data) = (arguments, data)
        MainActor.assumeIsolated {
          guard let arguments, let data else { return }
          let number = runnel_changed_number(arguments, ColorScheme.key)
          Unmanaged<ColorScheme>.fromOpaque(data).takeUnretainedValue().reported(number)
        }
      }, Unmanaged.passRetained(self).toOpaque(),
      { data in
        // Safety: the subscription was made with a retained object, and ends once.
        if let data { Unmanaged<ColorScheme>.fromOpaque(data).release() }
      })
    return Subscription(connection: connection, number: number)
  }

  private func answered(_ reply: OpaquePointer?) {
    // The portal may have reported a change before it answered.
    guard case .asking(let subscription) = phase else { return }
    guard let preference = reply.flatMap({ Preference(number: runnel_last_number($0)) }) else {
      return followSettings(subscription: subscription)
    }
    phase = .followingPortal(subscription)
    changed(preference)
  }

  private func reported(_ number: gint64) {
    guard let preference = Preference(number: number) else { return }
    switch phase {
    case .connecting, .ended, .followingSettings(_, subscription: nil): return
    case .asking(let subscription), .followingPortal(let subscription):
      phase = .followingPortal(subscription)
    case .followingSettings(let signals, let subscription?):
      signals.disconnectAll()
      phase = .followingPortal(subscription)
    }
    changed(preference)
  }

  // MARK: - Settings

  private func followSettings(subscription: Subscription?) {
    let signals = Signals()
    phase = .followingSettings(signals, subscription: subscription)
    // Without the schema, or without a key that it has, GSettings would end the process.
    guard let source = g_settings_schema_source_get_default(),
      let schema = g_settings_schema_source_lookup(source, "org.gnome.desktop.interface", 1)
    else { return }
    defer { g_settings_schema_unref(schema) }
    guard Bool(g_settings_schema_has_key(schema, Self.key)) else { return }
    let settings = made(g_settings_new_full(schema, nil, nil))
    // The handler keeps the settings.
    defer { g_object_unref(settings) }
    func read() {
      changed(Preference(setting: text(freeing: g_settings_get_string(settings, Self.key))))
    }
    signals.connect(settings, "changed::\(Self.key)") { _ in read() }
    read()
  }
}

extension ColorScheme.Preference {
  /// The preference of the portal; nil for a number that means none.
  fileprivate init?(number: gint64) {
    switch number {
    case 0: self = .none
    case 1: self = .dark
    case 2: self = .light
    default: return nil
    }
  }

  /// The preference of the setting of GNOME.
  fileprivate init(setting: String) {
    switch setting {
    case "prefer-dark": self = .dark
    case "prefer-light": self = .light
    default: self = .none
    }
  }
}
#endif
