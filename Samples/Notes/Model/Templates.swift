import Runnel

// Templates: the notes in the subfolder "templates". A new note can begin with the text of one.
extension NoteFolder {
  /// The templates, in the order of their titles.
  var templates: [Note] {
    notes.filter { $0.id.folder == "templates" }.sorted { $0.folded.naturallyPrecedes($1.folded) }
  }
}

extension Note {
  /// The text of a new note that is made from this template.
  func text(forTitle title: String, at time: LocalTime = .now) -> String {
    text.replacing(#/\{\{(title|date|time)\}\}/#) { match in
      switch match.1 {
      case "title": title
      case "date": time.date
      default: String(time.time.prefix(5))
      }
    }
  }
}
