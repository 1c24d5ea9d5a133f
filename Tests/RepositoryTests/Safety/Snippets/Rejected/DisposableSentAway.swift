// expect: passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure
import RunnelStreams

@MainActor func start(_ names: PushStream<String>) {
  let observation = names.observeNext { print($0) }
  Task.detached { observation.dispose() }
}
