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
