import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func edit(_ notes: PushStream<Note>) {
  notes.map { note -> Note in
    note.text += "!"
    return note
  }.observeNext { print($0.text) }
}
