import RunnelDesk
import Testing

@Suite struct KeyBindingsTests {
  @Test func canBeReadAndChanged() {
    var bindings = KeyBindings()
    #expect(bindings[KeyPress(.enter)] == nil)
    bindings[KeyPress(.enter)] = .insertNewline
    bindings["ctrl+k"] = .delete(.lineEnd)
    #expect(bindings["enter"] == .insertNewline)
    #expect(bindings[KeyPress(.character("k"), .control)] == .delete(.lineEnd))
    bindings["enter"] = nil
    #expect(bindings == ["ctrl+k": .delete(.lineEnd)])
    let twice: KeyBindings = ["tab": .insertTab, "tab": .complete]
    #expect(twice["tab"] == .complete)
  }

  @Test(arguments: [
    ("enter", Command.insertNewline), ("tab", .insertTab), ("backtab", .insertBacktab),
    ("escape", .cancel), ("ctrl+space", .complete), ("left", .move(.left)),
    ("shift+left", .extend(.left)), ("ctrl+left", .move(.wordLeft)), ("alt+b", .move(.wordLeft)),
    ("ctrl+shift+right", .extend(.wordRight)), ("alt+f", .move(.wordRight)),
    ("home", .move(.lineStart)), ("shift+end", .extend(.lineEnd)), ("ctrl+home", .move(.start)),
    ("ctrl+shift+end", .extend(.end)), ("pagedown", .move(.pageDown)),
    ("shift+pageup", .extend(.pageUp)), ("backspace", .delete(.left)),
    ("ctrl+h", .delete(.left)), ("delete", .delete(.right)), ("ctrl+w", .delete(.wordLeft)),
    ("alt+backspace", .delete(.wordLeft)), ("ctrl+backspace", .delete(.wordLeft)),
    ("alt+d", .delete(.wordRight)), ("ctrl+delete", .delete(.wordRight)),
    ("ctrl+k", .delete(.lineEnd)), ("ctrl+u", .delete(.lineStart)), ("ctrl+a", .selectAll),
    ("ctrl+z", .undo), ("ctrl+y", .redo), ("ctrl+shift+z", .redo), ("ctrl+x", .cut),
    ("ctrl+c", .copy), ("ctrl+v", .paste), ("shift+insert", .paste),
    ("ctrl+q", .quit),
  ])
  func standardBindingsMatchConventions(_ name: String, _ command: Command) {
    #expect(KeyBindings.standard[name] == command)
  }

  @Test func findsTheKeyOfACommand() {
    let bindings: KeyBindings = ["f4": .quit, "alt+x": .quit, "ctrl+z": .undo]
    #expect(bindings.key(for: .quit) == KeyPress("alt+x"))
    #expect(bindings.key(for: .undo) == KeyPress("ctrl+z"))
    #expect(bindings.key(for: .redo) == nil)
  }

  @Test func typedCharactersAreNoCommands() {
    for value in UInt32(0x20)...0x3FF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(KeyBindings.standard[KeyPress(.character(Character(scalar)))] == nil)
      #expect(KeyBindings.standard[KeyPress(.character(Character(scalar)), .shift)] == nil)
    }
  }

  /// Terminals send one byte for both keys, so they report the named key.
  @Test(arguments: ["ctrl+i", "ctrl+m", "ctrl+j", "ctrl+["])
  func keysThatTerminalsConfuseAreNotBound(_ name: String) {
    #expect(KeyBindings.standard[name] == nil)
  }
}
