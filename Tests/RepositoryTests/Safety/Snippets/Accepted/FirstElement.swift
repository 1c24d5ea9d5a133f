import RunnelStreams

final class Note {
  var text = ""
}

@MainActor func wait(_ names: PushStream<String>, _ notes: PushStream<Note>) async -> String {
  let name = await names.first() ?? ""
  return name + (await notes.first()?.text ?? "")
}
