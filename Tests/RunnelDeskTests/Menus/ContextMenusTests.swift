import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct ContextMenusTests {
  private let cut = MenuItem("Cut", key: "ctrl+x")
  private let paste = MenuItem("Paste")
  private let menu: Menu
  private let log = Log()
  private let spot: Spot
  private let desk: Desk

  init() {
    menu = Menu("", [cut, paste])
    spot = Spot("content", log)
    spot.wanted = Extent()
    spot.takesMouse = false
    desk = Desk(focusing: spot, width: 20, height: 8)
    spot.contextMenu = menu
    for item in [cut, paste] { item.rx.activate.observeNext { [log] in log.add(item.title) } }
    _ = log.take()
  }

  private var isOpen: Bool { desk.text.contains("Paste") }

  @Test func theRightButtonOpensItAtTheMouse() {
    desk.mouse(.press(.right), x: 2, y: 1)
    desk.mouse(.release(.right), x: 2, y: 1)
    #expect(
      desk.text == """
        content
          ┌────────────────┐
          │  Cut    Ctrl+X │
          │  Paste         │
          └────────────────┘
        """)
    desk.backend.click("Paste")
    #expect(log.take().last == "Paste")
    #expect(!isOpen)
    desk.mouse(.press(.right), x: 19, y: 7)
    #expect(desk.lines[3] == "  ┌────────────────┐")
    desk.backend.click(Point(x: 0, y: 0))
    #expect(!isOpen)
  }

  @Test(arguments: ["shift+f10", "menu"])
  func keysOpenItAtTheFocusedView(key: String) {
    desk.press(key)
    #expect(desk.lines[1].hasPrefix("┌──"))
    desk.press("enter")
    #expect(log.take() == ["Cut"])
    desk.press(key, "ctrl+x")
    #expect(log.take() == ["Cut"])
    desk.press(key)
    #expect(isOpen)
    desk.press(key)
    #expect(!isOpen)
    desk.application.contextMenuKeys = []
    desk.press(key)
    #expect(!isOpen)
  }

  @Test func anAncestorsMenuIsUsed() {
    let field = TextField("ab")
    let stack = StackView(.vertical, [Label("x"), field, View()])
    desk.window.content = stack
    stack.contextMenu = menu
    desk.window.makeFirstResponder(field)
    desk.press("shift+f10")
    #expect(desk.lines[2].hasPrefix("  ┌──"))
    field.contextMenu = Menu("", [MenuItem("Own")])
    desk.press("escape", "shift+f10")
    #expect(desk.text.contains("Own"))
    field.contextMenu = Menu("")
    desk.press("escape", "shift+f10")
    #expect(desk.lines[2] == "")
    field.isEnabled = false
    desk.mouse(.press(.right), x: 0, y: 1)
    #expect(!isOpen)
  }

  @Test func theRightButtonSelectsTheRowOfATable() {
    let names = CollectionProperty(["one", "two", "three"])
    let table = TableView(columns: [TableColumn("name")])
    table.showsHeader = false
    table.rx.rows(names) { row, name in row["name"].text = name }
    table.contextMenu = menu
    desk.window.content = table
    desk.mouse(.press(.right), x: 1, y: 1)
    #expect(table.selectedRow == 1)
    #expect(isOpen)
    desk.press("escape", "shift+f10")
    #expect(desk.lines[2].hasPrefix("┌──"))
    desk.press("escape")
    table.rDelegate.answer(\.tableView_shouldSelectRow) { _, _ in false }
    desk.mouse(.press(.right), x: 1, y: 2)
    #expect(table.selectedRow == 1)
  }

  @Test func aViewThatHandlesTheButtonOpensNone() {
    spot.takesMouse = true
    desk.mouse(.press(.right), x: 2, y: 1)
    #expect(!isOpen)
    #expect(spot.openContextMenu(at: .zero))
    #expect(isOpen)
  }

  @Test func itsDelegateMayRemoveTheView() {
    menu.rDelegate.stream(\.menuWillOpen).observeNext { [spot] _ in spot.removeFromSuperview() }
    #expect(!spot.openContextMenu(at: .zero))
    #expect(desk.text == "")
    #expect(!spot.openContextMenu(at: .zero))
  }

  @Test func itClosesWithItsViewAndWindow() {
    let closings = menu.rDelegate.stream(\.menuDidClose).map { _ in }.record()
    let changes: [() -> Void] = [
      { spot.isHidden = true }, { spot.isEnabled = false },
      { desk.application.show(Window(style: .dialog, content: Label("front"))) },
    ]
    for (count, change) in changes.enumerated() {
      spot.isHidden = false
      spot.isEnabled = true
      #expect(spot.openContextMenu(at: .zero))
      change()
      #expect(!isOpen)
      #expect(closings.elements.count == count + 1)
    }
  }

  @Test func changesShowWhileItIsOpen() {
    spot.openContextMenu(at: .zero)
    _ = desk.text
    paste.title = "Insert"
    #expect(desk.text.contains("Insert"))
    cut.isEnabled = false
    desk.press("down", "enter")
    #expect(log.take() == ["Insert"])
  }
}
