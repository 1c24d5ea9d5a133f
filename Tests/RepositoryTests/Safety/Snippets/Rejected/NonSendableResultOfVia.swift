// expect: type 'Note' does not conform to the 'Sendable' protocol
import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func load(_ names: PushStream<String>, _ loop: any ExecutionContext) {
  names.via(loop) { $0.map { _ in Note() } }.observeNext { print($0.text) }
}
