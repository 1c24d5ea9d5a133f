#if GTK
import CGTK

@testable import RunnelGTK

/// Settings of the desktop, as GTK knows them.
@MainActor
enum DesktopSettings {
  /// Changes settings while a closure runs, as the user does while an application runs.
  static func with<Result>(
    font: String? = nil, theme: String? = nil, isDark: Bool? = nil, dotsPerInch: Int? = nil,
    _ body: () throws -> Result
  ) rethrows -> Result {
    var changed: [(name: String, former: GValue)] = []
    func change(_ name: String, _ type: GType, _ assign: (inout GValue) -> Void) {
      var former = GValue()
      g_value_init(&former, type)
      g_object_get_property(object, name, &former)
      changed.append((name, former))
      var value = GValue()
      g_value_init(&value, type)
      assign(&value)
      g_object_set_property(object, name, &value)
      g_value_unset(&value)
    }
    if let font { change("gtk-font-name", runnel_type_string()) { g_value_set_string(&$0, font) } }
    if let theme {
      change("gtk-theme-name", runnel_type_string()) { g_value_set_string(&$0, theme) }
    }
    if let isDark {
      change("gtk-application-prefer-dark-theme", runnel_type_boolean()) {
        g_value_set_boolean(&$0, isDark.gboolean)
      }
    }
    if let dotsPerInch {
      change("gtk-xft-dpi", runnel_type_int()) { g_value_set_int(&$0, gint(dotsPerInch * 1024)) }
    }
    defer {
      for index in changed.indices.reversed() {
        g_object_set_property(object, changed[index].name, &changed[index].former)
        g_value_unset(&changed[index].former)
      }
    }
    return try body()
  }

  private static var object: UnsafeMutablePointer<GObject> {
    cast(made(gtk_settings_get_default()))
  }
}
#endif
