/// A key and the modifiers that are held with it.
///
///     let save = KeyPress(.character("s"), .control)
///     print(save)  // ctrl+s
///     #expect(KeyPress("ctrl+s") == save)
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// The modifiers that are held.
  public var modifiers: Modifiers

  /// The space bar, which presses controls.
  static let space = KeyPress(.character(" "))

  /// Creates a key press.
  public init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// Creates a key press from its name, such as "ctrl+s". Traps if the name is invalid.
  init(named name: String) {
    guard let press = KeyPress(name) else {
      preconditionFailure("No key is named \"\(name)\". Write it as \"ctrl+s\" or \"shift+f5\".")
    }
    self = press
  }

  /// Creates the key press that types a character; a line break is Return, and a tab is Tab.
  init(typing character: Character) {
    switch character {
    case "\n": self.init(.enter)
    case "\t": self.init(.tab)
    default: self.init(.character(character))
    }
  }

  /// The character that the key press types into text; nil if it types none.
  public var text: Character? {
    guard case .character(let character) = key, modifiers.isSubset(of: .shift) else { return nil }
    return character
  }
}

extension KeyPress: LosslessStringConvertible {
  /// The modifiers in the order "ctrl+alt+shift+super+" and the name of the key: "ctrl+s",
  /// "shift+f5", "alt+left", "pagedown", "space", "plus", "ä".
  public var description: String {
    let held = Modifiers.names.filter { modifiers.contains($0.0) }.map(\.1)
    return (held + [key.name]).joined(separator: "+")
  }

  /// Creates a key press from its ``description``, ignoring case. "esc", "return" and "del" are
  /// understood too. Returns nil if it is invalid.
  public init?(_ description: String) {
    var words = description.split(separator: "+", omittingEmptySubsequences: false)
    guard let name = words.popLast() else { return nil }
    var modifiers: Modifiers = []
    for word in words {
      guard let modifier = Modifiers.names.first(where: { $0.1 == word.lowercased() }) else {
        return nil
      }
      modifiers.insert(modifier.0)
    }
    if let key = Key.named[name.lowercased()] ?? Key.otherNames[name.lowercased()] {
      self.init(key, modifiers)
    } else if let character = name.first, name.count == 1 {
      self.init(.character(character), modifiers)
    } else {
      return nil
    }
  }
}
