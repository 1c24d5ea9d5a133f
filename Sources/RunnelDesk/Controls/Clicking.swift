extension View {
  /// What the mouse does to something to press. It is when the left button lets go of it that it is
  /// pressed: one may think better of it. Returns whether that is what was done with the mouse.
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
