import Runnel

let notes = FolderProperty("notes") { name, folder in
  name.ending == ".txt" ? try? folder.file(name).contents() : nil
}
notes.open()
let recent = notes.items.values.sorted { $0.modified > $1.modified }
recent.observe { event in print("\(event.collection.count) notes") }
notes.perform(changing: ["Milk.txt"]) { folder throws(FileError) in
  try folder.file("Milk.txt").create(Array("two bottles".utf8))
}
EventLoop.main.run(until: recent.observed.count.filter { $0 == 1 })

// Output:
// 0 notes
// 1 notes
