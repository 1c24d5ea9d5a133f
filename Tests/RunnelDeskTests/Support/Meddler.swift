import RunnelDesk

/// A view that does something when it is drawn.
@MainActor
final class Meddler: View, CellDrawn {
  var action: () -> Void = {}

  func draw(in painter: inout Painter, theme: Theme) { action() }
}
