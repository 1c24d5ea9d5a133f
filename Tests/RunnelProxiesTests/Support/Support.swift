import Testing

extension ExitTest.Result? {
  /// Whether the process that trapped gave this reason.
  func says(_ message: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(message)
  }
}

/// Something for a closure to capture: it tells when it is let go of.
final class Captive {
  private let onRelease: () -> Void

  init(onRelease: @escaping () -> Void = {}) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Makes the closure that calls it capture this object.
  func hold() {}
}
