import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct KeyHintsTests {
  private let new = MenuItem("New", key: "ctrl+n")
  private let help = MenuItem("Help", key: "f1")
  private let plain = MenuItem("No key")
  private let hints = KeyHints()
  private let log = Log()
  private let desk: Desk

  init() {
    desk = Desk(StackView(.vertical, [View(), hints]), width: 60, height: 4)
    desk.window.menuBar = MenuBar([Menu("File", [new, .separator, plain]), Menu("Help", [help])])
    for item in [new, help] { item.rx.activate.observeNext { [log] in log.add(item.title) } }
  }

  private var row: String { desk.lines[3] }

  @Test func showsHelpPaletteItemsAndQuit() {
    #expect(row == " F1 Help  Ctrl+P Commands  Ctrl+N New  Ctrl+Q Quit")
    #expect(desk.style(x: 1, y: 3) == Theme.standard.button)
    #expect(desk.style(x: 4, y: 3) == Theme.standard.text)
  }

  @Test func followsItemsAndBindings() {
    new.isEnabled = false
    #expect(row == " F1 Help  Ctrl+P Commands  Ctrl+Q Quit")
    new.isEnabled = true
    new.title = "新規"
    new.keyEquivalent = KeyPress("f4")
    desk.window.menuBar?.paletteKey = nil
    #expect(row == " F1 Help  F4 新規  Ctrl+Q Quit")
    desk.application.keyBindings["ctrl+q"] = nil
    #expect(row == " F1 Help  F4 新規")
    plain.keyEquivalent = KeyPress("f4")
    #expect(row == " F1 Help  F4 新規")
    desk.window.menuBar?.isEnabled = false
    #expect(row == "")
    desk.window.menuBar = nil
    #expect(row == "")
  }

  /// Return opens the menu of a pop-up button, and does not press the default button.
  @Test func returnIsNamedOnlyWhereItPressesAButton() {
    let (name, group, save) = (TextField(), PopUpButton(["Low", "High"]), Button("Save"))
    let desk = Desk(StackView(.vertical, [View(), hints]), width: 60, height: 20)
    var row: String { desk.lines[19] }
    let form = StackView(.vertical, [name, group, save])
    form.height = 3
    let dialog = Window(style: .dialog, content: form)
    dialog.defaultButton = save
    desk.application.show(dialog)
    #expect(name.isFirstResponder)
    #expect(row.contains("Enter Save"))
    desk.backend.press("tab")
    #expect(group.isFirstResponder && !row.contains("Enter"))
    desk.backend.press("tab")
    #expect(save.isFirstResponder && row.contains("Enter Save"))
  }

  @Test func theAppChoosesItemsAndTheirOrder() {
    hints.items = [new, help, plain]
    #expect(row == " Ctrl+N New  F1 Help  Ctrl+Q Quit")
    new.isEnabled = false
    #expect(row == " F1 Help  Ctrl+Q Quit")
    let quit = MenuItem("End", key: "ctrl+q")
    desk.window.menuBar?.menus[0].items.append(quit)
    #expect(row == " F1 Help  Ctrl+Q End")
    hints.items = [quit, help]
    #expect(row == " Ctrl+Q End  F1 Help")
  }

  @Test(arguments: [
    (38, " F1 Help  Ctrl+N New  Ctrl+Q Quit"), (32, " F1 Help  Ctrl+Q Quit"),
    (21, " Ctrl+Q Quit"), (13, " Ctrl+Q Quit"), (12, ""), (0, ""),
  ])
  func leavesOutWhatDoesNotFit(width: Int, shown: String) {
    desk.backend.send(.resize(Size(width: width, height: 4)))
    #expect(row == shown)
  }

  @Test func aClickHasTheEffectOfTheKey() {
    desk.backend.click("New")
    desk.backend.click("F1")
    #expect(log.take() == ["New", "Help"])
    desk.backend.click("Commands")
    #expect(desk.text.contains("Search commands"))
    desk.press("escape")
    desk.click(0, 3)
    desk.click(8, 3)
    hints.isEnabled = false
    desk.backend.click("New")
    #expect(log.take() == [])
    #expect(desk.style(x: 1, y: 3) == Theme.standard.disabled)
    hints.isEnabled = true
    desk.backend.click("Quit")
    #expect(desk.application.isTerminated)
  }

  @Test func aDialogShowsItsOwnKeys() {
    desk.backend.send(.resize(Size(width: 60, height: 9)))
    Alert("Delete?", buttons: [.cancel("Keep"), .default("Delete")]).ask(in: desk.application)
      .observe { _ in }
    #expect(desk.lines[8] == " Enter Delete  Esc Keep  Ctrl+Q Quit")
    hints.items = [new]
    desk.press("left")
    #expect(desk.lines[8] == " Enter Keep  Esc Keep  Ctrl+Q Quit")
  }
}
