#if GTK
import CGTK
import RunnelDesk

extension GTKBackend: FontBackend {
  package func chooseFont(over window: Window) {
    let parent = windows.first { $0.window === window }?.widget
    show(FontChooser(over: parent) { [weak self] in self?.use(font: $0) })
  }
}

/// The font chooser of GTK.
@MainActor
final class FontChooser {
  let widget: Widget
  private let signals = Signals()
  private var isEnded = false

  /// The answer that asks for the font of the desktop.
  static let usualFont: gint = 1

  /// `use` is called with the font that the user chooses; nil for the font of the desktop.
  init(over parent: Widget?, use: @escaping @MainActor (TextFont?) -> Void) {
    widget = made(gtk_font_chooser_dialog_new("Font", parent.map { cast($0) }))
    g_object_ref(UnsafeMutableRawPointer(widget))
    gtk_window_set_modal(cast(widget), 1)
    gtk_dialog_add_button(cast(widget), "_Default Font", Self.usualFont)
    if let font = Appearance.font ?? Self.desktopFont(of: parent ?? widget) { select(font) }
    signals.connect(widget, "response") { [weak self] arguments in
      guard let self else { return }
      switch arguments.int(1) {
      case Int(GTK_RESPONSE_OK.rawValue):
        let description = text(freeing: gtk_font_chooser_get_font(cast(widget)))
        if let font = TextFont(description: description) { use(font) }
      case Int(Self.usualFont): use(nil)
      default: break
      }
      end()
    }
    GTKBackend.show { gtk_window_present(cast(widget)) }
  }

  private static func desktopFont(of widget: Widget) -> TextFont? {
    let font = pango_context_get_font_description(gtk_widget_get_pango_context(widget))
    return TextFont(description: text(freeing: pango_font_description_to_string(font)))
  }

  private func select(_ font: TextFont) {
    // GTK lists the fonts later, and selects the first one then.
    var isListed = false
    signals.connect(widget, "notify::font") { [widget] _ in
      if isListed || text(freeing: gtk_font_chooser_get_font(cast(widget))).isEmpty { return }
      isListed = true
      gtk_font_chooser_set_font(cast(widget), font.description)
    }
  }

  func end() {
    if isEnded { return }
    isEnded = true
    signals.disconnectAll()
    gtk_window_destroy(cast(widget))
    g_object_unref(UnsafeMutableRawPointer(widget))
  }
}
#endif
