import Runnel
import RunnelDesk
import RunnelText

// Hits in the open text: of the find bar, or of the search while the bar is hidden.
extension NotesController {
  func bindFind() {
    let (menu, find, editor) = (screen.menu, screen.find, screen.editor)
    on(menu.find) { $0.showFindBar() }
    on(menu.replace) { $0.showFindBar(replacing: true) }
    on(menu.findNext) { $0.goToHit(.next) }
    on(menu.findPrevious) { $0.goToHit(.previous) }
    on(menu.goToLine) { $0.askForLine() }
    find.hits = { [search] sought, line in
      (sought.isEmpty ? search.query.value : SearchQuery(phrase: sought)).hits(in: line)
    }
    // F3 goes to the hits of the later one: of the find bar, or of the search.
    search.query.filter { !$0.isEmpty }.observeNext { _ in find.field.text = "" }.disposed(by: bag)
    editor.codeFence = "```"
    editor.syntax = { line in
      TextHighlight.markdown(in: line)
        + WikiLink.ranges(in: line).map { TextHighlight($0, style: Self.linkStyle) }
    }
  }

  /// Shows the pictures that the open note names.
  func bindPictures() {
    screen.editor.picture = { [weak self] line in
      guard let self, let open else { return nil }
      let place = folder.files.folder.folder(of: open).path
      return TextPicture.markdown(in: line, relativeTo: place)
    }
  }

  private static let linkStyle = TextStyle(foreground: .blue, effects: .underline)

  private func showFindBar(replacing: Bool = false) {
    guard open != nil else { return screen.status.show("Open a note first, then find in it.") }
    screen.find.open(replacing: replacing)
  }

  /// Moves the caret to a hit of the open note, and says which one it is.
  private func goToHit(_ step: FindBar.Step) {
    let find = screen.find
    guard open != nil, !find.sought.isEmpty || !search.query.value.isEmpty else {
      return showFindBar()
    }
    let isFound = find.go(step)
    if find.isHidden { screen.status.show(isFound ? "Hit \(find.place)" : "No hit here.") }
  }

  private func askForLine() {
    guard open != nil else { return screen.status.show("Open a note first, then go to a line.") }
    screen.editor.askForLine(in: application).observe().disposed(by: bag)
  }
}
