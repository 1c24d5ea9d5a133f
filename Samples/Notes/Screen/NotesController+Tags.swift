import Runnel
import RunnelDesk
import RunnelText

// Tags: words such as #work in the text of a note.
extension NotesController {
  func bindTags() {
    on(screen.menu.showTag) { controller in
      controller.askForTag("Show the notes with a tag", button: "Show") { tag in
        controller.search.text.value = "tag:" + tag
        controller.screen.window.makeFirstResponder(controller.screen.search)
      }
    }
    on(screen.menu.addTag) { controller in
      let notes = controller.chosen
      if notes.isEmpty { return controller.askForNote() }
      let what = notes.count == 1 ? notes[0].title : "\(notes.count) notes"
      controller.askForTag("Add a tag to \(what)", button: "Add") { tag in
        controller.folder.together { controller.add(tag, to: notes) }
      }
    }
  }

  /// The names of all tags, in the order of the alphabet.
  private var tags: [String] { Set(folder.notes.flatMap(\.tagNames)).sorted() }

  /// Asks for a tag: one that exists, or another one.
  private func askForTag(_ title: String, button: String, then: @escaping (String) -> Void) {
    let box = ComboBox(choices: tags, placeholder: "Down shows the tags")
    ask(title, box, button: button) { [weak self] in
      let tag = String(box.text.trimmed.drop { $0 == "#" })
      let folded = String(decoding: FoldedText(tag).bytes, as: UTF8.self)
      if FoldedText("#" + tag).tagNames == [folded] {
        then(tag)
        return true
      }
      self?.screen.status.show("A tag has only letters, digits, - and _.")
      return false
    }
  }

  /// Adds a tag at the end of notes that do not have it.
  private func add(_ tag: String, to notes: [Note]) {
    let others = notes.filter { !$0.isReadOnly && !$0.isFound(by: SearchQuery("tag:" + tag)) }
    for note in others {
      let text = folder.text(of: note.id)
      let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
      folder.append("\(separator)#\(tag)", to: note.id)
    }
    // The open note may have got it.
    refresh()
    screen.status.show("Added #\(tag) to \(others.count) of \(notes.count) notes.")
  }

  /// Returns the completion of a tag that has been typed; nil if there is none.
  func completion(ofTag typed: Substring) -> String? {
    let typed = String(decoding: FoldedText(String(typed)).bytes, as: UTF8.self)
    return tags.first { $0.hasPrefix(typed) && $0 != typed }
  }
}
