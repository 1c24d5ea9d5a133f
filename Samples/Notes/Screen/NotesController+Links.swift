import Runnel
import RunnelDesk
import RunnelText

// Links to other notes, written as [[Title]], and to pages.
extension NotesController {
  /// The address or the title of a link: `https://…`, `[[Title]]` or `[text](https://…)`. A browser
  /// could take another text for an option, or run it.
  static let link =
    #/(https?://[^\s>)\]]*[^\s>)\].,;:!?])|\[\[([^\[\]]+)\]\]|\[[^\]]+\]\((https?://[^)\s]+)\)/#

  func bindLinks() {
    on(screen.menu.openLink) { controller in
      if controller.openLink(at: controller.screen.editor.selection.head) { return }
      controller.screen.status.show("Move to a link first.")
    }
    on(screen.menu.back) { $0.go { $0.goBack(from: $1) } }
    on(screen.menu.forward) { $0.go { $0.goForward(from: $1) } }
    on(screen.menu.backlinks) { controller in
      controller.withOpenNote { controller.search.text.value = "link:\"\($0.title)\"" }
      controller.screen.window.makeFirstResponder(controller.screen.search)
    }
  }

  /// Opens the link at a position: a note, which is created if it does not exist, or a page. Returns false
  /// if there is none.
  func openLink(at position: TextPosition) -> Bool {
    let document = screen.editor.document
    let link = document[line: position.line].matches(of: Self.link).first {
      let start = document.position(of: $0.range.lowerBound, inLine: position.line)
      return start...document.position(of: $0.range.upperBound, inLine: position.line) ~= position
    }
    guard let open, let link else { return false }
    if let link = link.2 {
      let titles = WikiLink(link).titles.map { String($0).trimmed }
      let title = titles.first { folder.note(titled: $0) != nil } ?? titles[titles.count - 1]
      // A link to a heading of this note has no title.
      if title.isEmpty { return false }
      trail.leave(open)
      showNote(titled: title)
    } else if let address = link.1 ?? link.3 {
      browse(String(address))
    }
    return true
  }

  private func browse(_ address: String) {
    Task {
      let status = try? await ShellCommand.open(address).start(on: .main).exit.first()
      if status?.isSuccess == true { return }
      screen.status.show("Set BROWSER: it did not open \(address).")
    }
  }

  /// Opens the note with a title, which is created if it does not exist.
  func showNote(titled title: String, from template: Note? = nil) {
    guard let note = folder.note(titled: title) else { return create(title, from: template) }
    show(note.id)
  }

  /// Shows a note, and moves the focus to its text.
  func show(_ id: Note.ID) {
    screen.status.hideMessage()
    search.text.value = ""
    rows.select { $0.id == id }
    screen.window.makeFirstResponder(screen.editor)
  }

  /// Shows the next note of the trail that still exists.
  private func go(_ step: (inout Trail<Note.ID>, Note.ID?) -> Note.ID?) {
    while let id = step(&trail, open) {
      if folder[id] != nil { return show(id) }
    }
    screen.status.show("No more notes that were left by a link.")
  }

  /// Completes a title after `[[`, or a tag after `#`. Returns false if there is nothing to complete.
  func complete() -> Bool {
    let (editor, caret) = (screen.editor, screen.editor.selection.head)
    let line = editor.document[TextPosition(line: caret.line, offset: 0)..<caret]
    let title = line.firstMatch(of: #/\[\[([^\[\]]*)$/#)?.1
    let tag = line.firstMatch(of: #/#([\w\-\/]+)$/#)?.1
    guard let typed = title ?? tag else { return false }
    let range = TextPosition(line: caret.line, offset: caret.offset - typed.utf8.count)..<caret
    let titles = search.titles.lazy.filter { [open] in $0.id != open }.map(\.title)
    let choices = (title == nil ? tags : Array(titles)).matching(String(typed))
    return editor.complete(range, from: choices, closing: title == nil ? "" : "]]")
  }
}
