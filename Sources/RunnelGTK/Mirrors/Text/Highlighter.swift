#if GTK
import CGTK
import RunnelDesk

/// The highlighted parts of the visible lines of a text view.
@MainActor
final class Highlighter {
  private let textView: Widget
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>
  private var tags: [Look: UnsafeMutablePointer<GtkTextTag>] = [:]
  /// The colours of the theme for which the tags were made.
  private var colors: ThemeColors?
  /// The highlights in the buffer, by line. Lines without highlights may be left out.
  private var shown: [Int: Parts] = [:]
  /// The visible lines at the last update.
  private(set) var seen = 0..<0

  private struct Look: Hashable {
    let style: TextStyle
    let letters: TextHighlight.Letters
  }

  private struct Part: Equatable {
    let range: Range<Int>
    let look: Look
  }

  private enum Parts: Equatable {
    case known([Part])
    /// The text of the line has changed.
    case unknown
  }

  init(_ textView: Widget, _ buffer: UnsafeMutablePointer<GtkTextBuffer>) {
    self.textView = textView
    self.buffer = buffer
  }

  /// True if other lines are visible than at the last update.
  var isOutdated: Bool { visibleLines != seen }

  /// Forgets what the buffer shows, because its text was replaced.
  func forget() { shown = [:] }

  /// Renumbers the lines after an edit. The edited lines are highlighted again. The new text must have
  /// no tags.
  func follow(_ edit: TextEdit) {
    let new = edit.newRange
    let added = new.upperBound.line - edit.range.upperBound.line
    if added != 0 || edit.range.lowerBound.line != edit.range.upperBound.line {
      var moved: [Int: Parts] = [:]
      for (line, parts) in shown {
        if line < edit.range.lowerBound.line { moved[line] = parts }
        if line > edit.range.upperBound.line { moved[line + added] = parts }
      }
      shown = moved
    }
    // The lines between them have only new text.
    shown[new.lowerBound.line] = .unknown
    shown[new.upperBound.line] = .unknown
  }

  private var visibleLines: Range<Int> {
    var visible = GdkRectangle()
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    var (first, last) = (GtkTextIter(), GtkTextIter())
    gtk_text_view_get_line_at_y(cast(textView), &first, visible.y, nil)
    gtk_text_view_get_line_at_y(cast(textView), &last, visible.y + visible.height, nil)
    let start = Int(gtk_text_iter_get_line(&first))
    // GTK reports no height for lines that it has not measured, so the number of lines is bounded by the
    // height of the view.
    let most = Int(visible.height) / Self.minimumLineHeight + 1
    return start..<min(max(Int(gtk_text_iter_get_line(&last)), start), start + most) + 1
  }

  /// The height in pixels of the smallest text that can be read.
  private static let minimumLineHeight = 8

  func update(_ editor: TextView, theme: Theme) {
    seen = visibleLines
    followColors()
    let document = editor.document
    for line in seen.clamped(to: 0..<document.lineCount) {
      let text = document[line: line]
      let parts = editor.allHighlights(line, text).compactMap { highlight in
        text.byteRange(highlight.range).map {
          Part(
            range: $0,
            look: Look(style: highlight.style ?? theme.highlight, letters: highlight.letters))
        }
      }
      if .known(parts) != shown[line] ?? .known([]) { show(parts, inLine: line) }
    }
  }

  private func show(_ parts: [Part], inLine line: Int) {
    let former = shown.updateValue(.known(parts), forKey: line) ?? .known([])
    if former != .known([]) {
      var (start, end) = (GtkTextIter(), GtkTextIter())
      gtk_text_buffer_get_iter_at_line(buffer, &start, gint(line))
      end = start
      if !Bool(gtk_text_iter_ends_line(&end)) { gtk_text_iter_forward_to_line_end(&end) }
      gtk_text_buffer_remove_all_tags(buffer, &start, &end)
    }
    for part in parts {
      var (start, end) = (GtkTextIter(), GtkTextIter())
      gtk_text_buffer_get_iter_at_line_index(
        buffer, &start, gint(line), gint(part.range.lowerBound))
      gtk_text_buffer_get_iter_at_line_index(buffer, &end, gint(line), gint(part.range.upperBound))
      gtk_text_buffer_apply_tag(buffer, tag(for: part.look), &start, &end)
    }
  }

  /// Gives the tags other colours if the theme of the desktop has changed.
  private func followColors() {
    let colors = ThemeColors(of: textView)
    if exchange(&self.colors, with: colors) == colors { return }
    for (look, tag) in tags {
      if let color = colors.foreground(of: look.style) {
        runnel_set_tag_foreground(tag, color.name)
      }
    }
  }

  private func tag(for look: Look) -> UnsafeMutablePointer<GtkTextTag> {
    if let tag = tags[look] { return tag }
    let (style, effects) = (look.style, look.style.effects)
    let weight = effects.contains(.bold) ? PANGO_WEIGHT_BOLD.rawValue : 0
    let tag = made(
      runnel_text_tag(
        (colors ?? ThemeColors(of: textView)).foreground(of: style)?.name, style.background.name,
        gint(weight), effects.contains(.italic).gboolean, effects.contains(.underline).gboolean,
        effects.contains(.strike).gboolean, effects.contains(.wavy).gboolean, look.letters.scale,
        look.letters.family))
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer), tag)
    // The table keeps the tag.
    g_object_unref(tag)
    tags[look] = tag
    return tag
  }
}

extension TextHighlight.Letters {
  /// The size in relation to the font of the text.
  fileprivate var scale: Double {
    switch self {
    case .heading(level: 1): 1.6
    case .heading(level: 2): 1.35
    case .heading(level: 3): 1.15
    case .heading, .plain, .monospaced: 1
    }
  }

  /// The family of the font; nil for the family of the text.
  fileprivate var family: String? { self == .monospaced ? "monospace" : nil }
}
#endif
