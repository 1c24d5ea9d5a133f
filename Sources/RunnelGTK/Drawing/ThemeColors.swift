#if GTK
import CGTK
import Glibc
import RunnelDesk

/// The parts of a colour, from 0 to 1.
struct ColorParts: Hashable {
  var red: Double
  var green: Double
  var blue: Double

  static let black = ColorParts(red: 0, green: 0, blue: 0)
  static let white = ColorParts(red: 1, green: 1, blue: 1)

  init(red: Double, green: Double, blue: Double) {
    (self.red, self.green, self.blue) = (red, green, blue)
  }

  init(_ color: GdkRGBA) {
    self.init(red: Double(color.red), green: Double(color.green), blue: Double(color.blue))
  }

  /// The colour for a style sheet or for Pango.
  var name: String {
    let digits = [red, green, blue].map { part in
      let text = String(Int((part * 255).rounded()), radix: 16)
      return text.count == 1 ? "0" + text : text
    }
    return "#" + digits.joined()
  }

  /// Returns the contrast between two colours, from 1 to 21, as the Web Content Accessibility Guidelines define it.
  func contrast(to other: ColorParts) -> Double {
    let (light, dark) = (max(luminance, other.luminance), min(luminance, other.luminance))
    return (light + 0.05) / (dark + 0.05)
  }

  /// The relative luminance of the guidelines.
  private var luminance: Double {
    func linear(_ part: Double) -> Double {
      part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Returns the colour mixed with a share of another one.
  fileprivate func mixed(with other: ColorParts, _ share: Double) -> ColorParts {
    func mix(_ part: Double, _ other: Double) -> Double { part + (other - part) * share }
    return ColorParts(
      red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }
}

/// The backgrounds of the desktop's theme, and the colours of text that can be read on them.
@MainActor
struct ThemeColors: Hashable {
  /// The background of a window.
  let window: ColorParts
  /// The background of a text or a list.
  let base: ColorParts

  private static var known: [Request: ColorParts] = [:]

  private struct Request: Hashable {
    let color: Color
    let backgrounds: ThemeColors
  }

  /// The contrast that the guidelines ask for is 4.5. The rest is for the rounding of colours.
  private static let contrast = 4.6

  /// Reads the colours of the theme of a widget.
  init(of widget: Widget) {
    let context = gtk_widget_get_style_context(widget)
    func color(_ name: String) -> ColorParts {
      var found = GdkRGBA()
      return Bool(gtk_style_context_lookup_color(context, name, &found))
        ? ColorParts(found) : .white
    }
    (window, base) = (color("theme_bg_color"), color("theme_base_color"))
  }

  /// Returns the colour of text in a style; nil for the theme's colour. A colour of the palette becomes lighter or
  /// darker until it can be read, unless the style has a background of its own.
  func foreground(of style: TextStyle) -> ColorParts? {
    guard let parts = style.foreground.parts else { return nil }
    guard case .palette = style.foreground.kind, style.background == .standard else { return parts }
    let request = Request(color: style.foreground, backgrounds: self)
    if let known = Self.known[request] { return known }
    let readable = readable(parts)
    Self.known[request] = readable
    return readable
  }

  private func readable(_ color: ColorParts) -> ColorParts {
    func leastContrast(_ color: ColorParts) -> Double {
      min(color.contrast(to: window), color.contrast(to: base))
    }
    let extreme: ColorParts =
      leastContrast(.white) > leastContrast(.black) ? .white : .black
    let mixtures = stride(from: 0, through: 1, by: 0.02).lazy.map { color.mixed(with: extreme, $0) }
    return mixtures.first { leastContrast($0) >= Self.contrast } ?? extreme
  }
}
#endif
