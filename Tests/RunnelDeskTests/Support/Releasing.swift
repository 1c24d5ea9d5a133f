import RunnelDesk

/// An object that runs an action when it is released.
final class Releasing: Sendable {
  private let action: @MainActor @Sendable () -> Void

  init(_ action: @escaping @MainActor @Sendable () -> Void) { self.action = action }

  // The tests release it on the main thread.
  deinit { MainActor.assumeIsolated { action() } }
}

/// A view that owns such an object.
@MainActor
final class ReleasingView: View {
  private let object: Releasing

  init(_ action: @escaping @MainActor @Sendable () -> Void) { object = Releasing(action) }
}
