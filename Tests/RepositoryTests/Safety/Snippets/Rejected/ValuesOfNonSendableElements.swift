// expect: type 'Note' does not conform to the 'Sendable' protocol
import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func read(_ notes: PushStream<Note>) async {
  for await note in notes.values { print(note.text) }
}
