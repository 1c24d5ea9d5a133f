#if GTK
import CGTK
import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting

@testable import RunnelGTK

/// A window with many controls, which get random input and change at random.
@MainActor
final class WidgetStorm {
  let app: TestApp
  let list = CollectionProperty(["zero", "one", "two", "three", "four", "five", "six", "seven"])
  let rows: TableRows<String>
  let field = TextField("some text", placeholder: "nothing")
  let editor = TextView("one two\nthree\n\tfour 世界 e\u{301}\nfive six seven eight nine ten eleven")
  let table = TableView(
    columns: [
      TableColumn("title", title: "Title", width: .flexible(minimum: 4), isSortable: true),
      TableColumn(
        "length", title: "Length", width: .fixed(6), alignment: .trailing, isSortable: true),
    ], selectionMode: .multiple)
  let check = Checkbox("Check")
  let button = Button("Button")
  let label = Label("label")
  let status = StatusBar("status")
  let stack = StackView(.vertical)
  private let split: SplitView
  private let item = MenuItem("Item", key: "ctrl+k")
  private let bar: MenuBar
  private let other = Window(title: "Other", style: .dialog, content: TextField("in a dialog"))
  private let alert = Alert(
    "Sure?", message: "Are you?", buttons: [.default("Yes"), .cancel("No")])
  private var asking: Disposable?
  private var random: SeededGenerator
  private var made = 0

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    rows = table.rx.sortedRows(list) { row, title in
      row["title"].text = title
      row["length"] = TableCell("\(title.count)", style: .faint)
    }
    split = SplitView(.horizontal, table, editor, position: .fraction(0.5))
    bar = MenuBar([Menu("Menu", [item, .separator, MenuItem("More")]), Menu("Empty", [])])
    app = try TestApp(stack, size: Size(width: 50, height: 16))
    app.window.menuBar = bar
    for view in views { stack.addSubview(view) }
    field.highlights = { text in text.ranges(of: "e").map { TextHighlight($0) } }
    editor.highlights = { _, line in line.ranges(of: "o").map { TextHighlight($0) } }
    field.rDelegate.answer(\.textField_shouldChangeTextIn_with) { _, _, text in text != "9" }
    editor.rDelegate.answer(\.textView_shouldChangeTextIn_with) { _, _, text in text != "9" }
    app.settle()
  }

  private var views: [View] { [field, split, check, button, label, status] }

  // MARK: - Actions

  /// Performs a random action, and returns its description.
  func act() -> String {
    let action = randomAction()
    while Bool(g_main_context_iteration(nil, 0)) {}
    app.backend.sync()
    return action
  }

  private func randomAction() -> String {
    let kind = below(24)
    switch kind {
    case 0...7: return press()
    case 8...10: return type()
    case 11...13: return click()
    case 14: return resize()
    case 15...18: return changeRows()
    case 19...20: return changeTexts()
    case 21...22: return changeViews()
    default: return changeWindows()
    }
  }

  private static let keys = [
    "space", "enter", "tab", "shift+tab", "escape", "left", "right", "up", "down", "home", "end",
    "pageup", "pagedown", "shift+left", "shift+end", "ctrl+a", "ctrl+c", "ctrl+x", "ctrl+v",
    "ctrl+z", "ctrl+y", "backspace", "delete", "ctrl+left", "ctrl+right", "f10", "ctrl+k", "f2",
    "shift+down", "shift+up", "ctrl+space",
  ]

  private func press() -> String {
    let key = Self.keys[below(Self.keys.count)]
    if let press = KeyPress(key) { app.backend.send(.key(press)) }
    return "press \(key)"
  }

  private func type() -> String {
    let text = someText
    for character in text where !character.isNewline && character != "\t" {
      app.backend.send(.key(KeyPress(.character(character))))
    }
    return "type \(text.debugDescription)"
  }

  private func click() -> String {
    let point = Point(x: below(50), y: below(16))
    let end = below(3) == 0 ? Point(x: below(50), y: below(16)) : point
    let actions: [MouseEvent.Action] = [.press(.left), .drag(.left), .release(.left)]
    for action in actions where action != .drag(.left) || end != point {
      app.backend.send(.mouse(MouseEvent(action, at: action == .press(.left) ? point : end)))
    }
    let wheel: MouseEvent.Direction = randomBool ? .up : .down
    if below(4) == 0 { app.backend.send(.mouse(MouseEvent(.wheel(wheel), at: point))) }
    return "click \(point), release \(end)"
  }

  private func resize() -> String {
    let size = Size(width: 20 + below(50), height: 4 + below(18))
    app.backend.send(.resize(size))
    if !app.application.isTerminated { app.settle() }
    return "resize \(size)"
  }

  private func changeRows() -> String {
    let (kind, count) = (below(10), list.value.count)
    made += 1
    switch kind {
    case 0...1: list.insert("row \(made)", at: below(count + 1))
    case 2 where count > 0: list.remove(at: below(count))
    case 3 where count > 1: list.move(from: below(count), to: below(count))
    case 4:
      let column = table.columns[below(table.columns.count)].identifier
      table.sort = randomBool ? nil : TableSort(column, isAscending: randomBool)
    case 5 where count > 0: list[below(count)] = "changed \(made)"
    case 6: list.append(contentsOf: (0..<below(30)).map { "\(made) \($0)" })
    case 7: list.replace(with: (0..<below(9)).map { "new \(made) \($0)" })
    case 8: table.selectedRows = RangeSet((0..<4).map { _ in below(count + 1) }.map { $0..<$0 + 1 })
    default: table.selectionMode = [.none, .single, .multiple][below(3)]
    }
    return "rows \(kind)"
  }

  private func changeTexts() -> String {
    let kind = below(8)
    switch kind {
    case 0: field.text = someText
    case 1: editor.text = (0..<below(30)).map { _ in someText }.joined(separator: "\n")
    case 2: field.selection = someSelection
    case 3: editor.selection = someSelection
    case 4: check.isOn.toggle()
    case 5: (label.text, button.title, check.title) = (someText, someText, someText)
    case 6: (field.isEditable, editor.isEditable) = (below(4) > 0, below(4) > 0)
    default: editor.wrapsLines.toggle()
    }
    return "texts \(kind)"
  }

  private func changeViews() -> String {
    let (kind, view) = (below(7), views[below(views.count)])
    switch kind {
    case 0...1: view.isHidden.toggle()
    case 2: view.isEnabled.toggle()
    case 3: view.removeFromSuperview()
    case 4: stack.insertSubview(view, at: below(stack.subviews.count + 1))
    case 5: app.window.makeFirstResponder(randomBool ? view : [table, editor][below(2)])
    default: for view in views where view.superview == nil { stack.addSubview(view) }
    }
    return "views \(kind) \(Swift.type(of: view))"
  }

  private func changeWindows() -> String {
    let kind = below(4)
    switch kind {
    case 0: app.application.show(other)
    case 1: if other.application != nil { other.close() }
    case 2: asking = alert.ask(in: app.application).observe(succeeded: { _ in })
    default: asking = nil
    }
    return "windows \(kind)"
  }

  // MARK: - Random values

  private func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private var randomBool: Bool { below(2) == 0 }

  private var someText: String {
    let pieces = [
      "one", " ", "\n", "世", "\u{301}", "e", "\t", "👩‍👩‍👧", "\r", "9", "two three four five ",
    ]
    return (0..<below(6)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  private var someSelection: TextSelection {
    let places = (0..<2).map { _ in TextPosition(line: below(7) - 1, offset: below(20) - 1) }
    return TextSelection(anchor: places[0], head: places[1])
  }
}
#endif
