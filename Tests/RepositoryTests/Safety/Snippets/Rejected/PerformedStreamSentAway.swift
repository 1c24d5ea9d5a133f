// expect: passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure
import RunnelStreams

@MainActor func load(_ pool: any ExecutionContext) {
  let result = EventStream<Int, Never>.perform(on: pool) { 1 }
  Task.detached { _ = result.observeNext { print($0) } }
}
