#if GTK
/// The reason why no window can be shown.
public enum GTKError: Error, Hashable, CustomStringConvertible {
  /// GTK cannot connect to a display.
  case noDisplay
  /// Another ``GTKBackend`` of this process shows an application.
  case alreadyOpen

  /// The error, and what to do about it.
  public var description: String {
    switch self {
    case .noDisplay:
      """
      No display can be opened. Start this program in a graphical session, or set DISPLAY or \
      WAYLAND_DISPLAY.
      """
    case .alreadyOpen:
      "This process already has a GTKBackend. Show all windows with one Application."
    }
  }
}
#endif
