import RunnelStreams

/// The limit for a whole call: first the call is failed by it, then the body of the response.
final class ClientDeadline: Teardown {
  private let timer: RestartableTimer
  private var action: (() -> Void)?

  init(on scheduler: any Scheduler, after limit: Duration, _ action: @escaping () -> Void) {
    timer = RestartableTimer(on: scheduler)
    self.action = action
    timer.set(after: limit) { [weak self] in self?.action?() }
  }

  /// Replaces the action.
  func set(_ action: @escaping () -> Void) {
    release(exchange(&self.action, with: action))
  }

  func tearDown() {
    timer.tearDown()
    release(action.take())
  }
}
