// Mnemonics: letters that open the menus of a menu bar together with Alt.
extension MenuBar {
  /// Returns the letter that opens a menu together with Alt; nil if there is none.
  ///
  /// Menus with a ``Menu/mnemonic`` get it. Then each menu gets the first letter of its title, if it is free,
  /// and the other menus get the first free letter. A letter is not free if an earlier menu uses it, or if Alt
  /// with it is the key equivalent of an item.
  public func mnemonic(of menu: Menu) -> Character? {
    menus.firstIndex { $0 === menu }.flatMap { mnemonics[$0] }
  }

  private var mnemonics: [Character?] {
    var used = Set(
      allItems.compactMap(\.keyEquivalent).filter { $0.modifiers == .alt }.compactMap(\.letter))
    var letters = [Character?](repeating: nil, count: menus.count)
    let choices: [(Menu) -> [Character]] = [
      { [$0.mnemonic].compactMap { $0 } }, { Array($0.title.prefix(1)) }, { Array($0.title) },
    ]
    for choice in choices {
      for (index, menu) in menus.enumerated() where letters[index] == nil {
        letters[index] = choice(menu).compactMap(\.mnemonic).first { used.insert($0).inserted }
      }
    }
    return letters
  }

  /// Opens the menu whose letter was pressed with Alt. Returns true if it is open then.
  func openWithMnemonic(_ press: KeyPress) -> Bool {
    guard isEnabled, window?.showsMenuBar == true, press.modifiers == .alt,
      let letter = press.letter, let index = mnemonics.firstIndex(of: letter)
    else { return false }
    let menu = menus[index]
    openWithKeys(menu)
    return openMenu === menu
  }
}

extension KeyPress {
  /// The lower-case letter or digit of the key, if it has one.
  fileprivate var letter: Character? {
    guard case .character(let character) = key else { return nil }
    return character.mnemonic
  }
}

extension Character {
  /// The letter or digit in lower case; nil for other characters.
  fileprivate var mnemonic: Character? {
    let lower = lowercased()
    return (isLetter || isNumber) && lower.count == 1 ? lower.first : nil
  }
}
