import Checking
import Runnel
import RunnelDesk

/// A view of the client's own.
final class Stars: View, CellDrawn {
  var count = 3 { didSet { needsDisplay() } }

  override var canBecomeFirstResponder: Bool { true }
  override func wantedExtent(in room: Size) -> Extent { Extent(width: 5, height: 1) }

  override func perform(_ command: Command) -> Bool {
    guard case .move(.right) = command else { return false }
    count += 1
    return true
  }

  func draw(in painter: inout Painter, theme: Theme) {
    painter.put(String(repeating: "*", count: count), at: .zero, style: theme.text)
  }
}

let items = CollectionProperty(["Milk", "Bread", "Butter"])
let search = TextField(placeholder: "Search")
let table = TableView(columns: [TableColumn("item", title: "Item")])
let stars = Stars()
let save = Button("Save")
let status = StatusBar()

let shown = items.filter(by: search.rx.text.map { text in { text.isEmpty || $0.contains(text) } })
let rows = table.rx.rows(shown) { row, item in row["item"].text = item }
items.observed.count.map { "\($0) items" }.bind(to: status.rx.text)
search.rx.submit.observeNext { [items] in items.append($0) }
var commands = 0
search.rDelegate.answer(\.textField_doCommand) { [table] _, command in
  commands += 1
  return [.move(.up), .move(.down)].contains(command) && table.perform(command)
}
var taps = 0
save.rx.tap.observeNext { taps += 1 }

let backend = HeadlessBackend(Size(width: 24, height: 8))
let application = Application(backend: backend)
var mayEnd = false
application.rDelegate.answer(\.applicationShouldTerminate) { _ in mayEnd }
let window = Window(
  title: "Shopping", content: StackView(.vertical, [search, table, stars, save, status]))
window.makeFirstResponder(search)
application.show(window)

check(backend.text.contains("3 items"), backend.text)
backend.type("B")
check(!backend.text.contains("Milk") && backend.text.contains("Bread"), backend.text)
backend.press("down")
backend.press("down")
check(commands > 0)
checkEqual(rows.selectedItem.value, "Butter")
backend.press("enter")
check(backend.text.contains("4 items"), backend.text)
backend.click("Save")
checkEqual(taps, 1)
window.makeFirstResponder(stars)
backend.press("right")
check(backend.text.contains("****"), backend.text)

/// A folder of a tree.
final class Folder: Identifiable {
  let name: String
  let folders: CollectionProperty<[Folder]>

  init(_ name: String, _ folders: [Folder] = []) {
    self.name = name
    self.folders = CollectionProperty(folders)
  }
}

let name = TextField()
let secret = TextField(isSecure: true)
let kind = RadioGroup(["Home", "Work"], selectedIndex: 0)
let sound = Switch("Sound")
let volume = Slider(3, in: 0...10, step: 1)
let copies = Stepper(1, in: 1...9)
let size = PopUpButton(["Small", "Large"])
let form = Form([
  "Name": name, "Secret": secret, "Kind": kind, "Sound": sound, "Volume": volume,
  "Copies": copies, "Size": size,
])
name.rx.text.map { $0.isEmpty ? "It is missing." : nil }.bind(to: name.rx.validationMessage)
let outline = OutlineView(columns: [TableColumn("name")])
outline.rx.rows(
  CollectionProperty([Folder("Music", [Folder("Bach")])]), children: \.folders,
  isExpandable: { !$0.folders.isEmpty }
) { row, folder in row["name"].text = folder.name }
let tabs = TabView(["Form": ScrollView(form), "Tree": outline])
let invite = MenuItem("Invite", key: "ctrl+t")
var invitations = 0
invite.rx.activate.observeNext { invitations += 1 }
let controls = Window(title: "Controls", content: tabs)
controls.menuBar = MenuBar([Menu("File", [invite])])
controls.makeFirstResponder(name)
application.show(controls)
check(backend.text.contains("It is missing."), backend.text)
backend.type("Emma")
check(!backend.text.contains("It is missing."), backend.text)
backend.press("tab")
backend.type("abc")
check(!backend.text.contains("abc") && secret.text == "abc", backend.text)
for key in ["tab", "down", "tab", "space", "tab", "right", "tab", "up"] { backend.press(key) }
checkEqual(kind.selectedIndex, 1)
check(sound.isOn && volume.value == 4 && copies.value == 2)
backend.press("tab")
for key in ["space", "down", "enter"] { backend.press(key) }
checkEqual(size.selectedChoice, "Large")
check(backend.readLines().contains("Controls, window"))
application.show(Toast("Saved"))
check(backend.text.contains("Saved"), backend.text)
controls.menuBar?.openPalette()
backend.type("inv")
backend.press("enter")
checkEqual(invitations, 1)
tabs.selectedIndex = 1
controls.makeFirstResponder(outline.table)
backend.press("down")
backend.press("right")
check(backend.text.contains("Bach"), backend.text)
controls.close()

application.terminate()
check(backend.text.contains("4 items"), "The delegate did not keep the application from ending.")
mayEnd = true
application.terminate()
