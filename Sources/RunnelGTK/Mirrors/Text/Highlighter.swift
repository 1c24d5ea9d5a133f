#if GTK
import CGTK
import RunnelDesk

/// The highlighted parts of the visible lines of a text view.
@MainActor
final class Highlighter {
  private let textView: Widget
  private let buffer: UnsafeMutablePointer<GtkTextBuffer>
  private var tags: [TextStyle: UnsafeMutablePointer<GtkTextTag>] = [:]
  /// The highlights in the buffer, by line.
  private var shown: [Int: [Part]] = [:]
  /// The visible lines at the last update.
  private var seen = 0..<0

  private struct Part: Equatable {
    let range: Range<Int>
    let style: TextStyle

    /// A part of a line whose text has changed.
    static let unknown = Part(range: -1..<0, style: TextStyle())
  }

  init(_ textView: Widget, _ buffer: UnsafeMutablePointer<GtkTextBuffer>) {
    self.textView = textView
    self.buffer = buffer
  }

  /// True if other lines are visible than at the last update.
  var isOutdated: Bool { visibleLines != seen }

  /// Forgets what the buffer shows, because its text was replaced.
  func forget() { shown = [:] }

  /// Follows an edit of the buffer. The lines of the edit are shown again, with other parts.
  func follow(_ edit: TextEdit) {
    let new = edit.newRange
    let lines = new.lowerBound.line...new.upperBound.line
    let added = new.upperBound.line - edit.range.upperBound.line
    if added != 0 {
      var moved: [Int: [Part]] = [:]
      for (line, parts) in shown {
        if line < lines.lowerBound { moved[line] = parts }
        if line > edit.range.upperBound.line { moved[line + added] = parts }
      }
      shown = moved
    }
    for line in lines { shown[line] = [.unknown] }
  }

  private var visibleLines: Range<Int> {
    var visible = GdkRectangle()
    gtk_text_view_get_visible_rect(cast(textView), &visible)
    var (first, last) = (GtkTextIter(), GtkTextIter())
    gtk_text_view_get_line_at_y(cast(textView), &first, visible.y, nil)
    gtk_text_view_get_line_at_y(cast(textView), &last, visible.y + visible.height, nil)
    let start = Int(gtk_text_iter_get_line(&first))
    // Lines that GTK has not measured yet have no height.
    let most = Int(visible.height) / Self.minimumLineHeight + 1
    return start..<min(max(Int(gtk_text_iter_get_line(&last)), start), start + most) + 1
  }

  /// The height in pixels of the smallest text that can be read.
  private static let minimumLineHeight = 8

  func update(_ editor: TextView, theme: Theme) {
    seen = visibleLines
    let document = editor.document
    for line in seen.clamped(to: 0..<document.lineCount) {
      let text = document[line: line]
      let parts = editor.allHighlights(line, text).compactMap { highlight in
        text.byteRange(highlight.range).map {
          Part(range: $0, style: highlight.style ?? theme.highlight)
        }
      }
      if parts != shown[line] ?? [] { show(parts, inLine: line) }
    }
  }

  private func show(_ parts: [Part], inLine line: Int) {
    let former = shown.updateValue(parts, forKey: line) ?? []
    if !former.isEmpty {
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
      gtk_text_buffer_apply_tag(buffer, tag(for: part.style), &start, &end)
    }
  }

  private func tag(for style: TextStyle) -> UnsafeMutablePointer<GtkTextTag> {
    if let tag = tags[style] { return tag }
    let effects = style.effects
    let tag = made(
      runnel_text_tag(
        style.foreground.name, style.background.name, effects.contains(.bold).gboolean,
        effects.contains(.italic).gboolean, effects.contains(.underline).gboolean,
        effects.contains(.strike).gboolean))
    gtk_text_tag_table_add(gtk_text_buffer_get_tag_table(buffer), tag)
    // The table keeps the tag.
    g_object_unref(tag)
    tags[style] = tag
    return tag
  }
}
#endif
