import Runnel

let notes = CollectionProperty(["Milk", "Call Jim", "Bread"])
let search = Property("")
let shown =
  notes
  .filter(by: search.map { text in { text.isEmpty || $0.hasPrefix(text) } })
  .sorted()
shown.observe { event in
  guard let changes = event.changes else { return print(Array(event.collection)) }
  print("out: \(changes.deletes), in: \(changes.inserts), moved: \(changes.moves)")
}
notes.append("Butter")  // out: [], in: [1], moved: []
search.value = "B"  // out: [2, 3], in: [], moved: []

// Output:
// ["Bread", "Call Jim", "Milk"]
// out: [], in: [1], moved: []
// out: [2, 3], in: [], moved: []
