/// The parts of a window that its views use.
@MainActor
protocol ViewHost: AnyObject {
  /// The view that receives key presses.
  var firstResponder: View? { get }
  /// True if key presses go to this host now.
  var hasFocus: Bool { get }

  func command(for press: KeyPress) -> Command?

  /// Requests a redraw.
  func needsDisplay()

  /// Called after views were added, removed, hidden or disabled.
  func availabilityChanged()
}
