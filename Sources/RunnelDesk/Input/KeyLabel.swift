extension KeyPress {
  /// What menus and help show for it: "Ctrl+S", "Shift+F5", "PageDown".
  public var label: String {
    let held = Modifiers.names.filter { modifiers.contains($0.0) }.map(\.1.capitalized)
    return (held + [keyLabel]).joined(separator: "+")
  }

  private var keyLabel: String {
    switch key {
    case .character(" "): "Space"
    // A character by itself is what is typed; with other keys, it is what stands on the key.
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
    case .function(let number): "F\(number)"
    }
  }
}

extension String {
  /// The word with a capital.
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
