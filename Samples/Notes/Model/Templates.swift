import Runnel
import RunnelText

// Templates: the notes in the subfolder "templates". A new note can begin with the text of one.
extension NoteFolder {
  /// The templates, in the order of their titles.
  var templates: [Note] {
    let all = notes.filter { $0.id.folder == "templates" && $0.problem == nil }
    return all.sorted { $0.foldedTitle.naturallyPrecedes($1.foldedTitle) }
  }
}

extension String {
  /// Replaces the placeholders in the text of a template.
  func filled(title: String, at time: LocalTime = .now) -> String {
    filling(["title": title, "date": time.date, "time": String(time.time.prefix(5))])
  }
}
