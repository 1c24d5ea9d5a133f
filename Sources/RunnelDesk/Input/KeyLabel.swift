extension KeyPress {
  /// The label in menus and help: "Ctrl+S", "Shift+F5", "PageDown".
  public var label: String {
    let held = Modifiers.names.filter { modifiers.contains($0.0) }.map(\.1.capitalized)
    return (held + [keyLabel]).joined(separator: "+")
  }

  private var keyLabel: String {
    switch key {
    case .character(" "): "Space"
    // Without modifiers it is the typed character; with modifiers it is the key, in upper case.
    case .character(let character):
      modifiers.isEmpty ? String(character) : character.uppercased()
    case .enter: "Enter"
    case .tab: "Tab"
    case .backtab: "Shift+Tab"
    case .escape: "Esc"
    case .backspace: "Backspace"
    case .delete: "Del"
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    case .home: "Home"
    case .end: "End"
    case .pageUp: "PageUp"
    case .pageDown: "PageDown"
    case .insert: "Ins"
    case .menu: "Menu"
    case .function(let number): "F\(number)"
    }
  }
}

extension String {
  /// The word with an upper-case first letter.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
