import Runnel
import RunnelDesk

struct Folder: Identifiable {
  let id: String
  let folders = CollectionProperty<[Folder]>()
}

let top = CollectionProperty([Folder(id: "Music"), Folder(id: "Pictures")])
let outline = OutlineView(columns: [TableColumn("name", title: "Name")])
let rows = outline.rx.rows(
  top, children: \.folders, isExpandable: { !$0.folders.isEmpty }
) { row, folder in
  row["name"].text = folder.id
}
rows.selectedItem.observeNext { folder in print("selected:", folder?.id ?? "nothing") }
outline.rDelegate.answer(\.outlineView_shouldCollapseRow) { _, row in row > 0 }

let backend = HeadlessBackend(Size(width: 24, height: 6))
let application = Application(backend: backend)
top[0].folders.append(contentsOf: [Folder(id: "Jazz"), Folder(id: "Songs")])
let window = Window(content: outline)
application.show(window)
window.makeFirstResponder(outline.table)
backend.press("down")
backend.press("right")
print(backend.text)
backend.press("left")  // the first row may not be collapsed
backend.press("down")

// Output:
// selected: nothing
// selected: Music
// Name
// ▾ Music
//     Jazz
//     Songs
//   Pictures
//
// selected: Jazz
