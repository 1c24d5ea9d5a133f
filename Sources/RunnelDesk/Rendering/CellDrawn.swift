/// A view that backends made of cells, a terminal and a picture of one, know how to show.
///
///     final class Ruler: View, CellDrawn {
///       func draw(in painter: inout Painter, theme: Theme) {
///         painter.horizontalLine(from: .zero, length: painter.size.width, style: theme.faint)
///       }
///     }
///
/// It is drawn before the views in it. One that does not conform shows what is in it.
@MainActor
public protocol CellDrawn: View {
  /// Draws it, with its upper left corner at zero.
  func draw(in painter: inout Painter, theme: Theme)
}
