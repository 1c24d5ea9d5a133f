/// An object that runs an action when it is released.
final class ReleaseProbe {
  private let action: () -> Void

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  deinit { action() }
}
