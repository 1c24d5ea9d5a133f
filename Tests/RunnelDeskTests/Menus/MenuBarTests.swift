import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct MenuBarTests {
  private let new = MenuItem("New", key: "ctrl+n")
  private let rename = MenuItem("Rename")
  private let quit = MenuItem("Quit", key: "ctrl+q")
  private let wrap = MenuItem("Wrap")
  private let file: Menu
  private let view: Menu
  private let bar: MenuBar
  private let log = Log()
  private let spot: Spot
  private let desk: Desk

  init() {
    file = Menu("File", [new, rename, .separator, quit])
    view = Menu("View", [wrap])
    bar = MenuBar([file, view])
    spot = Spot("content", log)
    desk = Desk(spot, width: 22, height: 8)
    desk.window.menuBar = bar
    desk.window.makeFirstResponder(spot)
    for item in [new, rename, quit, wrap] {
      item.rx.activate.observeNext { [log] in log.add(item.title) }
    }
    _ = log.take()
  }

  private func press(_ names: String...) -> [String] {
    for name in names { desk.backend.press(name) }
    return log.take()
  }

  private var currentLine: String? {
    let grid = desk.backend.grid
    let row = (1..<grid.size.height).first { y in
      (0..<grid.size.width).contains { grid[Point(x: $0, y: y)].style == Theme.standard.selection }
    }
    return row.flatMap { y in
      grid.lines[y].split { !$0.isLetter }.first.map(String.init)
    }
  }

  // MARK: Appearance

  @Test func appearsAboveTheContent() {
    #expect(desk.text == " File  View\ncontent")
    #expect(desk.style(x: 20, y: 0) == Theme.standard.menu)
    bar.isHidden = true
    #expect(desk.text == "content")
    desk.window.menuBar = nil
    #expect(desk.text == "content")
    #expect(bar.window == nil)
  }

  // MARK: Mnemonics

  private func mnemonics(_ titles: [String], taken: [String] = []) -> String {
    let menus = titles.map { Menu($0) }
    menus.first?.items = taken.map { MenuItem($0, key: "alt+\($0)") }
    let bar = MenuBar(menus)
    return String(menus.map { bar.mnemonic(of: $0) ?? "-" })
  }

  @Test func lettersOfTitlesAreMnemonics() {
    #expect(mnemonics(["File", "Edit", "View"]) == "fev")
    // First letters come first.
    #expect(mnemonics(["Format", "File", "Fo", "Other"]) == "fi-o")
    #expect(mnemonics(["Note", "Edit"], taken: ["n", "o", "t"]) == "-e")
    #expect(mnemonics(["Ärger", "2nd", "…"]) == "ä2-")
    let (first, second) = (Menu("File"), Menu("Find"))
    second.mnemonic = "F"
    let bar = MenuBar([first, second])
    #expect(bar.mnemonic(of: first) == "i" && bar.mnemonic(of: second) == "f")
    #expect(bar.mnemonic(of: Menu("File")) == nil)
  }

  @Test func altWithALetterOpensAMenu() {
    desk.window.content = Label("text")
    _ = press("alt+v")
    #expect(bar.openMenu === view && currentLine == "Wrap")
    _ = press("alt+f")
    #expect(bar.openMenu === file)
    _ = press("escape", "alt+x")
    #expect(bar.openMenu == nil)
    bar.isHidden = true
    _ = press("alt+v")
    #expect(bar.openMenu == nil)
  }

  /// The focused view and its keys come before.
  @Test func focusedViewKeepsItsKeys() {
    let field = TextField("two words")
    desk.window.content = field
    desk.window.makeFirstResponder(field)
    _ = press("home", "alt+f")
    #expect(bar.openMenu == nil && field.selection.head != field.document.bounds.lowerBound)
  }

  /// Only a window of a desktop has a header bar.
  @Test func headerBarIsAMenuBarElsewhere() {
    let desk = Desk(Label("other"), width: 22, height: 8)
    let window = Window(content: Label("content"))
    window.menuStyle = .headerBar
    window.menuBar = MenuBar([Menu("File", [MenuItem("New")])])
    desk.application.show(window)
    #expect(desk.text == " File\ncontent")
    desk.press("f10")
    #expect(window.menuBar?.openMenu != nil)
  }

  @Test func anOpenMenuCoversTheContent() {
    wrap.isChecked = true
    rename.isEnabled = false
    bar.open(file)
    #expect(
      desk.text == """
         File  View
        ┌─────────────────┐
        │  New     Ctrl+N │
        │  Rename         │
        ├─────────────────┤
        │  Quit    Ctrl+Q │
        └─────────────────┘
        """)
    #expect(desk.backend.grid.cursor == nil)
    bar.open(view)
    #expect(
      desk.text == """
         File  View
        conten┌───────┐
              │✓ Wrap │
              └───────┘
        """)
    bar.close()
    #expect(desk.text == " File  View\ncontent")
    #expect(desk.backend.grid.cursor == Point(x: 0, y: 1))
  }

  @Test func aMenuThatIsTooLargeScrolls() {
    desk.backend.send(.resize(Size(width: 12, height: 5)))
    view.items = (1...4).map { MenuItem("Item \($0)") }
    bar.open(view)
    #expect(
      desk.text == """
         File  View
        c┌─────────┐
         │  Item 1 │
         │  Item 2 │
         └────────▼┘
        """)
    _ = press("down", "down", "down", "down")
    #expect(
      desk.text == """
         File  View
        c┌────────▲┐
         │  Item 3 │
         │  Item 4 │
         └─────────┘
        """)
    desk.backend.click("Item 3")
    #expect(bar.openMenu == nil)
    desk.backend.send(.resize(Size(width: 3, height: 1)))
    bar.open(view)
    #expect(desk.backend.grid.size.width == 3)
    _ = press("down", "enter")
    #expect(bar.openMenu == nil)
  }

  // MARK: Keys

  @Test func itemKeysTakePrecedenceOverTheFocus() {
    spot.takes = { _ in true }
    #expect(press("ctrl+n", "x") == ["New", "content key x"])
    new.isEnabled = false
    #expect(press("ctrl+n") == ["content key ctrl+n"])
    bar.isHidden = true
    #expect(press("ctrl+q", "f10") == ["Quit", "content key f10"])
    bar.isEnabled = false
    #expect(press("ctrl+q") == ["content key ctrl+q"])
  }

  @Test func aDialogHasItsOwnKeys() {
    let dialog = Window(style: .dialog, content: Label("in"))
    desk.application.show(dialog)
    #expect(press("ctrl+n", "f10") == [])
    dialog.menuBar = MenuBar([Menu("Own", [wrap])])
    wrap.keyEquivalent = KeyPress("ctrl+n")
    #expect(press("ctrl+n") == ["Wrap"])
    #expect(desk.text.contains("│ in │"))
  }

  @Test func arrowsCycleThroughEnabledItems() {
    _ = press("f10")
    #expect(currentLine == "New")
    rename.isEnabled = false
    _ = press("down")
    #expect(currentLine == "Quit")
    _ = press("down")
    #expect(currentLine == "New")
    _ = press("up")
    #expect(currentLine == "Quit")
    _ = press("home")
    #expect(currentLine == "New")
    _ = press("end")
    #expect(currentLine == "Quit")
    _ = press("right")
    #expect(bar.openMenu === view)
    _ = press("right")
    #expect(bar.openMenu === file)
    _ = press("left")
    #expect(bar.openMenu === view)
    #expect(press("enter") == ["Wrap"])
    #expect(bar.openMenu == nil)
    #expect(spot.isFirstResponder)
  }

  @Test func lettersSelectItemsByTheirFirstLetter() {
    view.items = ["Alpha", "beta", "Able", "Äther"].map { MenuItem($0) }
    bar.open(view)
    for (letter, title) in [
      ("a", "Alpha"), ("a", "Able"), ("a", "Äther"), ("a", "Alpha"), ("B", "beta"), ("z", "beta"),
    ] {
      // Another letter begins a new word after a pause.
      if letter != "a" { desk.scheduler.advance(by: .seconds(2)) }
      _ = press(letter)
      #expect(currentLine == title)
    }
  }

  @Test func aTextGetsTheKeyThatAnItemLeavesToIt() {
    let text = TextView("a\nb")
    desk.window.content = text
    desk.window.makeFirstResponder(text)
    new.keyEquivalent = KeyPress("alt+down")
    _ = log.take()
    #expect(press("alt+down") == ["New"] && text.text == "a\nb")
    new.leavesKeyToText = true
    #expect(press("alt+down") == [] && text.text == "b\na")
    text.isHidden = true
    #expect(press("alt+down") == ["New"])
  }

  @Test func lettersTypedQuicklyAreOneWord() {
    view.items = ["taxes", "ana", "tag", "two words", "two"].map { MenuItem($0) }
    bar.open(view)
    _ = press("t", "a", "g")
    #expect(currentLine == "tag")
    desk.scheduler.advance(by: .seconds(2))
    _ = press("t", "w", "o", "space", "w")
    #expect(currentLine == "two" && bar.openMenu === view)
    desk.scheduler.advance(by: .seconds(2))
    _ = press("space")
    #expect(bar.openMenu == nil)
  }

  @Test func anOpenMenuTakesAllKeysAndPastes() {
    spot.takes = { _ in true }
    _ = press("f10")
    #expect(press("x", "tab", "ctrl+a", "delete", "f3") == [])
    desk.backend.send(.paste("text"))
    #expect(bar.openMenu === file)
    #expect(press("escape") == [])
    #expect(bar.openMenu == nil)
    #expect(press("f10", "f10", "x") == ["content key x"])
  }

  @Test func itemKeysWorkWhileAMenuIsOpen() {
    quit.keyEquivalent = KeyPress("enter")
    _ = press("f10")
    #expect(press("enter") == ["New"])
    #expect(press("enter") == ["Quit"])
    wrap.keyEquivalent = KeyPress("f3")
    bar.open(file)
    #expect(press("f3") == ["Wrap"])
    #expect(bar.openMenu == nil)
    // The mouse opens a menu without a current item.
    bar.open(file)
    #expect(press("enter", "space") == [])
    #expect(press("up", "space") == ["Quit"])
  }

  // MARK: Mouse

  @Test func clicksOpenChooseAndClose() {
    desk.backend.click("File")
    #expect(bar.openMenu === file)
    desk.backend.click("View")
    #expect(bar.openMenu === view)
    desk.backend.click("Wrap")
    #expect(log.take() == ["Wrap"])
    desk.backend.click("File")
    desk.backend.click("File")
    #expect(bar.openMenu == nil)
    desk.backend.click("File")
    desk.backend.click(Point(x: 20, y: 7))
    #expect(bar.openMenu == nil)
    #expect(log.take() == [])
    desk.backend.click(Point(x: 20, y: 0))
    #expect(bar.openMenu == nil)
  }

  @Test func draggingOntoAnItemChoosesIt() {
    desk.mouse(.press(.left), x: 1, y: 0)
    _ = desk.text
    desk.mouse(.drag(.left), x: 3, y: 3)
    #expect(currentLine == "Rename")
    desk.mouse(.drag(.left), x: 7, y: 0)
    #expect(bar.openMenu === view)
    _ = desk.text
    desk.mouse(.release(.left), x: 8, y: 2)
    #expect(log.take() == ["Wrap"])
    desk.mouse(.press(.left), x: 1, y: 0)
    desk.mouse(.release(.left), x: 20, y: 7)
    #expect(bar.openMenu === file)
  }

  @Test func disabledItemsDoNothing() {
    rename.isEnabled = false
    bar.open(file)
    desk.backend.click("Rename")
    desk.backend.click(Point(x: 3, y: 4))
    #expect(bar.openMenu === file)
    #expect(log.take() == [])
    desk.mouse(.move, x: 3, y: 5)
    #expect(currentLine == "Quit")
    desk.mouse(.wheel(.down), x: 3, y: 5)
    #expect(currentLine == "New")
    file.items = []
    #expect(press("down", "up", "home", "a", "enter") == [])
    #expect(desk.text.hasPrefix(" File  View\n┌───"))
  }

  // MARK: Closing and release

  @Test func removingTheBarClosesTheMenu() {
    let changes: [() -> Void] = [
      { bar.isHidden = true }, { bar.isEnabled = false }, { desk.window.menuBar = nil },
      { desk.application.show(Window(content: Label("front"))) }, { bar.menus = [view] },
      { bar.removeFromSuperview() },
    ]
    for change in changes {
      bar.isHidden = false
      bar.isEnabled = true
      bar.menus = [file, view]
      desk.window.menuBar = nil
      desk.window.menuBar = bar
      desk.application.show(desk.window)
      bar.open(file)
      #expect(desk.text.contains("Rename"))
      change()
      #expect(bar.openMenu == nil)
      #expect(!desk.text.contains("Rename"))
    }
  }

  @Test func aHandlerMayRemoveTheBar() {
    new.rx.activate.observeNext { [desk] in desk.window.menuBar = nil }
    bar.open(file)
    desk.backend.click("New")
    #expect(desk.text == "content")
    #expect(log.take().contains("New"))
  }

  @Test func aMenuRemovedFromItsBarIsReleased() {
    weak var held: Menu?
    do {
      let menu = Menu("Gone", [MenuItem("Item")])
      held = menu
      bar.menus.append(menu)
      bar.open(menu)
      bar.menus = [file]
    }
    #expect(held == nil)
    #expect(bar.openMenu == nil)
  }
}
