import RunnelStreams

/// A backend that can show a file dialog of its own, such as that of a desktop.
@MainActor
package protocol FileDialogBackend: Backend {
  /// Shows a dialog, and calls `finish` with the chosen path once, or with nil. Returns an object
  /// that closes the dialog; nil if Desk should show its own.
  func show(_ dialog: FileDialog, finish: @escaping @MainActor (String?) -> Void) -> Disposable?
}
