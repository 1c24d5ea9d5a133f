#if GTK
import CGTK
import Foundation
import RunnelDesk
import TestSupport
import Testing

@testable import RunnelGTK

extension GTKTests {
  /// The preference for dark windows: of a portal on a bus of its own, or of the settings of GNOME.
  @MainActor
  @Suite struct ColorSchemeTests {
    @Test func windowFollowsThePortal() throws {
      try Self.withPortal("1") { portal in
        let app = try TestApp(Label("text"))
        app.settle { Self.isDark }
        #expect(Self.isDark)
        portal.write("2")
        app.settle { !Self.isDark }
        #expect(!Self.isDark)
        portal.write("blue")
        portal.write("1")
        app.settle { Self.isDark }
        #expect(Self.isDark)
        // A theme of the application has precedence.
        app.application.theme = .light
        app.settle()
        #expect(!Self.isDark)
        app.application.theme = .standard
        app.settle()
        #expect(Self.isDark)
        app.end()
        #expect(!Self.isDark)
      }
    }

    /// A portal may know no scheme. It is also absent on a desktop without one, as in the other tests.
    @Test(arguments: [true, false])
    func windowFollowsTheSettingsWithoutAPortal(_ hasPortal: Bool) throws {
      _ = try #require(Display.shared)
      let settings = try #require(Self.settings, "Install gsettings-desktop-schemas.")
      defer {
        g_settings_reset(settings, "color-scheme")
        g_object_unref(settings)
      }
      g_settings_set_string(settings, "color-scheme", "prefer-dark")
      func check(_ portal: Fixture?) throws {
        let app = try TestApp(Label("text"))
        defer { app.end() }
        app.settle { Self.isDark }
        #expect(Self.isDark)
        g_settings_set_string(settings, "color-scheme", "default")
        app.settle { !Self.isDark }
        #expect(!Self.isDark)
        // A portal that knows it later has precedence.
        portal?.write("1")
        app.settle { Self.isDark || portal == nil }
        #expect(Self.isDark == (portal != nil))
      }
      if hasPortal { try Self.withPortal("none", check) } else { try check(nil) }
    }

    @Test func themeOfTheEnvironmentHasPrecedence() throws {
      setenv("GTK_THEME", "Adwaita", 1)
      defer { unsetenv("GTK_THEME") }
      try Self.withPortal("1") { portal in
        let app = try TestApp(Label("text"))
        for _ in 0..<20 { app.settle() }
        portal.write("1")
        for _ in 0..<20 { app.settle() }
        #expect(!Self.isDark)
        app.end()
      }
    }

    @Test func windowOutlivesTheBus() throws {
      let app = try Self.withPortal("1") { _ in
        let app = try TestApp(Label("text"))
        app.settle { Self.isDark }
        return app
      }
      app.settle()
      #expect(Self.isDark && app.lines[0].hasPrefix("text"))
      app.end()
    }

    @Test(
      "Colours of the palette can be read", arguments: ["Adwaita", "HighContrast"], [false, true])
    func paletteHasContrast(_ theme: String, _ isDark: Bool) throws {
      let editor = TextView("# Heading")
      editor.syntax = { TextHighlight.markdown(in: $0) }
      let app = try TestApp(editor)
      defer { app.end() }
      try DesktopSettings.with(theme: theme, isDark: isDark) {
        app.settle()
        let colors = ThemeColors(of: try app.native(editor))
        #expect((colors.base.contrast(to: .white) > 4.5) == isDark)
        for index in UInt8.min...UInt8.max {
          let color = Color.palette(index)
          let shown = try #require(colors.foreground(of: TextStyle(foreground: color)))
          for background in [colors.window, colors.base] {
            #expect(shown.contrast(to: background) >= 4.5, "\(color) is \(shown.name)")
          }
        }
        // The tag of a heading follows the theme.
        let buffer = gtk_text_view_get_buffer(
          cast(try #require(app.widgets(gtk_text_view_get_type(), of: editor).first)))
        var start = GtkTextIter()
        gtk_text_buffer_get_start_iter(buffer, &start)
        let tags = gtk_text_iter_get_tags(&start)
        let tag = try #require(tags?.pointee.data)
        g_slist_free(tags)
        #expect(
          Self.foreground(of: tag) == colors.foreground(of: TextStyle(foreground: .blue))?.name)
      }
    }

    private static func foreground(of tag: UnsafeMutableRawPointer) -> String {
      var value = GValue()
      g_value_init(&value, gdk_rgba_get_type())
      defer { g_value_unset(&value) }
      let object = tag.assumingMemoryBound(to: GObject.self)
      g_object_get_property(object, "foreground-rgba", &value)
      let color = g_value_get_boxed(&value).map { $0.assumingMemoryBound(to: GdkRGBA.self).pointee }
      return color.map { ColorParts($0).name } ?? ""
    }

    // MARK: - Settings

    private static var isDark: Bool {
      var value = GValue()
      g_value_init(&value, runnel_type_boolean())
      defer { g_value_unset(&value) }
      let object: UnsafeMutablePointer<GObject> = cast(made(gtk_settings_get_default()))
      g_object_get_property(object, "gtk-application-prefer-dark-theme", &value)
      return Bool(g_value_get_boolean(&value))
    }

    /// The settings of GNOME, in memory.
    private static var settings: UnsafeMutablePointer<GSettings>? {
      guard let source = g_settings_schema_source_get_default(),
        let schema = g_settings_schema_source_lookup(source, "org.gnome.desktop.interface", 1)
      else { return nil }
      defer { g_settings_schema_unref(schema) }
      return g_settings_new_full(schema, nil, nil)
    }

    /// Runs a body with a bus and a portal whose scheme is a number, or "none".
    private static func withPortal<Output>(
      _ scheme: String, _ body: (Fixture) throws -> Output
    ) throws -> Output {
      _ = try #require(Display.shared)
      let folder = TemporaryFolder()
      let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Support/portal.py").path()
      let result = withBusDaemon(in: folder, services: folder.path) { _, address in
        withProcessHere(untilParentEnds + ["/usr/bin/python3", script, address, scheme]) { portal in
          Result { () throws -> Output in
            try #require(portal.readLine() == "ready", "The portal does not start.")
            let former = getenv("DBUS_SESSION_BUS_ADDRESS").map { String(cString: $0) }
            setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
            defer { setenv("DBUS_SESSION_BUS_ADDRESS", former ?? "disabled:", 1) }
            return try body(portal)
          }
        }
      }
      return try #require(result, "The bus does not start.").get()
    }
  }
}
#endif
