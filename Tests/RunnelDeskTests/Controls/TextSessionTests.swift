import RunnelDesk
import Testing

@MainActor @Suite struct TextSessionTests {
  private func stage(_ text: String) -> (TextView, HeadlessBackend, Application) {
    let (view, backend) = (TextView(text), HeadlessBackend(Size(width: 10, height: 3)))
    let application = Application(backend: backend)
    let window = Window(content: view)
    application.show(window)
    window.makeFirstResponder(view)
    return (view, backend, application)
  }

  @Test func sessionKeepsCaretScrollAndUndoHistory() {
    let (view, backend, application) = stage("1\n2\n3\n4\n5\n6")
    backend.press("ctrl+end")
    backend.type("x")
    let shown = backend.text
    let session = view.session
    #expect(session.selection == view.selection)
    view.text = "other"
    #expect(!view.canUndo)
    view.session = session
    #expect(backend.text == shown && view.canUndo && !view.canRedo)
    backend.press("ctrl+z")
    #expect(view.text.hasSuffix("\n6") && view.canRedo)
    application.end()
  }

  @Test func newestSessionsAreKept() {
    var sessions = TextSessions<Int>(limit: 3)
    func text(_ name: Int) -> String? {
      sessions[name].map { session in
        let view = TextView()
        view.session = session
        return view.text
      }
    }
    for name in [1, 2, 3, 1, 4] { sessions[name] = TextSession(TextDocument("\(name)")) }
    #expect((1...4).map(text) == ["1", nil, "3", "4"])
    sessions.rename(1, to: 3)
    sessions.rename(4, to: 4)
    sessions.rename(9, to: 2)
    #expect((1...4).map(text) == [nil, nil, "1", "4"])
    sessions[3] = nil
    #expect(text(3) == nil)
  }

  @Test func sessionDoesNotScrollToCaret() {
    let (view, backend, application) = stage("1\n2\n3\n4\n5\n6")
    #expect(backend.text.hasPrefix("1"))
    backend.send(.mouse(MouseEvent(.wheel(.down), at: .zero)))
    let shown = backend.text
    let session = view.session
    view.text = ""
    #expect(backend.text != shown)
    view.session = session
    #expect(backend.text == shown && view.selection == .start)
    application.end()
  }

  /// The delegate replaces the text while an edit is proposed. The edit belongs to the old text.
  @Test func proposedEditIsNotAppliedToOtherSession() {
    let (view, backend, application) = stage("one")
    let other = TextView("two").session
    view.rDelegate.answer(\.textView_shouldChangeTextIn_with) { [weak view] _, _, _ in
      view?.session = other
      return true
    }
    backend.type("x")
    #expect(view.text == "two")
    application.end()
  }

  @Test func sessionIsShownInSmallerView() {
    let (view, backend, application) = stage("a long line of text\nand another")
    backend.press("ctrl+end")
    let session = view.session
    for size in [Size(width: 4, height: 1), .zero] {
      backend.send(.resize(size))
      view.session = session
      #expect(backend.grid.size == size)
    }
    application.end()
  }
}
