// expect: sending value of non-Sendable type '() async -> ()' risks causing data races
import RunnelStreams

func share() {
  let names = PushStream<String>()
  Task.detached { names.next("Jim") }
  names.next("John")
}
