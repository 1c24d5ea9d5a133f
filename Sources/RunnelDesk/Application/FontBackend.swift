/// A backend that shows texts in a font.
@MainActor
package protocol FontBackend: Backend {
  /// Lets the user choose the font.
  func chooseFont(over window: Window)
}

extension Window {
  /// Lets the user choose the font of all `TextView`s of the application, with the font chooser of the
  /// desktop.
  ///
  /// Returns false if the backend has no fonts, as in a terminal. A window with `keepsSize` keeps the
  /// font for the next start, too.
  @discardableResult
  public func chooseFont() -> Bool {
    guard let backend = application?.backend as? any FontBackend else { return false }
    backend.chooseFont(over: self)
    return true
  }
}
