/// A key of the keyboard.
public enum Key: Hashable, Sendable {
  /// One that types a character. With control, letters are small ones.
  case character(Character)
  /// Return, also that of the number block.
  case enter
  /// Tab.
  case tab
  /// Tab with shift, which is not told beside.
  case backtab
  /// Esc.
  case escape
  /// What deletes to the left.
  case backspace
  /// What deletes to the right.
  case delete
  /// Arrow up.
  case up
  /// Arrow down.
  case down
  /// Arrow to the left.
  case left
  /// Arrow to the right.
  case right
  /// To the beginning.
  case home
  /// To the end.
  case end
  /// A page up.
  case pageUp
  /// A page down.
  case pageDown
  /// Insert.
  case insert
  /// F1 to F35, by its number.
  case function(Int)
}

extension Key {
  /// The keys that have a name, by it.
  static let named: [String: Key] = {
    var keys: [String: Key] = [
      "enter": .enter, "tab": .tab, "backtab": .backtab, "escape": .escape,
      "backspace": .backspace, "delete": .delete, "up": .up, "down": .down, "left": .left,
      "right": .right, "home": .home, "end": .end, "pageup": .pageUp, "pagedown": .pageDown,
      "insert": .insert, "space": .character(" "), "plus": .character("+"),
    ]
    for number in 1...35 { keys["f\(number)"] = .function(number) }
    return keys
  }()

  private static let names = Dictionary(uniqueKeysWithValues: named.map { ($1, $0) })

  /// Its name, or the character that it types.
  var name: String {
    if let name = Self.names[self] { return name }
    switch self {
    case .character(let character): return String(character)
    case .function(let number): return "f\(number)"
    case .enter, .tab, .backtab, .escape, .backspace, .delete, .up, .down, .left, .right, .home,
      .end, .pageUp, .pageDown, .insert:
      return ""
    }
  }
}
