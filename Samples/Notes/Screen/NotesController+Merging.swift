import Runnel
import RunnelDesk

// Merging a note with a copy, which was kept because another program had changed the same lines.
extension NotesController {
  /// Asks for the lines to take at each difference between a note and its first copy.
  func merge(_ note: Note) {
    let id = note.id.original ?? note.id
    let copies = folder.notes.filter { $0.id.original == id && $0.problem == nil }
    guard let copy = copies.map(\.id).min(), folder[id]?.isReadOnly == false else {
      return screen.status.show("No copy of \(id.stem) that could be merged.")
    }
    let (mine, theirs) = (folder.text(of: id), folder.text(of: copy))
    let view = MergeView(TextMerge(mine: mine, theirs: theirs), titles: id.stem, copy.stem)
    ask("Merge \(id.stem)", view, button: "Merge") { [weak self] in
      guard let self, folder.text(of: id) == mine, folder.text(of: copy) == theirs else {
        self?.screen.status.show("Another program changed the note. Merge again.")
        return true
      }
      show(id)
      let (editor, text) = (screen.editor, view.merge.text)
      // The user can undo both: the change in the text, and the deletion.
      if text == mine || editor.propose(replacing: editor.document.bounds, with: text) {
        folder.delete(copy)
        screen.status.show("Merged \(copy.stem), which is in the trash.")
      }
      return true
    }
  }
}
