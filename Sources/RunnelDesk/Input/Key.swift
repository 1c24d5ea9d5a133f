/// A key of the keyboard.
public enum Key: Hashable, Sendable {
  /// A key that types a character. With Control, letters are lower case.
  case character(Character)
  /// Return, or Enter on the numeric keypad.
  case enter
  /// Tab.
  case tab
  /// Shift+Tab. The Shift modifier is not reported in addition.
  case backtab
  /// Esc.
  case escape
  /// Backspace, which deletes to the left.
  case backspace
  /// Delete, which deletes to the right.
  case delete
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow to the left.
  case left
  /// Arrow to the right.
  case right
  /// Home.
  case home
  /// End.
  case end
  /// Page Up.
  case pageUp
  /// Page Down.
  case pageDown
  /// Insert.
  case insert
  /// The key for context menus. Few terminals report it.
  case menu
  /// A function key, F1 to F35, by its number.
  case function(Int)
}

extension Key {
  static let named: [String: Key] = {
    var keys: [String: Key] = [
      "enter": .enter, "tab": .tab, "backtab": .backtab, "escape": .escape,
      "backspace": .backspace, "delete": .delete, "up": .up, "down": .down, "left": .left,
      "right": .right, "home": .home, "end": .end, "pageup": .pageUp, "pagedown": .pageDown,
      "insert": .insert, "menu": .menu, "space": .character(" "), "plus": .character("+"),
    ]
    for number in 1...35 { keys["f\(number)"] = .function(number) }
    return keys
  }()

  static let otherNames: [String: Key] = ["esc": .escape, "return": .enter, "del": .delete]

  private static let names = Dictionary(uniqueKeysWithValues: named.map { ($1, $0) })

  /// The name of the key, or the character that it types.
  var name: String {
    if let name = Self.names[self] { return name }
    switch self {
    case .character(let character): return String(character)
    case .function(let number): return "f\(number)"
    case .enter, .tab, .backtab, .escape, .backspace, .delete, .up, .down, .left, .right, .home,
      .end, .pageUp, .pageDown, .insert, .menu:
      return ""
    }
  }
}
