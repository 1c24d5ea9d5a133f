import Runnel
import RunnelDesk
import RunnelText

// Links in the text of a note, written as [[Title]].
extension NoteFolder {
  static let link = #/\[\[([^\[\]]+)\]\]/#

  /// The titles that a link such as `Title#Heading` or `Title|shown text` may have, the longest first: a title
  /// can contain these marks.
  static func titles(in link: Substring) -> [Substring] {
    let ends = link.indices.filter { link[$0] == "#" || link[$0] == "|" }
    return [link] + ends.reversed().map { link[..<$0] }
  }

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
        let titles = Self.titles(in: match.1)
        guard let index = titles.firstIndex(where: { FoldedText($0.trimmed) == folded }),
          titles[..<index].allSatisfy({ self.note(titled: String($0)) == nil })
        else { return match.0 }
        return Substring(link.dropLast(2) + match.1[titles[index].endIndex...] + "]]")
      }
      if changed != text { set(changed, of: id) }
      return changed != text
    }
  }
}
