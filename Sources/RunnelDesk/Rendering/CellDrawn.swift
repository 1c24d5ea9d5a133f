/// A view that cell-based backends, such as the terminal, can draw.
///
///     final class Ruler: View, CellDrawn {
///       func draw(in painter: inout Painter, theme: Theme) {
///         painter.horizontalLine(from: .zero, length: painter.size.width, style: theme.faint)
///       }
///     }
///
/// The view is drawn before its subviews. A view that does not conform only shows its subviews.
@MainActor
public protocol CellDrawn: View {
  /// Draws the view; its upper left corner is at zero.
  func draw(in painter: inout Painter, theme: Theme)
}
