/// The service of portals, which a desktop has for programs with and without a sandbox.
enum DesktopPortal {
  static let service = "org.freedesktop.portal.Desktop"
  static let path: ObjectPath = "/org/freedesktop/portal/desktop"
  static let prefix = "org.freedesktop.portal."
}
