import RunnelDesk
import RunnelStreams
import Testing

@MainActor
@Suite struct WindowTests {
  @Test func aDialogIsCentredOverTheWindowBehind() {
    let backend = HeadlessBackend(Size(width: 24, height: 7))
    let application = Application(backend: backend)
    let save = Button("Save")
    application.show(Window(content: StackView(.vertical, [Label("A note"), save])))
    application.show(Window(title: "Sure?", style: .dialog, content: Button("Yes")))
    #expect(
      backend.text == """
        A note
                [ Save ]
              ╭─ Sure? ─╮
              │ [ Yes ] │
              ╰─────────╯


        """)
  }

  private func order(_ window: Window) -> [ObjectIdentifier] {
    window.focusOrder.map { ObjectIdentifier($0) }
  }

  @Test func searchFieldIsAboveTheContent() {
    let backend = HeadlessBackend(Size(width: 24, height: 5))
    let application = Application(backend: backend)
    let (list, other, search) = (TextField("list"), TextField("other"), TextField("search"))
    let window = Window(content: list)
    window.menuBar = MenuBar([Menu("File", [MenuItem("New")])])
    window.menuStyle = .headerBar
    window.searchField = search
    application.show(window)
    #expect(backend.grid.lines.prefix(3) == [" File", "search", "list"])
    // Tab reaches it first.
    #expect(order(window) == [search, list].map { ObjectIdentifier($0) })
    window.content = other
    #expect(order(window) == [search, other].map { ObjectIdentifier($0) })
    search.isHidden = true
    #expect(backend.grid.lines.prefix(3) == [" File", "other", ""])
    window.searchField = nil
    #expect(search.window == nil && order(window) == [other].map { ObjectIdentifier($0) })
    // A field that has moved elsewhere is not the search field any more.
    window.searchField = search
    search.isHidden = false
    window.content = StackView(.vertical, [other, search])
    #expect(backend.grid.lines.prefix(3) == [" File", "other", "search"])
  }

  @Test func dialogHasRoomForItsSearchField() {
    let backend = HeadlessBackend(Size(width: 24, height: 6))
    let application = Application(backend: backend)
    application.show(Window(content: Label("behind")))
    let dialog = Window(title: "Pick", style: .dialog, content: Label("One or two"))
    dialog.searchField = TextField("find")
    application.show(dialog)
    #expect(
      backend.text == """
        behind
             ╭─ Pick ─────╮
             │ find       │
             │ One or two │
             ╰────────────╯

        """)
  }

  @Test func theTitleFollowsAStream() {
    let window = Window(title: "One")
    let titles = PushStream<String>()
    titles.bind(to: window.rx.title)
    #expect(window.title == "One")
    titles.next("Two")
    #expect(window.title == "Two")
  }

  @Test func tabMovesFocusAndReturnPressesTheButton() {
    let backend = HeadlessBackend(Size(width: 24, height: 7))
    let application = Application(backend: backend)
    let buttons = ["One", "Two", "Three"].map { Button($0) }
    let window = Window(content: StackView(.horizontal, buttons))
    var pressed: [String] = []
    for button in buttons { button.rx.tap.observeNext { pressed.append(button.title) } }
    application.show(window)
    backend.press("tab")
    backend.press("enter")
    backend.type("\t\n")
    backend.press("backtab")
    backend.press("backtab")
    backend.type(" ")
    #expect(pressed == ["One", "Two", "Three"])
    backend.click("Two")
    #expect(pressed == ["One", "Two", "Three", "Two"])
    #expect(window.firstResponder === buttons[1])
  }
}
