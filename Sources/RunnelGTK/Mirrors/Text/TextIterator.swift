#if GTK
import CGTK
import RunnelDesk

/// A place in a text buffer. GTK counts lines and bytes, as positions do.
@MainActor
struct TextIterator {
  private let pointer: UnsafeMutablePointer<GtkTextIter>

  init(_ pointer: UnsafeMutablePointer<GtkTextIter>) {
    self.pointer = pointer
  }

  var position: TextPosition {
    TextPosition(
      line: Int(gtk_text_iter_get_line(pointer)), offset: Int(gtk_text_iter_get_line_index(pointer))
    )
  }

  /// Moves to a position, or to the nearest one.
  func move(to position: TextPosition, in buffer: UnsafeMutablePointer<GtkTextBuffer>) {
    gtk_text_buffer_get_iter_at_line_index(
      buffer, pointer, gint(clamping: position.line), gint(clamping: position.offset))
  }

  /// Inserts text in a handler of "insert-text", and moves behind it. Other handlers find the text inserted.
  func insert(
    _ text: UnsafePointer<CChar>?, count: Int, in buffer: UnsafeMutablePointer<GtkTextBuffer>
  ) {
    runnel_insert_early(buffer, pointer, text, gint(clamping: count))
  }
}

extension SignalArguments {
  /// Returns an argument that is a place in a text buffer, valid during the signal.
  func iterator(_ index: Int) -> TextIterator? {
    boxed(index).map { TextIterator($0.assumingMemoryBound(to: GtkTextIter.self)) }
  }
}

extension String {
  /// The text for a buffer of GTK, in which carriage returns and paragraph separators would end a
  /// line. Other characters with the same number of bytes stand for these, and for zeros.
  var forBuffer: String {
    let isPlain = !utf8.contains { $0 == 0 || $0 == 13 } && !unicodeScalars.contains("\u{2029}")
    if isPlain { return self }
    return String(
      String.UnicodeScalarView(
        unicodeScalars.map { scalar in
          switch scalar {
          case "\0", "\r": "\u{1}"
          case "\u{2029}": "\u{2028}"
          default: scalar
          }
        }))
  }
}
#endif
