import Runnel
import RunnelDesk
import RunnelText

// Links in the text of a note, written as [[Title]].
extension NoteFolder {
  /// The text of a note before and after links in it were changed.
  typealias LinkChange = (note: Note.ID, old: String, new: String)

  /// The note that a link with a title, or with a path without its ending, leads to; nil if there is none. Of several
  /// notes, it is the one in the shortest path.
  func note(titled title: String) -> Note? {
    let folded = FoldedText(title.trimmed)
    let name = FileName(noteTitled: title, defaultEnding: settings.value.ending)
    return self[name]
      ?? notes.filter { [$0.title, $0.id.stem].contains { FoldedText($0) == folded } }
      .min { ($0.id.text.utf8.count, $0.id) < ($1.id.text.utf8.count, $1.id) }
  }

  /// Changes the links to a renamed note in the texts of some notes, and returns the changes. If
  /// another note has the new title, the links get the path.
  func change(
    _ renamings: [WikiLink.Renaming], to new: Note.ID, in candidates: [Note.ID]
  ) -> [LinkChange] {
    let renamings = renamings.map {
      (old: $0.old, new: note(titled: $0.new)?.id == new ? $0.new : new.stem)
    }
    let marks = renamings.map { FoldedText("[[\($0.old)") }
    return candidates.compactMap { id in
      guard let note = self[id], !note.isReadOnly,
        marks.contains(where: { drafts[id] != nil || note.foldedText.contains($0) })
      else { return nil }
      let text = text(of: id)
      let changed = WikiLink.renaming(renamings, in: text) { self.note(titled: $0) != nil }
      if changed == text { return nil }
      set(changed, of: id)
      return (id, text, changed)
    }
  }
}
