// expect: passing closure as a 'sending' parameter risks causing data races between code in the current task and concurrent execution of the closure
import RunnelStreams

final class Box: @unchecked Sendable {
  var names: PushStream<String>?
}

@MainActor func steal(_ remote: Remote<PushStream<String>>) {
  remote.send { names in Task.detached { names.next("Jim") } }
}
