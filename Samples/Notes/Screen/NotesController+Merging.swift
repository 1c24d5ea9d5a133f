import Runnel
import RunnelDesk

// Merging a note with a copy, which was kept because another program had changed the same lines.
extension NotesController {
  /// Asks for the lines to take at each difference between a note and its first copy.
  func merge(_ note: Note) {
    let id = note.id.original.flatMap { folder[$0]?.id } ?? note.id
    let copies = folder.copies(of: id).filter { folder[$0]?.isReadOnly == false }
    let first = copies.min { ($0.stem.count, $0) < ($1.stem.count, $1) }
    guard let copy = copies.contains(note.id) ? note.id : first, folder[id]?.isReadOnly == false
    else { return screen.status.show("\(id.stem) has no conflict copy that can be merged.") }
    let (mine, theirs) = (folder.text(of: id), folder.text(of: copy))
    let view = MergeView(TextMerge(mine: mine, theirs: theirs), titles: id.stem, copy.stem)
    let former = [mine, theirs].map { Array($0.utf8) }
    ask("Merge \(id.stem)", view, button: "Merge") { [weak self] in
      guard let self, [id, copy].map({ Array(self.folder.text(of: $0).utf8) }) == former else {
        return "Another program changed the note. Cancel, and merge again."
      }
      let text = view.merge.text
      if text.utf8.count > Note.longest { return "Together they are larger than 10 MB." }
      if open != id { show(id) }
      // The user can undo both: the change in the text, and the deletion.
      folder.edit(id, text)
      refresh()
      folder.drafts.save()
      folder.delete(copy)
      screen.status.show("Merged \(copy.stem), which is in the trash.")
      return nil
    }
  }
}
