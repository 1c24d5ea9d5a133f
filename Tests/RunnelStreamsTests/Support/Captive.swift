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
