/// A mapping from key presses to commands.
///
///     var bindings = KeyBindings.standard
///     bindings["ctrl+d"] = .delete(.right)
///     bindings["ctrl+k"] = nil
///
/// Terminals send the same byte for some keys: `ctrl+i` is Tab and `ctrl+m` is Enter, so these
/// cannot be bound separately. Some terminals send `ctrl+h` for Backspace, others for
/// Ctrl+Backspace. Ctrl+Enter may arrive as `ctrl+j`.
public struct KeyBindings: Hashable, Sendable {
  private var commands: [KeyPress: Command] = [:]

  /// Creates a mapping without entries.
  public init() {}

  /// The command for a key press; nil if there is none.
  public subscript(press: KeyPress) -> Command? {
    get { commands[press] }
    set { commands[press] = newValue }
  }

  /// Returns a key press for a command: the one with the first label in alphabetical order; nil if
  /// there is none.
  ///
  ///     print(application.keyBindings.key(for: .quit)?.label ?? "none")  // Ctrl+Q
  public func key(for command: Command) -> KeyPress? {
    commands.lazy.filter { $0.value == command }.map(\.key).min { $0.label < $1.label }
  }

  /// True if a key that types text has a command.
  var bindsText: Bool { commands.keys.contains { $0.text != nil } }

  /// The command for a key press by name, such as "ctrl+s". Traps if the name is invalid.
  public subscript(name: String) -> Command? {
    get { self[KeyPress(named: name)] }
    set { self[KeyPress(named: name)] = newValue }
  }
}

extension KeyBindings: ExpressibleByDictionaryLiteral {
  /// Creates a mapping from names to commands. If a key occurs twice, the last entry is used.
  public init(dictionaryLiteral elements: (String, Command)...) {
    for (name, command) in elements { self[name] = command }
  }
}

extension KeyBindings {
  /// The usual bindings of a desktop, and those of a shell where they do not conflict.
  ///
  /// Arrows, Home, End and the page keys move, by words or to the ends of the text with control,
  /// and select with shift. `ctrl+a` selects all, `ctrl+z` and `ctrl+y` undo and redo, `ctrl+x`,
  /// `ctrl+c` and `ctrl+v` are for the clipboard. `alt+up` and `alt+down` move lines of text. In a terminal `ctrl+z` suspends the app: bind
  /// another key there. As in a shell, `alt+b` and `alt+f` move by words, and `ctrl+w`, `ctrl+u`,
  /// `ctrl+k` and `alt+d` delete. `ctrl+q` ends the application. In a window of a desktop, `ctrl+w`
  /// closes the window instead, and `alt` with a letter opens a menu.
  public static let standard: KeyBindings = {
    var bindings: KeyBindings = [
      "enter": .insertNewline, "shift+enter": .insertNewline, "tab": .insertTab,
      "backtab": .insertBacktab, "escape": .cancel, "ctrl+space": .complete,
      "alt+b": .move(.wordLeft), "alt+f": .move(.wordRight),
      "backspace": .delete(.left), "shift+backspace": .delete(.left), "ctrl+h": .delete(.left),
      "delete": .delete(.right), "ctrl+backspace": .delete(.wordLeft),
      "alt+backspace": .delete(.wordLeft), "ctrl+w": .delete(.wordLeft),
      "ctrl+delete": .delete(.wordRight), "alt+d": .delete(.wordRight),
      "alt+up": .moveLinesUp, "alt+down": .moveLinesDown,
      "ctrl+u": .delete(.lineStart), "ctrl+k": .delete(.lineEnd),
      "ctrl+a": .selectAll, "ctrl+z": .undo, "ctrl+y": .redo, "ctrl+shift+z": .redo,
      "ctrl+x": .cut, "ctrl+c": .copy, "ctrl+v": .paste,
      "shift+delete": .cut, "ctrl+insert": .copy, "shift+insert": .paste, "ctrl+q": .quit,
    ]
    for (key, movement) in moving {
      bindings[key] = .move(movement)
      // Key names list Control before Shift.
      let shifted = key.hasPrefix("ctrl+") ? "ctrl+shift+\(key.dropFirst(5))" : "shift+\(key)"
      bindings[shifted] = .extend(movement)
    }
    return bindings
  }()

  /// Removes the bindings of a shell to keys that a desktop uses otherwise: Ctrl+W closes a window, and
  /// Alt with a letter opens a menu.
  package mutating func releaseKeysOfDesktop() {
    for key in ["ctrl+w", "alt+b", "alt+d", "alt+f"] where self[key] == Self.standard[key] {
      self[key] = nil
    }
  }

  private static let moving: [(String, Movement)] = [
    ("left", .left), ("right", .right), ("up", .up), ("down", .down), ("home", .lineStart),
    ("end", .lineEnd), ("pageup", .pageUp), ("pagedown", .pageDown),
    ("ctrl+left", .wordLeft), ("ctrl+right", .wordRight), ("ctrl+home", .start),
    ("ctrl+end", .end),
  ]
}
