import RunnelStreams

@MainActor final class Loader {
  let names = PushStream<String>()

  func load() {
    Task {
      await Task.yield()
      names.next("Jim")
    }
  }
}
