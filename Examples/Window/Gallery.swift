import Runnel
import RunnelDesk
import RunnelGTK

// Prints what a screen reader says about each control. With the name of a control, it shows it in a
// window. `--pictures FOLDER` saves a picture of each in a terminal, `--windows FOLDER` in a window.

@MainActor func label() -> View {
  let forecast = Label("Warm, with some rain from the west in the evening.")
  forecast.wraps = true
  return forecast
}

@MainActor func button() -> View {
  let count = Property(0)
  let more = Button("More")
  let label = Label()
  more.rx.tap.observeNext { count.value += 1 }
  count.map { "\($0) pressed" }.bind(to: label.rx.text)
  return StackView(.horizontal, spacing: 2, [more, label])
}

@MainActor func link() -> View {
  let help = Link("Online help", target: "https://example.org/help")
  help.rx.tap.observeNext { target in print("open", target) }
  return help
}

@MainActor func checkbox() -> View {
  let wraps = Property(true)
  let checkbox = Checkbox("Wrap long lines")
  checkbox.rx.isOn.bindTwoWay(to: wraps)
  return checkbox
}

@MainActor func switches() -> View {
  let network = Switch("Network", isOn: true)
  let flight = Switch("Flight mode")
  network.rx.isOn.map { !$0 }.bind(to: flight.rx.isEnabled)
  return StackView(.vertical, [network, flight])
}

@MainActor func radioGroup() -> View {
  let kind = RadioGroup(["Mobile", "Home", "Work"], selectedIndex: 0)
  let label = Label()
  kind.rx.selectedIndex.map { "Number \(($0 ?? 0) + 1)" }.bind(to: label.rx.text)
  return StackView(.vertical, [kind, label])
}

@MainActor func popUpButton() -> View {
  let priority = PopUpButton(["Low", "Normal", "High"], selectedIndex: 1)
  return Form(["Priority": priority])
}

@MainActor func comboBox() -> View {
  let folder = ComboBox(choices: ["Inbox", "Archive", "Drafts"], placeholder: "Folder")
  return folder
}

@MainActor func slider() -> View {
  let volume = Slider(30, in: 0...100, step: 5)
  let percent = Label()
  volume.rx.value.map { "\(Int($0)) %" }.bind(to: percent.rx.text)
  return StackView(.vertical, [volume, percent])
}

@MainActor func stepper() -> View {
  let copies = Stepper(1, in: 1...99)
  let pages = Label()
  copies.rx.value.map { "\($0 * 12) pages" }.bind(to: pages.rx.text)
  return StackView(.vertical, [copies, pages])
}

@MainActor func progressBar() -> View {
  let known = ProgressBar(0.4)
  let unknown = ProgressBar(nil)
  return StackView(.vertical, spacing: 1, [known, unknown])
}

@MainActor func textField() -> View {
  let name = TextField(placeholder: "Name")
  let password = TextField("secret", isSecure: true)
  name.rx.text.map { $0.count > 3 ? nil : "At least 4 letters." }
    .bind(to: name.rx.validationMessage)
  return Form(["Name": name, "Password": password])
}

@MainActor func textView() -> View {
  let editor = TextView("# Bread\n\n- flour\n- **fresh** yeast")
  editor.syntax = TextHighlight.markdown(in:)
  return editor
}

@MainActor func imageView() -> View {
  var image = PixelImage(
    size: Size(width: 36, height: 12), filledWith: .init(40, 90, 160))
  for x in 0..<36 { image[x, 6 + x % 6] = .init(255, 200, 60) }
  let picture = ImageView(image)
  picture.accessibilityLabel = "A sparkling sea"
  return picture
}

@MainActor func tableView() -> View {
  let books = CollectionProperty([("Dune", 1965), ("Emma", 1815), ("Ulysses", 1922)])
  let table = TableView(columns: [
    TableColumn("title", title: "Title"), TableColumn("year", title: "Year", width: .fixed(6)),
  ])
  table.rx.rows(books) { row, book in
    row["title"].text = book.0
    row["year"].text = "\(book.1)"
  }
  return table
}

struct Folder: Identifiable {
  let id: String
  var folders = CollectionProperty<[Folder]>()
}

@MainActor func outlineView() -> View {
  let jazz = Folder(id: "Jazz")
  let top = [Folder(id: "Music", folders: CollectionProperty([jazz])), Folder(id: "Pictures")]
  let outline = OutlineView(columns: [TableColumn("name")])
  outline.table.showsHeader = false
  outline.rx.rows(
    CollectionProperty(top), children: \.folders, isExpandable: { !$0.folders.isEmpty }
  ) { row, folder in
    row["name"].text = folder.id
  }
  return outline
}

@MainActor func tabView() -> View {
  let tabs = TabView(["Account": Form(["Name": TextField("Ann")]), "Notes": TextView()])
  return tabs
}

@MainActor func splitView() -> View {
  let split = SplitView(
    .horizontal, TextView("The first view"), TextView("The second view"), position: .fraction(0.5))
  split.firstMinimum = 8
  return split
}

@MainActor func box() -> View {
  let address = Form(["Street": TextField("Elm Street 1"), "City": TextField("Springwood")])
  return Box("Address", address)
}

@MainActor func scrollView() -> View {
  let terms = Label((1...9).map { "\($0). You shall not hurry." }.joined(separator: "\n"))
  return ScrollView(terms)
}

@MainActor func statusBar() -> View {
  let status = StatusBar("3 of 12 notes", right: "UTF-8")
  return StackView(.vertical, [View(), status])
}

@MainActor func menuBar() -> View {
  let save = MenuItem("Save", key: "ctrl+s")
  window.menuBar = MenuBar([
    Menu("File", [save, .separator, MenuItem("Quit", key: "ctrl+q", command: .quit)]),
    Menu("Edit", [MenuItem("Undo", key: "ctrl+z", command: .undo)]),
  ])
  let hints = KeyHints()
  return StackView(.vertical, [TextView(), hints])
}

@MainActor func alert() -> View {
  let alert = Alert("Delete the note?", buttons: [.cancel("Keep"), .destructive("Delete")])
  alert.ask(in: application).observe(succeeded: { _ in })
  return View()
}

@MainActor func toast() -> View {
  let toast = Toast("Note deleted", action: "Undo")
  application.show(toast)
  return View()
}

/// A control, and how its picture is taken.
struct Exhibit {
  let name: String
  let rows: Int
  /// The keys that are pressed before and after the picture.
  var keys = "", endKeys = ""
  let content: @MainActor () -> View

  init(
    _ name: String, rows: Int, keys: String = "", endKeys: String = "",
    _ content: @escaping @MainActor () -> View
  ) {
    (self.name, self.rows, self.keys, self.endKeys) = (name, rows, keys, endKeys)
    self.content = content
  }
}

let exhibits = [
  Exhibit("Label", rows: 2, label), Exhibit("Button", rows: 1, keys: "space", button),
  Exhibit("Link", rows: 1, link), Exhibit("Checkbox", rows: 1, checkbox),
  Exhibit("Switch", rows: 2, switches),
  Exhibit("RadioGroup", rows: 4, keys: "down", radioGroup),
  Exhibit("PopUpButton", rows: 5, keys: "space", endKeys: "escape", popUpButton),
  Exhibit("ComboBox", rows: 5, keys: "down", endKeys: "escape", comboBox),
  Exhibit("Slider", rows: 2, keys: "right", slider),
  Exhibit("Stepper", rows: 2, keys: "up", stepper), Exhibit("ProgressBar", rows: 3, progressBar),
  Exhibit("TextField", rows: 4, keys: "A n n", textField), Exhibit("TextView", rows: 4, textView),
  Exhibit("ImageView", rows: 6, imageView), Exhibit("TableView", rows: 4, keys: "down", tableView),
  Exhibit("OutlineView", rows: 3, keys: "down right", outlineView),
  Exhibit("TabView", rows: 4, tabView), Exhibit("SplitView", rows: 3, splitView),
  Exhibit("Box", rows: 5, box), Exhibit("ScrollView", rows: 5, scrollView),
  Exhibit("StatusBar", rows: 2, statusBar),
  Exhibit("MenuBar", rows: 6, keys: "f10", endKeys: "escape", menuBar),
  Exhibit("Alert", rows: 7, endKeys: "escape", alert), Exhibit("Toast", rows: 4, toast),
]

/// A view and all views in it.
@MainActor func tree(_ view: View) -> [View] { [view] + view.subviews.flatMap(tree) }

let arguments = CommandLine.arguments.dropFirst()
let inWindows = !(arguments.isEmpty || arguments.first == "--pictures")
let size = Size(width: 36, height: 6)
let backend: any ScriptableBackend =
  inWindows ? try GTKBackend(identifier: "org.example.Gallery", size: size) : HeadlessBackend(size)
let application = Application(backend: backend)
let runner = ScriptRunner(application, on: backend)
let window = Window(title: "Gallery")
application.show(window)

@MainActor func show(_ exhibit: Exhibit) {
  window.menuBar = nil
  let content = exhibit.content()
  window.content = StackView(.vertical, padding: Insets(horizontal: 1), [content])
  let control = tree(content).first(where: \.canBecomeFirstResponder)
  window.makeFirstResponder(control)
}

@MainActor func run(_ script: String) throws {
  let script = try Script(script)
  let running = Single<Void, any Error>.task { try await runner.run(script) }
  try EventLoop.main.run(until: running.stream)
}

if arguments.count == 2, let folder = arguments.last {
  for exhibit in exhibits {
    show(exhibit)
    func pressing(_ keys: String) -> String { keys.isEmpty ? "" : "key \(keys)\nsettle\n" }
    try run(
      """
      \(inWindows ? "" : "resize 36x\(exhibit.rows)")
      settle
      settle
      \(pressing(exhibit.keys))picture "\(folder)/\(exhibit.name).\(inWindows ? "png" : "svg")"
      \(pressing(exhibit.endKeys))
      """)
  }
} else if let name = arguments.first {
  guard let exhibit = exhibits.first(where: { $0.name == name }) else {
    fatalError("Choose one of: \(exhibits.map(\.name).joined(separator: ", ")).")
  }
  show(exhibit)
  EventLoop.main.run(until: application.rx.terminated)
} else {
  for exhibit in exhibits {
    show(exhibit)
    _ = backend.grid  // lays it out
    let sentences = tree(window.content).compactMap { view -> String? in
      guard var description = view.accessibility else { return nil }
      description.label = view.accessibilityLabel ?? description.label
      return description.sentence
    }
    if !sentences.isEmpty { print("\(exhibit.name):", sentences.joined(separator: "; ")) }
  }
}

// Output:
// Label: Warm, with some rain from the west in the evening.
// Button: More, button; 0 pressed
// Link: Online help, link
// Checkbox: Wrap long lines, checkbox: checked
// Switch: Network, switch: on; Flight mode, switch: off
// RadioGroup: radio group: Mobile, 1 of 3; Number 1
// PopUpButton: pop-up button: Normal, 2 of 3
// ComboBox: Folder, text field
// Slider: slider: 30; 30 %
// Stepper: stepper: 1; 12 pages
// ProgressBar: progress: 40 %; progress: working
// TextField: Name, text field; text field: 6 characters
// TextView: text area: # Bread, line 1 of 4
// ImageView: A sparkling sea, image
// TableView: table: 3 rows
// OutlineView: outline: 2 rows
// TabView: tabs: Account, 1 of 2; text field: Ann; text area: empty, line 1 of 1
// SplitView: text area: The first view, line 1 of 1; text area: The second view, line 1 of 1
// Box: text field: Elm Street 1; text field: Springwood
// ScrollView: scroll view: line 1 of 9; 1. You shall not hurry.
// 2. You shall not hurry.
// 3. You shall not hurry.
// 4. You shall not hurry.
// 5. You shall not hurry.
// 6. You shall not hurry.
// 7. You shall not hurry.
// 8. You shall not hurry.
// 9. You shall not hurry.
// StatusBar: 3 of 12 notes, UTF-8
// MenuBar: text area: empty, line 1 of 1; Ctrl+P Commands, Ctrl+S Save, Ctrl+Z Undo
