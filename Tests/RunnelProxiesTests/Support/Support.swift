import Testing

extension ExitTest.Result? {
  /// Returns true if the process's standard error contains the message.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}

/// An object for a closure to capture. It calls a closure when it is released.
final class Captive {
  private let onRelease: () -> Void

  init(onRelease: @escaping () -> Void = {}) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Does nothing. A closure that calls it captures this object.
  func hold() {}
}
