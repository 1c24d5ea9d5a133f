import RunnelLoop

/// The reason why ``DesktopOpener`` did not open something.
public enum DesktopOpenError: Error, Hashable, Sendable {
  /// The text is no address: it needs a scheme, such as `https:`.
  case invalidAddress(String)
  /// The file cannot be opened. The code is an `errno`.
  case unreadableFile(String, code: Int32)
  /// The user did not choose an application.
  case cancelled
  /// The portal refuses.
  case portal(BusError)
  /// The program `xdg-open` cannot be run, such as because it is not installed.
  case program(ProcessError)
  /// The program `xdg-open` has failed. It finds no application, for example.
  case noApplication(ProcessStatus)
}

extension DesktopOpenError: CustomStringConvertible {
  /// A description of the problem and its remedy.
  public var description: String {
    switch self {
    case .invalidAddress(let text):
      "\"\(text)\" is no address. Begin it with a scheme, such as https: or file:."
    case .unreadableFile(let path, let code):
      "The file \(path) cannot be opened: \(errorText(code))."
    case .cancelled: "The user has chosen no application."
    case .portal(let error): "The desktop does not open it: \(error)"
    case .program(let error): "\(error)"
    case .noApplication(let status):
      """
      No application was found, or it failed: xdg-open ended with \(status). Choose an application in \
      the settings.
      """
    }
  }
}
