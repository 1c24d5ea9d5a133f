#if GTK
import CGTK
import RunnelDesk

/// The style sheet that fits widgets into cells, and the choice between light and dark.
///
/// Colours follow the desktop's theme, in the variant that the user prefers. Only the theme of an application
/// that has set one changes them.
@MainActor
enum Appearance {
  private static var isInstalled = false
  private static var followed = Theme.standard
  private static var preference = ColorScheme.Preference.none
  private static let textSheet = made(gtk_css_provider_new())
  /// The font that the user has chosen for texts; nil for the desktop's.
  private(set) static var font: TextFont?
  /// The size of texts in relation to their font.
  private(set) static var zoom = 1.0

  private static let sheet = """
    .runnel entry, .runnel button, .runnel spinbutton { min-height: 0; min-width: 0; }
    .runnel entry { padding: 0 6px; margin: 2px 0; }
    .runnel button { padding: 0 6px; margin: 2px 0; }
    .runnel checkbutton, .runnel switch, .runnel scale { padding: 0; margin: 0; }
    .runnel scale { min-width: 0; }
    .runnel switch slider { min-width: 1em; min-height: 1em; }
    .runnel check, .runnel radio { min-width: 1.05em; min-height: 1.05em; -gtk-icon-size: 1.05em; }
    .runnel button image, .runnel row image { -gtk-icon-size: 1.2em; }
    .runnel scrollbar { border: none; padding: 0; background-color: transparent; }
    .runnel scrollbar.vertical slider {
      min-width: 4px; min-height: 16px; margin: 0; border-width: 2px;
    }
    .runnel .runnel-arrow { padding: 0; }
    .runnel spinbutton { padding: 0; margin: 2px 0; }
    .runnel spinbutton > button { margin: 0; padding: 0 4px; }
    .runnel notebook > header, .runnel notebook > header > tabs { padding: 0; margin: 0; }
    .runnel notebook > header > tabs > tab { min-height: 0; min-width: 0; padding: 0 4px; margin: 0; }
    .runnel .runnel-focusable:focus, .runnel .runnel-focused {
      outline: 2px solid alpha(@theme_selected_bg_color, 0.6); outline-offset: -2px;
    }
    .runnel .runnel-title { font-weight: bold; }
    .runnel progressbar trough, .runnel progressbar progress { min-width: 0; }
    .runnel textview { padding: 8px 12px; line-height: 1.2; }
    .runnel .runnel-heading { font-weight: bold; }
    .runnel .runnel-large { font-size: 140%; }
    .runnel .runnel-text { padding: 0 4px; }
    .runnel .runnel-trailing { padding-left: 0; }
    .runnel .runnel-header { padding: 0 4px; font-weight: bold; }
    .runnel .runnel-status { padding: 0 8px; opacity: 0.85; }
    .runnel .runnel-toast { padding: 0 8px; border-radius: 6px; }
    .runnel .runnel-mark { margin-right: 8px; }
    .runnel .runnel-key { margin-left: 24px; }
    .runnel .runnel-invalid, .runnel entry.error { color: mix(@error_color, @theme_fg_color, 0.3); }
    .runnel-problem {
      padding: 0 6px; margin: 3px; color: mix(@error_color, @theme_fg_color, 0.3); background-color: @theme_base_color;
    }
    .runnel :selected .dim-label { opacity: 1; }
    .runnel .runnel-inactive row:selected {
      background-color: alpha(@theme_selected_bg_color, 0.3); color: @theme_fg_color;
    }
    .runnel row { border-radius: 4px; min-height: 0; padding: 0; }
    .runnel row:hover:not(:selected) { background-color: alpha(@theme_fg_color, 0.05); }
    /* The theme of GTK 4.8 gives the numbers of pages of shortcuts a negative width. */
    stackswitcher.circular > button > label { margin: 0; }
    .runnel-toast { background-color: @theme_fg_color; color: @theme_bg_color; }
    """

  static func install() {
    if isInstalled { return }
    isInstalled = true
    let provider = made(gtk_css_provider_new())
    gtk_css_provider_load_from_data(provider, sheet, -1)
    for provider in [provider, textSheet] {
      gtk_style_context_add_provider_for_display(
        gdk_display_get_default(), OpaquePointer(provider),
        guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    }
    // A new layout would stop an animated scroll, and the caret would stay invisible.
    set("gtk-enable-animations", to: false)
    // Fields decide what is selected when they get the focus.
    set("gtk-entry-select-on-focus", to: false)
  }

  /// Sets the size of the texts that the user edits, in all windows.
  static func zoom(to scale: Double) {
    zoom = min(max(scale, 0.5), 4)
    showTexts()
  }

  /// Sets the font of the texts that the user edits; nil for the desktop's. Their zoom stays.
  static func use(font: TextFont?) {
    if font == self.font { return }
    self.font = font
    showTexts()
  }

  private static func showTexts() {
    gtk_css_provider_load_from_data(textSheet, TextFont.sheet(font, zoom: zoom), -1)
  }

  /// Changes a setting of GTK for this application.
  private static func set(_ name: String, to isOn: Bool) {
    guard let settings = gtk_settings_get_default() else { return }
    var value = GValue()
    g_value_init(&value, runnel_type_boolean())
    g_value_set_boolean(&value, isOn.gboolean)
    g_object_set_property(cast(settings), name, &value)
    g_value_unset(&value)
  }

  /// Uses the dark variant of the desktop's theme if the application has a dark theme.
  static func follow(_ theme: Theme) {
    if theme == followed { return }
    followed = theme
    chooseVariant()
  }

  /// Uses the variant of the desktop's theme that the user prefers, unless the application has a theme.
  static func follow(_ preference: ColorScheme.Preference) {
    if preference == self.preference { return }
    self.preference = preference
    chooseVariant()
  }

  private static func chooseVariant() {
    let name = "gtk-application-prefer-dark-theme"
    if let brightness = followed.text.background.brightness {
      return set(name, to: brightness < 0.5)
    }
    switch preference {
    case .dark: set(name, to: true)
    case .light: set(name, to: false)
    case .none: gtk_settings_get_default().map { gtk_settings_reset_property($0, name) }
    }
  }
}
#endif
