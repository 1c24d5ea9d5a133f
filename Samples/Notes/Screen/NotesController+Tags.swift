import Runnel
import RunnelDesk
import RunnelText

// Tags: words such as #work in the text of a note.
extension NotesController {
  func bindTags() {
    on(screen.menu.showTag) { controller in
      controller.askForTag("Show the notes with a tag", button: "Show") { tag in
        guard let tag = controller.tags.matching(tag).first else { return "No note has #\(tag)." }
        controller.search.text.value = "tag:" + tag
        controller.screen.window.makeFirstResponder(controller.screen.search)
        return nil
      }
    }
    on(screen.menu.addTag) { controller in
      let notes = controller.chosen
      if notes.isEmpty { return controller.askForNote() }
      let what = notes.count == 1 ? notes[0].title : "\(notes.count) notes"
      controller.askForTag("Add a tag to \(what)", button: "Add") { tag in
        controller.folder.history.together { controller.add(tag, to: notes) }
        return nil
      }
    }
  }

  /// All tags as the first notes write them, in the order of the alphabet.
  var tags: [String] {
    let tagged = search.titles.lazy.filter { !$0.tagNames.isEmpty }
    return FoldedText.tags(in: tagged.map { "\($0.id.stem)\n\($0.text)" })
  }

  /// Asks for a tag: one that exists, or another one.
  private func askForTag(_ title: String, button: String, then: @escaping (String) -> String?) {
    let box = ComboBox(choices: tags, placeholder: "Down shows the tags")
    ask(title, box, button: button) {
      let tag = String(box.text.trimmed.drop { $0 == "#" })
      let names = FoldedText("#" + tag).tagNames
      if names.map({ FoldedText($0) }) == [FoldedText(tag)] { return then(tag) }
      return "Use letters, digits, - and _. A number alone is no tag."
    }
  }

  /// Adds a tag at the end of notes that do not have it.
  private func add(_ tag: String, to notes: [Note]) {
    let others = notes.filter { !$0.isReadOnly && !$0.isFound(by: SearchQuery("tag:" + tag)) }
    for note in others {
      let text = folder.text(of: note.id)
      let separator = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
      let added = "\(separator)#\(tag)"
      // A tag that is added while the user edits the note is undone like typing.
      let isTyped = note.id == open && screen.editor.isFirstResponder
      if isTyped { screen.editor.propose(appending: added) }
      if !isTyped { folder.append(added, to: note.id) }
    }
    // The open note may have got it.
    refresh()
    screen.status.show("Added #\(tag) to \(others.count) of \(notes.count) notes.")
  }
}
