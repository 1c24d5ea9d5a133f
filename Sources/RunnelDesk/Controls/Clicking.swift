extension View {
  /// Handles a mouse event of a control that can be pressed. The control is pressed when the left
  /// button is released inside of it, so the user can still cancel by moving away. Returns true if
  /// the event was handled.
  ///
  /// - Parameter width: The number of columns that react to the mouse; nil for all.
  func click(with event: MouseEvent, width: Int? = nil, _ press: () -> Void) -> Bool {
    switch event.action {
    case .press(.left), .drag(.left): return true
    case .release(.left):
      let isInside = event.position.x < width ?? bounds.width
      if bounds.contains(event.position) && isInside { press() }
      return true
    case .press, .drag, .release, .move, .wheel: return false
    }
  }
}
