import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Delegates, layout and drawing call random operations on any control, at any time.
@MainActor
@Suite struct ControlStormTests {
  @Test(arguments: seeds(17) as Range<UInt64>)
  func reentrantChangesKeepControlsConsistent(seed: UInt64) {
    let storm = Storm(seed)
    storm.isInterfering = true
    for _ in 0..<150 { storm.act() }
    storm.isInterfering = false
    guard !storm.application.isTerminated else { return }
    // The screen now shows what a complete redraw shows.
    let shown = storm.backend.grid.styledText
    storm.application.needsDisplay()
    #expect(storm.backend.grid.styledText == shown, "seed \(seed)")
    #expect(storm.window.firstResponder?.isAvailable != false, "seed \(seed)")
    let document = storm.text.document
    #expect(storm.text.selection.head == document.clamped(storm.text.selection.head))
  }
}

@MainActor
private final class Storm {
  let backend = HeadlessBackend(Size(width: 40, height: 16))
  let application: Application
  let window = Window(title: "Storm")
  let text = TextView("one two\nthree\n\tfour 世界 e\u{301}\nfive six seven eight nine ten eleven")
  /// True while callbacks perform random operations.
  var isInterfering = false

  private let field = TextField("some text", placeholder: "nothing")
  private let table = TableView(
    columns: [TableColumn("a", title: "A", isSortable: true), TableColumn("b", title: "B")],
    selectionMode: .multiple)
  private let check = Checkbox("Check")
  private let button = Button("Button")
  private let label = Label("label")
  private let status = StatusBar("status")
  private let progress = ProgressBar(nil)
  private let stack = StackView(.vertical)
  private let split: SplitView
  private let menu: Menu
  private let item = MenuItem("Item", key: "ctrl+k")
  private let bar: MenuBar
  private let spot: InterferingView
  private let other: Window
  private let alert = Alert(
    "Sure?", message: "Are you?", buttons: [.default("Yes"), .cancel("No")])
  private var asking: Disposable?
  private var rows = ["zero", "one", "two", "three", "four", "five", "six"]
  private var generator: SeededGenerator
  private var depth = 0

  init(_ seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    application = Application(backend: backend, scheduler: TestScheduler())
    split = SplitView(.horizontal, table, text, position: .fraction(0.4))
    menu = Menu("Menu", [item, .separator, MenuItem("More")])
    bar = MenuBar([menu, Menu("Other", [MenuItem("Last")])])
    spot = InterferingView()
    other = Window(title: "Other", style: .dialog, content: Label("another window"))
    window.content = stack
    window.menuBar = bar
    for view in views { stack.addSubview(view) }
    table.dataSource = self
    table.delegate = self
    text.delegate = self
    field.delegate = self
    check.delegate = self
    split.delegate = self
    menu.delegate = self
    alert.delegate = self
    window.delegate = self
    other.delegate = self
    application.delegate = self
    spot.interfere = { [weak self] in self?.interfere() }
    // Some highlight ranges belong to another text.
    let foreignRanges = "three 世界 wee\u{301} trees".ranges(of: "e")
    text.highlights = { [weak self] _, line in
      self?.interfere()
      return (line.ranges(of: "o") + foreignRanges).map { TextHighlight($0) }
    }
    field.highlights = { [weak self] line in
      self?.interfere()
      return line.ranges(of: "e").map { TextHighlight($0) }
    }
    for signal in [
      field.rx.didChange.stream, text.rx.didChange.stream, button.rx.tap.stream,
      item.rx.activate.stream, field.rx.selection.map { _ in },
      text.rx.selection.map { _ in }, table.rx.selectedRow.map { _ in }, check.rx.isOn.map { _ in },
      split.rx.position.map { _ in }, field.rx.submit.map { _ in },
    ] {
      signal.observeNext { [weak self] in self?.interfere() }
    }
    application.show(window)
  }

  private var views: [View] { [field, split, spot, check, button, label, progress, status] }

  // MARK: - User input

  private static let keys = [
    "a", "e", "space", "enter", "tab", "shift+tab", "escape", "left", "right", "up", "down", "home",
    "end", "pageup", "pagedown", "shift+left", "shift+end", "ctrl+a", "ctrl+c", "ctrl+x", "ctrl+v",
    "ctrl+z", "ctrl+y", "backspace", "delete", "ctrl+left", "ctrl+right", "f10", "ctrl+k", "f2",
    "ctrl+space", "shift+down",
  ]

  func act() {
    if window.application == nil { application.show(window) }
    if stack.superview == nil { window.content = stack }
    let point = Point(x: below(42) - 1, y: below(18) - 1)
    switch below(24) {
    case 0: backend.send(.paste(someText))
    case 1: backend.send(.resize(Size(width: below(50), height: below(20))))
    case 2: backend.send(.focus(randomBool))
    case 3...4:
      let direction: MouseEvent.Direction = randomBool ? .up : .down
      backend.send(.mouse(MouseEvent(.wheel(direction), at: point)))
    case 5...11:
      for action in [.press(.left), .drag(.left), .release(.left)] as [MouseEvent.Action] {
        let place = Point(x: point.x + below(5), y: point.y + below(3))
        backend.send(.mouse(MouseEvent(action, at: randomBool ? place : point)))
      }
    default: backend.press(Self.keys[below(Self.keys.count)])
    }
  }

  // MARK: - Random operations in callbacks

  func interfere() {
    guard isInterfering, depth < 4, below(2) == 0 else { return }
    depth += 1
    performRandomOperation()
    depth -= 1
  }

  private func performRandomOperation() {
    let view = views[below(views.count)]
    switch below(34) {
    case 0...2: text.text = someText
    case 3: text.text = ""
    case 4...5: field.text = someText
    case 6: field.text = ""
    case 7: text.selection = someSelection
    case 8: field.selection = someSelection
    case 9: text.top = TextPosition(line: below(9) - 1, offset: below(9) - 1)
    case 10: text.wrapsLines.toggle()
    case 11: (text.isEditable, field.isEditable) = (randomBool, randomBool)
    case 12: rows = (0..<below(9)).map { "row \($0)" }; table.reloadData()
    case 13:
      rows.insert("new", at: 0)
      table.insertRows(0..<1)
    case 14 where table.rowCount == rows.count && !rows.isEmpty:
      rows.removeLast()
      table.removeRows(rows.count..<rows.count + 1)
    case 15: table.selectedRows = RangeSet(0..<below(9))
    case 16:
      table.columns =
        table.columns.count == 1 ? table.columns + [TableColumn("c")] : [TableColumn("a")]
    case 17: table.selectionMode = randomBool ? .multiple : .single
    case 18: view.isHidden.toggle()
    case 19: view.isEnabled.toggle()
    case 20: view.removeFromSuperview()
    case 21...23: stack.insertSubview(view, at: below(9))
    case 24: window.makeFirstResponder(randomBool ? view : nil)
    case 25: window.moveFocus(forward: randomBool)
    case 26: randomBool ? application.show(other) : other.close()
    case 27: randomBool ? bar.open(menu) : bar.close()
    case 28: menu.items = randomBool ? [] : [item, .separator]
    case 29: bar.menus = randomBool ? [] : [menu]
    case 30: split.position = .cells(below(50) - 5)
    case 31: _ = backend.grid
    case 32: asking = randomBool ? nil : alert.ask(in: application).observe(succeeded: { _ in })
    default: act()
    }
  }

  // MARK: - Random numbers

  func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }
  var randomBool: Bool { below(2) == 0 }
  /// Returns true in most cases, after a possible random operation.
  func agrees() -> Bool {
    interfere()
    return below(5) > 0
  }

  private var someText: String {
    let pieces = ["one", " ", "\n", "世", "\u{301}", "e", "\t", "👩‍👩‍👧", "\r", "two three four five "]
    return (0..<below(8)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  private var someSelection: TextSelection {
    let places = (0..<2).map { _ in TextPosition(line: below(7) - 1, offset: below(20) - 1) }
    return TextSelection(anchor: places[0], head: places[1])
  }
}

/// A view that performs random operations in every callback.
@MainActor
private final class InterferingView: View, CellDrawn {
  var interfere: () -> Void = {}

  override func wantedExtent(in room: Size) -> Extent {
    interfere()
    return Extent(height: 1)
  }
  override func layoutSubviews() { interfere() }
  override var canBecomeFirstResponder: Bool { true }
  override func shouldBecomeFirstResponder() -> Bool {
    interfere()
    return true
  }
  override func shouldResignFirstResponder() -> Bool {
    interfere()
    return true
  }
  override func didBecomeFirstResponder() { interfere() }
  override func didResignFirstResponder() { interfere() }
  override func perform(_ command: Command) -> Bool {
    interfere()
    return false
  }
  func draw(in painter: inout Painter, theme: Theme) { interfere() }
}

extension Storm: TextViewDelegate {
  func textViewShouldBeginEditing(_ view: TextView) -> Bool { agrees() }
  func textViewDidBeginEditing(_ view: TextView) { interfere() }
  func textView(
    _ view: TextView, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool { agrees() }
  func textView(_ view: TextView, didChangeText edit: TextEdit) { interfere() }
  func textViewDidChangeSelection(_ view: TextView) { interfere() }
  func textViewShouldEndEditing(_ view: TextView) -> Bool { agrees() }
  func textViewDidEndEditing(_ view: TextView) { interfere() }
  func textView(_ view: TextView, doCommand command: Command) -> Bool { !agrees() }
}

extension Storm: TextFieldDelegate {
  func textFieldShouldBeginEditing(_ field: TextField) -> Bool { agrees() }
  func textFieldDidBeginEditing(_ field: TextField) { interfere() }
  func textField(
    _ field: TextField, shouldChangeTextIn range: Range<TextPosition>, with replacement: String
  ) -> Bool { agrees() }
  func textField(_ field: TextField, didChangeText edit: TextEdit) { interfere() }
  func textFieldDidChangeSelection(_ field: TextField) { interfere() }
  func textFieldShouldEndEditing(_ field: TextField) -> Bool { agrees() }
  func textFieldDidEndEditing(_ field: TextField) { interfere() }
  func textField(_ field: TextField, doCommand command: Command) -> Bool { !agrees() }
  func textField(_ field: TextField, completionFor text: String) -> String? {
    interfere()
    return text + "more"
  }
  func textField(_ field: TextField, didSubmit text: String) { interfere() }
}

extension Storm: TableViewDataSource {
  func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int {
    interfere()
    return rows.count
  }
  func tableView(_ table: TableView, cellsOfRow row: Int) -> TableRow {
    interfere()
    let cell = TableCell(row < rows.count ? rows[row] : "gone")
    return ["a": cell, "b": cell, "c": cell]
  }
}

extension Storm: TableViewDelegate {
  func tableView(_ table: TableView, shouldSelectRow row: Int) -> Bool { agrees() }
  func tableView(_ table: TableView, shouldChangeSelectionTo rows: RangeSet<Int>) -> Bool {
    agrees()
  }
  func tableView(_ table: TableView, selectionWillChangeTo rows: RangeSet<Int>) { interfere() }
  func tableViewSelectionDidChange(_ table: TableView) { interfere() }
  func tableView(_ table: TableView, didActivateRow row: Int) { interfere() }
  func tableView(_ table: TableView, shouldEditRow row: Int) -> Bool { agrees() }
  func tableView(_ table: TableView, didBeginEditingRow row: Int) { interfere() }
  func tableView(_ table: TableView, didClickHeaderOf column: TableColumn) { interfere() }
  func tableView(_ table: TableView, shouldSortBy sort: TableSort) -> Bool { agrees() }
  func tableView(_ table: TableView, didSortBy sort: TableSort) { interfere() }
  func tableView(_ table: TableView, shouldResize column: TableColumn, to width: Int) -> Bool {
    agrees()
  }
  func tableView(_ table: TableView, didResize column: TableColumn) { interfere() }
  func tableView(_ table: TableView, typeSelectTextForRow row: Int) -> String? {
    interfere()
    return nil
  }
  func tableView(_ table: TableView, doCommand command: Command) -> Bool { !agrees() }
  func tableView(_ table: TableView, didShowRows rows: Range<Int>) { interfere() }
}

extension Storm: CheckboxDelegate {
  func checkbox(_ checkbox: Checkbox, shouldChangeTo isOn: Bool) -> Bool { agrees() }
  func checkboxDidChange(_ checkbox: Checkbox) { interfere() }
}

extension Storm: SplitViewDelegate {
  func splitView(_ view: SplitView, shouldMoveDividerTo cells: Int) -> Bool { agrees() }
  func splitViewDidMoveDivider(_ view: SplitView) { interfere() }
}

extension Storm: MenuDelegate {
  func menuWillOpen(_ menu: Menu) { interfere() }
  func menuDidClose(_ menu: Menu) { interfere() }
  func menu(_ menu: Menu, shouldActivate item: MenuItem) -> Bool { agrees() }
}

extension Storm: AlertDelegate {
  func alert(_ alert: Alert, shouldCloseWith button: AlertButton) -> Bool { agrees() }
  func alert(_ alert: Alert, didCloseWith button: AlertButton?) { interfere() }
}

extension Storm: WindowDelegate {
  func windowDidBecomeKey(_ window: Window) { interfere() }
  func windowDidResignKey(_ window: Window) { interfere() }
  func windowShouldClose(_ window: Window) -> Bool { agrees() }
  func windowWillClose(_ window: Window) { interfere() }
  func window(_ window: Window, didMoveFocusTo view: View?) { interfere() }
}

extension Storm: ApplicationDelegate {
  func applicationDidBecomeActive(_ application: Application) { interfere() }
  func applicationDidResignActive(_ application: Application) { interfere() }
  func applicationShouldTerminate(_ application: Application) -> Bool {
    interfere()
    return false
  }
}
