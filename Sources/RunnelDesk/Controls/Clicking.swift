extension View {
  /// Handles a mouse event of a control that can be pressed. The control is pressed when the left
  /// button is released inside of it, so the user can still cancel by moving away. Returns true if
  /// the event was handled.
  func click(with event: MouseEvent, _ press: () -> Void) -> Bool {
    switch event.action {
    case .press(.left), .drag(.left): return true
    case .release(.left):
      if bounds.contains(event.position) { press() }
      return true
    case .press, .drag, .release, .move, .wheel: return false
    }
  }
}
