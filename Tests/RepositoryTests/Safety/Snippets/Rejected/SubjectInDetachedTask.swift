// expect: passing closure as a 'sending' parameter risks causing data races between main actor-isolated code and concurrent execution of the closure
import RunnelStreams

@MainActor final class Model {
  let names = PushStream<String>()

  func load() {
    let names = names
    Task.detached { names.next("Jim") }
  }
}
