import Checking

/// Types into a notepad and checks what its streams send.
@MainActor
public func checkNotepad() {
  let notepad = Notepad()
  var log: [String] = []
  notepad.editingBegan.observeNext { log.append("began") }
  let typing = notepad.replacements.observeNext { log.append($0) }
  notepad.focus()
  notepad.replace(0..<0, with: "Milk")
  notepad.replace(4..<4, with: "\n")
  notepad.replace(0..<1, with: "S")
  typing.dispose()
  checkEqual(notepad.text, "Silk")
  checkEqual(log, ["began", "Milk", "\n", "S"])
}
