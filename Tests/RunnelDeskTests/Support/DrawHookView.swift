import RunnelDesk

/// A view that runs an action when it is drawn.
@MainActor
final class DrawHookView: View, CellDrawn {
  var action: () -> Void = {}

  func draw(in painter: inout Painter, theme: Theme) { action() }
}
