// expect: passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure
import RunnelStreams

@MainActor func give() -> Remote<PushStream<String>> {
  let names = PushStream<String>()
  let remote = Remote(names)
  Task.detached { names.next("Jim") }
  return remote
}
