// expect: passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure
import RunnelStreams

@MainActor func read(_ names: PushStream<String>) {
  Task.detached { for await name in names.values { print(name) } }
}
