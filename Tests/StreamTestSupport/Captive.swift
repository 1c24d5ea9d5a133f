/// An object for a closure to capture. It calls a closure when it is released.
package final class Captive {
  private let onRelease: () -> Void

  package init(onRelease: @escaping () -> Void = {}) {
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  /// Does nothing. A closure that calls it captures this object.
  package func hold() {}
}
