#if GTK
import CGTK

/// The font of texts, as Pango describes it: "Noto Serif Bold 12".
struct TextFont: Equatable {
  let description: String
  /// The properties of the style sheet, apart from the size.
  private let properties: String
  /// The size in points; nil if the font has none.
  private let size: Double?

  /// Returns nil if the description names no font.
  init?(description: String) {
    guard let font = pango_font_description_from_string(description) else { return nil }
    defer { pango_font_description_free(font) }
    let fields = pango_font_description_get_set_fields(font).rawValue
    let family = text(of: pango_font_description_get_family(font))
    // A name with other characters would end the string of the style sheet.
    if family.isEmpty || family.contains(where: { $0.isNewline || "\"\\{};".contains($0) }) {
      return nil
    }
    self.description = description
    let slant =
      switch pango_font_description_get_style(font) {
      case PANGO_STYLE_ITALIC: "italic"
      case PANGO_STYLE_OBLIQUE: "oblique"
      default: "normal"
      }
    let weight = pango_font_description_get_weight(font).rawValue
    properties =
      "font-family: \"\(family)\"; font-style: \(slant); font-weight: \(min(max(weight, 100), 1_000));"
    let hasSize = fields & PANGO_FONT_MASK_SIZE.rawValue != 0
    let points = Double(pango_font_description_get_size(font)) / Double(PANGO_SCALE)
    size = hasSize && points >= 1 && points <= 200 ? points : nil
  }

  /// Returns the style sheet for texts. A nil font is the font of the desktop.
  static func sheet(_ font: TextFont?, zoom: Double) -> String {
    let percent = Int((zoom * 100).rounded())
    if font == nil && percent == 100 { return "" }
    let size = font?.size.map { "\(($0 * zoom * 100).rounded() / 100)pt" } ?? "\(percent)%"
    return ".runnel textview { \(font?.properties ?? "") font-size: \(size); }"
  }
}
#endif
