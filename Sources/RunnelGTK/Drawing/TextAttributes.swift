#if GTK
import CGTK
import RunnelDesk

/// The styles of text as attributes of Pango.
@MainActor
enum TextAttributes {
  /// Adds the effects of a style to a list, for a range of bytes.
  static func add(
    _ effects: TextStyle.Effects, to list: OpaquePointer, in range: Range<Int>? = nil
  ) {
    if effects.contains(.bold) { insert(pango_attr_weight_new(PANGO_WEIGHT_BOLD), list, range) }
    if effects.contains(.italic) { insert(pango_attr_style_new(PANGO_STYLE_ITALIC), list, range) }
    if effects.contains(.underline) {
      insert(pango_attr_underline_new(PANGO_UNDERLINE_SINGLE), list, range)
    }
    if effects.contains(.wavy) {
      insert(pango_attr_underline_new(PANGO_UNDERLINE_ERROR), list, range)
      insert(pango_attr_underline_color_new(.max, 0, 0), list, range)
    }
    if effects.contains(.strike) { insert(pango_attr_strikethrough_new(1), list, range) }
  }

  /// Adds a style to a list, for a range of bytes.
  static func add(
    _ style: TextStyle, to list: OpaquePointer, in range: Range<Int>, _ colors: ThemeColors
  ) {
    add(style.effects, to: list, in: range)
    if let (red, green, blue) = colors.foreground(of: style)?.words {
      insert(pango_attr_foreground_new(red, green, blue), list, range)
    }
    if let (red, green, blue) = style.background.parts?.words {
      insert(pango_attr_background_new(red, green, blue), list, range)
    }
  }

  /// Returns a list with the styles of ranges of bytes. Release it.
  static func list(
    _ styles: [(range: Range<Int>, style: TextStyle)], _ colors: ThemeColors
  ) -> OpaquePointer {
    let list = made(pango_attr_list_new())
    for (range, style) in styles { add(style, to: list, in: range, colors) }
    return list
  }

  /// Returns a list that gives each line a height in pixels. Release it.
  static func lineHeight(_ height: Double) -> OpaquePointer {
    let list = made(pango_attr_list_new())
    let length = gint(height * Double(PANGO_SCALE))
    insert(pango_attr_line_height_new_absolute(length), list, nil)
    return list
  }

  private static func insert(
    _ attribute: UnsafeMutablePointer<PangoAttribute>?, _ list: OpaquePointer, _ range: Range<Int>?
  ) {
    guard let attribute else { return }
    if let range {
      attribute.pointee.start_index = guint(range.lowerBound)
      attribute.pointee.end_index = guint(range.upperBound)
    }
    pango_attr_list_insert(list, attribute)
  }
}

/// Returns the lines of a label as it shows them, before they are truncated.
@MainActor
func text(ofLinesIn label: Widget) -> [String] {
  let layout = gtk_label_get_layout(cast(label))
  let bytes = Array(text(of: pango_layout_get_text(layout)).utf8)
  return (0..<pango_layout_get_line_count(layout)).compactMap { index in
    guard let line = pango_layout_get_line_readonly(layout, index) else { return nil }
    let start = Int(line.pointee.start_index)
    return String(decoding: bytes[start..<start + Int(line.pointee.length)], as: UTF8.self)
  }
}

extension ColorParts {
  /// The parts from 0 to 65,535.
  fileprivate var words: (UInt16, UInt16, UInt16) {
    (UInt16(red * 65_535), UInt16(green * 65_535), UInt16(blue * 65_535))
  }
}

extension String {
  /// Returns the bytes of a range; nil if the range was made for a longer text.
  func byteRange(_ range: Range<Index>) -> Range<Int>? {
    let range = range.clamped(to: startIndex..<endIndex)
    if range.isEmpty { return nil }
    return range.lowerBound.utf16Offset(in: self) < 0
      ? nil
      : utf8.distance(
        from: startIndex, to: range.lowerBound)..<utf8.distance(
          from: startIndex, to: range.upperBound)
  }
}
#endif
