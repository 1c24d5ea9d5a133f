// expect: main actor-isolated property 'prefix' can not be referenced from a nonisolated context
import RunnelStreams

@MainActor final class Model {
  var prefix = ">"
  let names = PushStream<String>()

  func start(_ loop: any ExecutionContext) {
    names.via(loop) { $0.map { self.prefix + $0 } }.observeNext { print($0) }
  }
}
