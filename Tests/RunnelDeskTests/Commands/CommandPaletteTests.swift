import RunnelStreams
import RunnelTesting
import Testing

@testable import RunnelDesk

@MainActor
@Suite struct CommandPaletteTests {
  private let new = MenuItem("New note", key: "ctrl+n")
  private let save = MenuItem("Save", key: "ctrl+s")
  private let find = MenuItem("Find")
  private let theme = MenuItem("Dark theme")
  private let file: Menu
  private let bar: MenuBar
  private let field = TextField()
  private let log = Log()
  private let desk: Desk

  init() {
    file = Menu("File", [new, .separator, save])
    bar = MenuBar([file, Menu("Edit", [find])])
    bar.commands = [theme]
    desk = Desk(focusing: field, width: 44, height: 12)
    desk.window.menuBar = bar
    for item in [new, save, find, theme] {
      item.rx.activate.observeNext { [log] in log.add(item.title) }
    }
  }

  private var isOpen: Bool { desk.application.windows.count == 2 }

  /// The titles in the palette.
  private var titles: [String] {
    desk.lines.filter { $0.hasPrefix(" │ ") || $0.hasPrefix("│ ") }.dropFirst().map { line in
      line.split(separator: "  ").first.map(String.init) ?? ""
    }.map { $0.filter { $0 != "│" }.split(separator: " ").joined(separator: " ") }
      .filter { !$0.isEmpty }
  }

  @Test func showsAllCommandsWithTheirKeys() {
    desk.press("ctrl+p")
    #expect(
      desk.text == """
         File  Edit

        ╭─ Commands ───────────────────────────────╮
        │ Search commands                          │
        │ New note                     File Ctrl+N │
        │ Save                         File Ctrl+S │
        │ Find                         Edit        │
        │ Dark theme                               │
        ╰──────────────────────────────────────────╯
        """)
    #expect(desk.cursor == Point(x: 2, y: 3))
    #expect(desk.style(x: 2, y: 4) == Theme.standard.inactiveSelection)
  }

  @Test func typingNarrowsAndReturnRuns() {
    desk.press("ctrl+p")
    desk.backend.type("nt")
    #expect(titles == ["New note"])
    desk.press("enter")
    #expect(log.take() == ["New note"])
    #expect(!isOpen)
    #expect(field.isFirstResponder)
    #expect(field.text == "")
  }

  @Test func aMenuTitleIsFoundToo() {
    desk.press("ctrl+p")
    desk.backend.type("fi")
    #expect(titles == ["Find", "Save", "New note"])
    #expect(desk.style(x: 2, y: 5) == Theme.standard.text)
    desk.backend.type("le sa")
    #expect(titles == ["Save"])
    desk.backend.type("x")
    #expect(desk.text.contains("No command matches"))
    desk.press("enter")
    #expect(isOpen)
    #expect(log.take() == [])
    desk.press("backspace", "enter")
    #expect(log.take() == ["Save"])
  }

  @Test func marksTheMatchingLetters() {
    desk.press("ctrl+p")
    desk.backend.type("e")
    #expect(titles == ["Save", "New note", "Dark theme", "Find"])
    let styles = (2..<10).map { desk.style(x: $0, y: 5) == Theme.standard.highlight }
    #expect(styles == [false, true, false, false, false, false, false, false])
  }

  @Test func recentCommandsAreFirst() {
    for _ in 0..<2 {
      desk.press("ctrl+p")
      desk.backend.type("find\n")
    }
    desk.press("ctrl+p")
    desk.backend.type("dark\n")
    desk.press("ctrl+p")
    #expect(titles == ["Dark theme", "Find", "New note", "Save"])
  }

  @Test func arrowsAndTheMouseChoose() {
    desk.press("ctrl+p", "down", "down", "up", "enter")
    #expect(log.take() == ["Save"])
    desk.press("ctrl+p")
    desk.backend.click("Find")
    #expect(log.take() == ["Find"])
    #expect(!isOpen)
    desk.press("ctrl+p")
    desk.mouse(.press(.left), x: 5, y: 6)
    desk.mouse(.drag(.left), x: 5, y: 7)
    #expect(desk.style(x: 2, y: 7) == Theme.standard.inactiveSelection)
    desk.mouse(.release(.left), x: 0, y: 0)
    #expect(isOpen)
    desk.backend.type("d")
    #expect(desk.text.contains("│ d "))
  }

  @Test(arguments: ["escape", "ctrl+p"])
  func keysClose(key: String) {
    desk.press("ctrl+p")
    #expect(isOpen)
    desk.press(key)
    #expect(!isOpen)
    #expect(field.isFirstResponder)
  }

  @Test func disabledCommandsAreNotOffered() {
    save.isEnabled = false
    bar.isHidden = true
    desk.press("ctrl+p")
    #expect(titles == ["New note", "Find", "Dark theme"])
    new.isEnabled = false
    desk.press("enter")
    #expect(log.take() == [])
    for item in [find, theme] { item.isEnabled = false }
    desk.press("ctrl+p")
    #expect(!isOpen)
  }

  @Test func otherUsesOfItsKeyHavePriority() {
    find.keyEquivalent = bar.paletteKey
    desk.press("ctrl+p")
    #expect(log.take() == ["Find"])
    find.keyEquivalent = nil
    desk.application.keyBindings["ctrl+p"] = .move(.up)
    desk.press("ctrl+p")
    #expect(!isOpen)
    bar.paletteKey = KeyPress("f5")
    desk.press("f5")
    #expect(isOpen)
    desk.press("f5")
    bar.paletteKey = nil
    desk.press("f5")
    #expect(!isOpen)
    #expect(bar.openPalette())
    #expect(!bar.openPalette())
  }

  @Test func keysOfCommandsWorkWithoutThePalette() {
    theme.keyEquivalent = KeyPress("f8")
    desk.press("f8")
    #expect(log.take() == ["Dark theme"])
    bar.commands = []
    desk.press("f8")
    #expect(log.take() == [])
  }

  @Test func menusMayUpdateTheirItemsAndRefuse() {
    file.rDelegate.stream(\.menuWillOpen).observeNext { [save] _ in save.title = "Save all" }
    let closings = file.rDelegate.stream(\.menuDidClose).map { _ in }.record()
    file.rDelegate.answer(\.menu_shouldActivate) { _, _ in false }
    desk.press("ctrl+p")
    #expect(titles.contains("Save all"))
    desk.press("enter")
    #expect(closings.elements.count == 1)
    #expect(log.take() == [])
    desk.press("ctrl+p")
    #expect(titles.first == "New note")
  }

  @Test func aCommandMayRemoveTheBar() {
    theme.rx.activate.observeNext { [desk] in desk.window.menuBar = nil }
    desk.press("ctrl+p")
    desk.backend.type("dark\n")
    #expect(!isOpen)
    #expect(desk.window.menuBar == nil)
    desk.press("ctrl+p")
    #expect(!isOpen)
  }

  @Test func tinyScreens() {
    for size in [Size(width: 0, height: 0), Size(width: 3, height: 2), Size(width: 9, height: 4)] {
      desk.backend.send(.resize(size))
      desk.press("ctrl+p", "down", "f")
      #expect(isOpen)
      _ = desk.text
      desk.press("escape")
    }
  }

  @Test func wideTitles() {
    bar.menus = [Menu("檔案", [MenuItem("新增檔案", key: "ctrl+n"), MenuItem("儲存")])]
    desk.press("ctrl+p")
    desk.backend.type("檔")
    #expect(titles == ["新增檔案", "儲存"])
    desk.backend.type("案")
    #expect(desk.text.contains("│ 新增檔案                     檔案 Ctrl+N │"))
  }

  /// The order does not depend on the queries that were typed before.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func equalHitsAreInTheOrderOfTheMenus(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<40 {
      let titles = (0..<12).map { _ in
        String((0..<5).map { _ in ["a", "b", " ", "c"].randomElement(using: &random) ?? "a" })
      }
      let items = titles.map { MenuItem($0) }
      var typed = CommandSearch(items, recent: RecentCommands())
      for query in ["a", "ab", "abc"] {
        typed.find(query)
        var direct = CommandSearch(items, recent: RecentCommands())
        direct.find(query)
        func places(_ search: CommandSearch) -> [Int?] {
          search.hits.map { hit in items.firstIndex { $0 === hit.command.item } }
        }
        #expect(places(typed) == places(direct), "seed \(seed), \(titles), \(query)")
      }
    }
  }

  @Test func longerQueriesCompareOnlyTheHits() {
    let items = (0..<10_000).map { MenuItem("Command \($0)\($0 % 100 == 7 ? " zebra" : "")") }
    var search = CommandSearch(items, recent: RecentCommands())
    #expect(search.comparisonCount == 0)
    #expect(search.hits.count == 10_000)
    search.find("z")
    #expect(search.comparisonCount == 10_000)
    search.find("ze")
    search.find("ze7")
    #expect(search.comparisonCount == 10_200)
    #expect(search.hits.count == 0)
    search.find("zebra")
    #expect(search.comparisonCount == 20_200)
    #expect(search.hits.first?.command.item === items[7])
    #expect(search.hits.count == 100)
  }

  @Test func manyCommandsAreShownAtOnce() {
    bar.commands = (0..<10_000).map { MenuItem("Command \($0)") }
    desk.press("ctrl+p")
    desk.backend.type("c9999")
    #expect(titles == ["Command 9999"])
    desk.press("pagedown", "enter")
    #expect(!isOpen)
  }
}
