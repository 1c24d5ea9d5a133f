import Runnel
import RunnelDesk
import RunnelText

// Links in the text of a note, written as [[Title]].
extension NoteFolder {
  static let link = #/\[\[([^\[\]]+)\]\]/#

  /// The note that a link with a title leads to; nil if there is none.
  func note(titled title: String) -> Note? {
    let folded = FoldedText(title.trimmed)
    let name = FileName(noteTitled: title, defaultEnding: settings.value.ending)
    return self[name] ?? notes.first { FoldedText($0.title) == folded }
  }

  /// Changes the links to a renamed note in the texts of some notes, and returns the changed ones. If
  /// another note has the old title, the links lead to it and stay as they are.
  func changeLinks(from old: Note.ID, to new: Note.ID, in candidates: [Note.ID]) -> [Note.ID] {
    let (title, link) = (old.lastComponent.stem, "[[\(new.lastComponent.stem)]]")
    if note(titled: title) != nil { return [] }
    let (folded, marked) = (FoldedText(title), FoldedText("[[\(title)"))
    return candidates.filter { id in
      guard let note = self[id], !note.isReadOnly,
        drafts[id] != nil || note.foldedText.contains(marked)
      else { return false }
      let text = text(of: id)
      let changed = text.replacing(Self.link) { match in
        FoldedText(match.1.trimmed) == folded ? Substring(link) : match.0
      }
      if changed != text { edit(id, changed) }
      return changed != text
    }
  }
}

/// The notes that the user has left by a link.
struct Trail {
  private var back: [Note.ID] = []
  private var forward: [Note.ID] = []

  /// Adds a note that the user leaves by a link.
  mutating func leave(_ note: Note.ID) {
    back.append(note)
    forward = []
  }

  /// Returns the note that the user goes back to from another one.
  mutating func goBack(from note: Note.ID?) -> Note.ID? {
    guard let last = back.popLast() else { return nil }
    if let note { forward.append(note) }
    return last
  }

  /// Returns the note that the user goes forward to from another one.
  mutating func goForward(from note: Note.ID?) -> Note.ID? {
    guard let last = forward.popLast() else { return nil }
    if let note { back.append(note) }
    return last
  }

  mutating func rename(_ old: Note.ID, to new: Note.ID) {
    back = back.map { $0 == old ? new : $0 }
    forward = forward.map { $0 == old ? new : $0 }
  }
}
