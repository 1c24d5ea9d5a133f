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
