// expect: type 'Note' does not conform to the 'Sendable' protocol
import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func load(_ notes: PushStream<Note>, _ loop: any ExecutionContext) {
  notes.via(loop) { $0.map { $0.text } }.observeNext { print($0) }
}
