/// A key and what is held with it: what was typed, or what a command is bound to.
///
///     let save = KeyPress(.character("s"), .control)
///     print(save)  // ctrl+s
///     #expect(KeyPress("ctrl+s") == save)
public struct KeyPress: Hashable, Sendable {
  /// The key.
  public var key: Key
  /// What is held with it.
  public var modifiers: Modifiers

  /// A key, with what is held.
  public init(_ key: Key, _ modifiers: Modifiers = []) {
    self.key = key
    self.modifiers = modifiers
  }

  /// The key press of a name, such as "ctrl+s". Traps where that names no key.
  init(named name: String) {
    guard let press = KeyPress(name) else {
      preconditionFailure("\"\(name)\" names no key: say it as \"ctrl+s\" or \"shift+f5\".")
    }
    self = press
  }

  /// The key that types a character, a new line, or a tab.
  init(typing character: Character) {
    switch character {
    case "\n": self.init(.enter)
    case "\t": self.init(.tab)
    default: self.init(.character(character))
    }
  }

  /// The character that it types into a text; nil where it is a command.
  public var text: Character? {
    guard case .character(let character) = key, modifiers.isSubset(of: .shift) else { return nil }
    return character
  }
}

extension KeyPress: LosslessStringConvertible {
  /// "ctrl+alt+shift+super+" as far as these are held, and the name of the key: "ctrl+s",
  /// "shift+f5", "alt+left", "pagedown", "space", "plus", "ä".
  public var description: String {
    let held = Modifiers.names.filter { modifiers.contains($0.0) }.map(\.1)
    return (held + [key.name]).joined(separator: "+")
  }

  /// The key press that ``description`` says. Names may be written in capitals.
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
    if let key = Key.named[name.lowercased()] {
      self.init(key, modifiers)
    } else if let character = name.first, name.count == 1 {
      self.init(.character(character), modifiers)
    } else {
      return nil
    }
  }
}
