#if GTK
import CGTK
import Glibc

/// The connection to the X server or the Wayland compositor.
@MainActor
enum DisplayConnection {
  /// False after the other end has closed the connection. GTK would then end the process when it is used.
  private(set) static var isOpen = true

  static func markClosed() { isOpen = false }

  /// The file descriptor of the connection; nil if there is none, or if it is of another kind.
  static var descriptor: Int32? {
    guard let display = gdk_display_get_default() else { return nil }
    // GTK may be built without one of the two, so their functions are looked up.
    switch text(of: g_type_name(runnel_type_of(UnsafeRawPointer(display)))) {
    case "GdkWaylandDisplay":
      return descriptor(of: display, "gdk_wayland_display_get_wl_display", "wl_display_get_fd")
    case "GdkX11Display":
      return descriptor(of: display, "gdk_x11_display_get_xdisplay", "XConnectionNumber")
    default: return nil
    }
  }

  private static func descriptor(
    of display: OpaquePointer, _ connection: String, _ number: String
  ) -> Int32? {
    typealias Connection = @convention(c) (OpaquePointer) -> OpaquePointer?
    typealias Number = @convention(c) (OpaquePointer) -> Int32
    guard let connection = dlsym(nil, connection), let number = dlsym(nil, number) else {
      return nil
    }
    // Safety: these are the types of the functions in the headers of GDK, libwayland and Xlib.
    let (find, count) = (
      unsafeBitCast(connection, to: Connection.self), unsafeBitCast(number, to: Number.self)
    )
    return find(display).map(count)
  }
}
#endif
