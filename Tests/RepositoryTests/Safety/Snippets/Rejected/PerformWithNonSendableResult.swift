// expect: type 'Note' does not conform to the 'Sendable' protocol
import RunnelStreams

final class Note {
  var text = ""
}

func load(_ pool: any ExecutionContext) {
  EventStream<Note, Never>.perform(on: pool) { Note() }.observeNext { print($0.text) }
}
