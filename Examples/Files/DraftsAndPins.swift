import Runnel

let texts = FolderProperty("notes") { name, folder in try? folder.file(name).contents().bytes }
let drafts = Drafts(in: texts)
drafts.edit("Milk.txt", "two bottles", of: texts.items["Milk.txt"])
drafts.edits.debounce(for: .seconds(1)).observeNext { drafts.save() }
let pins = FileProperty(
  ".pins", in: texts, read: { String(decoding: $0, as: UTF8.self) }, write: { Array($0.utf8) })
pins.mutate { $0 += "Milk.txt\n" }
texts.open()

drafts.save()
EventLoop.main.run(until: texts.idle())
print(String(decoding: try Folder("notes").file("Milk.txt").contents().bytes, as: UTF8.self))

// Output:
// two bottles
