import Runnel
import RunnelDesk
import RunnelText

// Links in the text of a note, written as [[Title]].
extension NoteFolder {
  static let link = #/\[\[([^\[\]]+)\]\]/#

  /// The title in a link such as `Title#Heading` or `Title|shown text`.
  static func title(of link: Substring) -> Substring { link.prefix { $0 != "#" && $0 != "|" } }

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
        let rest = match.1[Self.title(of: match.1).endIndex...]
        if FoldedText(match.1.trimmed) == folded { return Substring(link) }
        let leads = FoldedText(Self.title(of: match.1).trimmed) == folded
        return leads ? Substring(link.dropLast(2) + rest + "]]") : match.0
      }
      if changed != text { set(changed, of: id) }
      return changed != text
    }
  }
}
