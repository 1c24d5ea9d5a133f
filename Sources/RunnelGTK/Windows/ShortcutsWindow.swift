#if GTK
import CGTK
import RunnelDesk

extension GTKBackend: ShortcutsBackend {
  package func showShortcuts(of window: Window) -> Bool {
    guard let mirror = windows.first(where: { $0.window === window }) else { return false }
    mirror.showShortcuts()
    return true
  }
}

/// The window of GTK that shows the keys of a window.
@MainActor
final class ShortcutsWindow {
  let widget: Widget

  init(_ groups: [ShortcutGroup], over parent: Widget) {
    // GTK 4.8 fills such a window from a description only.
    let builder = made(gtk_builder_new_from_string(Self.description(of: groups), -1))
    widget = cast(made(gtk_builder_get_object(builder, "window")))
    g_object_ref(UnsafeMutableRawPointer(widget))
    g_object_unref(UnsafeMutableRawPointer(builder))
    // For assistive technology and lists of windows. The title bar has a text of GTK.
    gtk_window_set_title(cast(widget), "Keyboard shortcuts")
    gtk_window_set_transient_for(cast(widget), cast(parent))
    GTKBackend.show { gtk_window_present(cast(widget)) }
  }

  private static func description(of groups: [ShortcutGroup]) -> String {
    let own = ShortcutGroup(
      title: "Window",
      shortcuts: [
        ("Larger text", KeyPress(.character("+"), .control)),
        ("Smaller text", KeyPress(.character("-"), .control)),
        ("Usual size of text", KeyPress(.character("0"), .control)),
        ("Close the window", WindowInput.closeKey), ("Keyboard shortcuts", WindowInput.helpKeys[1]),
      ])
    let parts = (groups + [own]).map { group in
      let shortcuts = group.shortcuts.compactMap { title, key in
        key.accelerator.map {
          object("Shortcut", "<property name=\"accelerator\">\(escaped($0))</property>", title)
        }
      }
      return object("Group", shortcuts.joined(), group.title)
    }
    let section =
      "<property name=\"section-name\">keys</property><property name=\"max-height\">14</property>"
    return """
      <interface><object class="GtkShortcutsWindow" id="window"><property name="modal">1</property>
      \(object("Section", section + parts.joined()))</object></interface>
      """
  }

  private static func object(_ kind: String, _ content: String, _ title: String? = nil) -> String {
    let name = title.map { "<property name=\"title\">\(escaped($0))</property>" } ?? ""
    return "<child><object class=\"GtkShortcuts\(kind)\">\(name)\(content)</object></child>"
  }

  private static func escaped(_ text: String) -> String {
    RunnelGTK.text(freeing: g_markup_escape_text(text, -1))
  }

  func end() {
    gtk_window_destroy(cast(widget))
    g_object_unref(UnsafeMutableRawPointer(widget))
  }
}
#endif
