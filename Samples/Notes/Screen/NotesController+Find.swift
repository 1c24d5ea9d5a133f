import Runnel
import RunnelDesk

// Hits in the open text: those of the search, or those of the find bar while it is shown.
extension NotesController {
  func bindFind() {
    let (menu, find, editor) = (screen.menu, screen.find, screen.editor)
    on(menu.find) { $0.showFindBar() }
    on(menu.findNext) { $0.goToHit(.next) }
    on(menu.findPrevious) { $0.goToHit(.previous) }
    on(menu.goToLine) { $0.askForLine() }
    find.rx.text.changed.observeNext(weak: self) { controller, _ in controller.goToHit(.same) }
      .disposed(by: bag)
    find.rx.submit.observeNext(weak: self) { controller, _ in controller.goToHit(.next) }
      .disposed(by: bag)
    find.rDelegate.answer(\.textField_doCommand) { [weak self] _, command in
      switch command {
      case .move(.down): self?.goToHit(.next)
      case .move(.up): self?.goToHit(.previous)
      case .cancel: return self?.closeFindBar() ?? false
      default: return false
      }
      return true
    }.disposed(by: bag)
    editor.syntax = { line in
      TextHighlight.markdown(in: line)
        + line.ranges(of: NoteFolder.link).map { TextHighlight($0, style: Self.linkStyle) }
    }
    editor.highlights = { [weak self] number, line in self?.hits(number, line) ?? [] }
  }

  private static let linkStyle = TextStyle(foreground: .blue, effects: .underline)

  enum Hit {
    case same, next, previous
  }

  /// The query whose hits are marked.
  private var marked: Query {
    let text = screen.findBar.isHidden ? "" : screen.find.text
    return text.isEmpty ? search.query.value : Query(phrase: text)
  }

  /// Marks all hits of a line, and the one at the caret in another colour.
  private func hits(_ number: Int, _ line: String) -> [TextHighlight] {
    let (document, caret) = (screen.editor.document, screen.editor.selection.head)
    let current = application.theme.highlight.background(.brightCyan)
    return marked.hits(in: line).map { hit in
      let isCurrent = caret == document.position(of: hit.lowerBound, inLine: number)
      return TextHighlight(hit, style: isCurrent ? current : nil)
    }
  }

  private func showFindBar() {
    guard open != nil else { return screen.status.show("Open a note first, then find in it.") }
    screen.findBar.isHidden = false
    screen.window.makeFirstResponder(screen.find)
    screen.find.selection = TextSelection(screen.find.document.bounds)
    goToHit(.same)
  }

  /// Hides the bar and returns to the text. Returns false if it is hidden already.
  @discardableResult
  func closeFindBar() -> Bool {
    if screen.findBar.isHidden { return false }
    if screen.find.isFirstResponder { screen.window.makeFirstResponder(screen.editor) }
    screen.findBar.isHidden = true
    return true
  }

  /// Moves the caret to a hit of the open note, and says which one it is.
  func goToHit(_ hit: Hit) {
    if hit == .same && marked.isEmpty { return screen.findCount.text = "" }
    guard open != nil, !marked.isEmpty else { return showFindBar() }
    let (editor, query) = (screen.editor, marked)
    let (document, caret) = (editor.document, editor.selection.head)
    let found =
      hit == .previous
      ? document.match(before: caret) { query.hits(in: $0) }
      : document.match(after: caret, orAt: hit == .same) { query.hits(in: $0) }
    if let found { editor.selection = TextSelection(caret: found) }
    let place = found.map { number(of: $0, query, in: document) } ?? "no hit"
    screen.findCount.text = place
    if screen.findBar.isHidden {
      screen.status.show(found == nil ? "No hit here." : "Hit \(place)")
    }
  }

  /// Returns the number of a hit and the number of all hits. It is empty for a long text, which
  /// would take too long to count.
  private func number(of hit: TextPosition, _ query: Query, in document: TextDocument) -> String {
    if document.utf8Count > 1_000_000 { return "" }
    let all = document.matches { query.hits(in: $0) }
    return "\((all.firstIndex(of: hit) ?? 0) + 1) of \(all.count)"
  }

  private func askForLine() {
    guard open != nil else { return screen.status.show("Open a note first, then go to a line.") }
    let field = TextField(placeholder: "1 to \(screen.editor.document.lineCount)")
    ask("Go to line", field, button: "Go") { [weak self] in
      guard let self, let line = Int(field.text.trimmed) else { return true }
      let start = TextPosition(
        line: min(max(line, 1), screen.editor.document.lineCount) - 1, offset: 0)
      screen.editor.selection = TextSelection(caret: start)
      return screen.window.makeFirstResponder(screen.editor)
    }
  }
}
