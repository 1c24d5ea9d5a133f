import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct LinearReaderTests {
  private let search = TextField(placeholder: "Search")
  private let wraps = Checkbox("Wrap")
  private let table = TableView(columns: [TableColumn("item"), TableColumn("count")])
  private let status = StatusBar("5 items")
  private let items = CollectionProperty(["Milk", "Bread", "Butter", "Eggs", "Salt"])
  private let desk: Desk

  init() {
    desk = Desk(
      StackView(.vertical, [Label("Today"), search, wraps, table, status]), width: 20, height: 10)
    table.accessibilityLabel = "Shopping"
    table.rx.rows(items) { row, item in
      row["item"].text = item
      row["count"].text = item == "Milk" ? "2" : ""
    }
    desk.window.makeFirstResponder(search)
  }

  private func press(_ keys: String...) -> [String] {
    for key in keys { desk.backend.press(key) }
    return desk.backend.readLines()
  }

  @Test func windowIsReadWithItsTextAndTheFocus() {
    #expect(
      desk.backend.readLines()
        == ["Window, window", "Today", "5 items", "Ctrl+Q quits", "Search, text field"])
    #expect(desk.backend.readLines() == [])
  }

  @Test func focusAndValuesAreRead() {
    _ = desk.backend.readLines()
    #expect(press("m", "i") == ["mi"])
    #expect(press("l") == ["mil"])
    #expect(press("left") == ["l"])
    #expect(press("shift+home") == ["selected mi"])
    #expect(press("tab") == ["Wrap, checkbox: not checked"])
    #expect(press("space") == ["checked"])
    #expect(press("tab") == ["Shopping, table: 5 rows"])
    #expect(press("down") == ["Milk, 2, row 1 of 5"])
    #expect(press("down") == ["Bread, row 2 of 5"])
    #expect(press("backtab", "backtab") == ["Search, text field: mil"])
    #expect(press("end", "ctrl+u") == ["empty"])
  }

  @Test func changesElsewhereAreReadBeforeTheFocus() {
    _ = desk.backend.readLines()
    status.text = "Saved\nnow"
    items.removeAll()
    table.placeholder = "Nothing"
    search.text = "x"
    #expect(desk.backend.readLines() == ["Nothing", "Saved", "now", "x"])
    wraps.isHidden = true
    #expect(desk.backend.readLines() == [])
    wraps.isHidden = false
    #expect(desk.backend.readLines() == [])
  }

  @Test func alertsAreReadInOneLine() {
    _ = desk.backend.readLines()
    let alert = Alert(
      "Delete?", message: "It cannot be undone.",
      buttons: [.destructive("Delete"), .cancel("Keep")])
    alert.ask(in: desk.application).observe(succeeded: { _ in })
    #expect(
      desk.backend.readLines()
        == ["Alert: Delete? It cannot be undone. [Delete] [Keep]", "Keep, button"])
    #expect(press("left") == ["Delete, button"])
    // A window that is in front again is read by its changes.
    status.text = "4 items"
    #expect(press("escape") == ["Window, window", "4 items", "Search, text field"])
  }

  @Test func textInAnAlertIsRead() {
    _ = desk.backend.readLines()
    let alert = Alert("Keys", message: "All of them")
    let page = ScrollView(Label("F1 help\nF2 rename"))
    page.fitsContent = true
    alert.accessory = page
    alert.ask(in: desk.application).observe(succeeded: { _ in })
    let lines = desk.backend.readLines()
    #expect(lines.prefix(3) == ["Alert: Keys All of them [OK]", "F1 help", "F2 rename"])
    #expect(lines.count == 4)
  }

  @Test func openMenusAreReadItemByItem() {
    let wrap = MenuItem("Wrap", key: "ctrl+w")
    wrap.isChecked = true
    desk.window.menuBar = MenuBar([Menu("File", [MenuItem("Open"), .separator, wrap])])
    _ = desk.backend.readLines()
    #expect(press("f10") == ["File, menu: Open, item 1 of 2"])
    #expect(press("down") == ["Wrap, checked, Ctrl+W, item 2 of 2"])
    #expect(press("escape") == ["Search, text field"])
  }

  @Test func textIsReadLineByLine() {
    let editor = TextView("one\n\nthree")
    desk.window.content = editor
    desk.window.makeFirstResponder(editor)
    #expect(desk.backend.readLines().last == "text area: one, line 1 of 3")
    #expect(press("down") == ["empty, line 2 of 3"])
    #expect(press("down") == ["three, line 3 of 3"])
    #expect(press("end") == ["end of line"])
  }

  @Test func outlineRowsSayTheirLevelAndState() {
    let stage = OutlineStage.sample()
    _ = stage.desk.backend.readLines()
    stage.desk.press("down")
    #expect(stage.desk.backend.readLines() == ["Music, collapsed, row 1 of 3"])
    stage.desk.press("right")
    #expect(stage.desk.backend.readLines() == ["Music, expanded, row 1 of 5"])
    stage.desk.press("right")
    #expect(stage.desk.backend.readLines() == ["Bach, collapsed, level 2, row 2 of 5"])
  }

  @Test func toolTipsAreReadAsHelpOfTheFocus() {
    search.toolTip = "Finds items"
    wraps.toolTip = "Wraps\nlong lines"
    #expect(desk.backend.readLines().suffix(2) == ["Search, text field", "Finds items"])
    #expect(press("m") == ["m"])
    #expect(press("tab") == ["Wrap, checkbox: not checked", "Wraps", "long lines"])
    #expect(press("space") == ["checked"])
    wraps.toolTip = "Wraps words"
    #expect(desk.backend.readLines() == ["Wraps words"])
    #expect(press("tab") == ["Shopping, table: 5 rows"])
    // The tip of a view concerns the views in it, and is read once.
    desk.window.content.toolTip = "A list"
    #expect(desk.backend.readLines() == ["A list"])
    search.toolTip = nil
    #expect(press("tab") == ["Search, text field: m"])
    desk.window.menuBar = MenuBar([Menu("File", [MenuItem("Open")])])
    #expect(press("f10") == ["File, menu: Open, item 1 of 1"])
    #expect(press("escape") == ["Search, text field: m", "A list"])
  }

  @Test func toastsAreReadWithTheirAction() {
    _ = desk.backend.readLines()
    desk.application.show(Toast("Item\ndeleted", action: "Undo"))
    let second = Toast("Saved")
    desk.application.show(second)
    #expect(desk.backend.readLines() == ["Item", "deleted [Undo Alt+A]"])
    #expect(press("x") == ["x"])
    #expect(press("alt+a") == ["Saved"])
    desk.scheduler.advance(by: .seconds(4))
    #expect(desk.backend.readLines() == [])
    desk.application.show(second)
    #expect(desk.backend.readLines() == ["Saved"])
    // Nothing is selected to copy.
    second.dismiss()
    search.text = ""
    #expect(press("ctrl+c") == ["Ctrl+Q quits", "empty"])
  }

  /// The keys are read with the window, and not each time that they change.
  @Test func keyHintsAreReadOnce() {
    let save = MenuItem("Save", key: "ctrl+s")
    let find = MenuItem("Find", key: "ctrl+f")
    desk.window.menuBar = MenuBar([Menu("File", [save, find, MenuItem("Print")])])
    desk.window.content.addSubview(KeyHints())
    let hints = "Ctrl+P Commands, Ctrl+S Save, Ctrl+F Find"
    #expect(
      desk.backend.readLines() == [
        "Window, window", "Today", "5 items", hints, "Ctrl+Q quits", "Search, text field",
      ])
    find.isEnabled = false
    #expect(desk.backend.readLines() == [])
  }

  @Test func viewsWithoutDescriptionAreReadAsDrawn() {
    final class Stars: View, CellDrawn {
      override var canBecomeFirstResponder: Bool { true }
      func draw(in painter: inout Painter, theme: Theme) {
        painter.put("★★★", at: .zero, style: theme.text)
      }
    }
    let stars = Stars()
    desk.window.content = stars
    desk.window.makeFirstResponder(stars)
    #expect(desk.backend.readLines().last == "★★★")
    stars.accessibilityLabel = "Rating"
    #expect(desk.backend.readLines() == ["Rating: ★★★"])
  }

  @Test(arguments: [
    (Double.nan, "0 %"), (-1, "0 %"), (0.37, "30 %"), (9, "100 %"), (nil, "working"),
  ])
  func progressIsReadInSteps(fraction: Double?, value: String) {
    desk.window.content = ProgressBar(fraction)
    #expect(desk.backend.readLines().contains("progress: \(value)"))
  }
}
