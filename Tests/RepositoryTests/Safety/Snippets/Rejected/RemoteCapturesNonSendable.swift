// expect: capture of 'note' with non-Sendable type 'Note' in a '@Sendable' closure
import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func rename(_ names: PushStream<String>, _ note: Note) {
  names.remote.send { $0.next(note.text) }
}
