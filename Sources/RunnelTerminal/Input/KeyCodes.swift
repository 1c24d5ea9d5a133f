import RunnelDesk

/// The bytes and numbers with which terminals report keys.
enum KeyCodes {
  static func key(ofASCII byte: UInt8) -> (Key, Modifiers) {
    switch byte {
    case 0x00: (.character(" "), .control)
    case 0x09: (.tab, [])
    case 0x0D: (.enter, [])
    case 0x1B: (.escape, [])
    // Control and a letter, or one of `\ ] ^ _`.
    case 0x01...0x1A: (.character(Character(Unicode.Scalar(byte + 0x60))), .control)
    case 0x1C...0x1F: (.character(Character(Unicode.Scalar(byte + 0x40))), .control)
    case 0x7F: (.backspace, [])
    default: (.character(Character(Unicode.Scalar(byte))), [])
    }
  }

  /// Returns the key for the byte after `Esc O`.
  static func key(ofApplication byte: UInt8) -> Key? {
    if let key = lettered[byte] { return key }
    switch byte {
    case UInt8(ascii: "M"): return .enter
    case UInt8(ascii: "I"): return .tab
    case UInt8(ascii: "X"): return .character("=")
    case UInt8(ascii: " "): return .character(" ")
    // The numeric keypad.
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      return .character(Character(Unicode.Scalar(byte - 0x40)))
    default: return nil
    }
  }

  /// Returns the key press of a sequence; nil if it is none, or reports the release of a key.
  static func press(of sequence: ControlSequence) -> KeyPress? {
    guard sequence.prefix == nil && sequence.intermediate == nil else { return nil }
    if sequence.number(1, 1) == 3 { return nil }
    let modifiers = modifiers(ofCode: sequence.number(1))
    switch sequence.final {
    case UInt8(ascii: "u"):
      guard let code = sequence.number(0) else { return nil }
      return press(ofCode: code, shifted: sequence.number(0, 1), modifiers)
    case UInt8(ascii: "~"):
      guard let number = sequence.number(0) else { return nil }
      if number == 27 {
        guard let code = sequence.number(2) else { return nil }
        return press(ofCode: code, shifted: nil, modifiers)
      }
      return numbered[number].map { KeyPress($0, modifiers) }
    case UInt8(ascii: "Z"):
      return KeyPress(.backtab, modifiers.subtracting(.shift))
    case let final:
      // With other parameters it is a cursor position report.
      guard (sequence.number(0) ?? 1) == 1, sequence.fields.count <= 2 else { return nil }
      return lettered[final].map { KeyPress($0, modifiers) }
    }
  }

  /// Returns modifiers from their code: a bit set plus one. The bits for Caps Lock and Num Lock are
  /// ignored.
  static func modifiers(ofCode code: Int?) -> Modifiers {
    guard let code, code > 0 else { return [] }
    let bits = code - 1
    var modifiers: Modifiers = []
    if bits & 1 != 0 { modifiers.insert(.shift) }
    if bits & 2 != 0 || bits & 32 != 0 { modifiers.insert(.alt) }
    if bits & 4 != 0 { modifiers.insert(.control) }
    if bits & 8 != 0 { modifiers.insert(.super) }
    return modifiers
  }

  /// Returns a key press from a Unicode scalar or a key number of the kitty protocol.
  private static func press(
    ofCode code: Int, shifted: Int?, _ modifiers: Modifiers
  ) -> KeyPress? {
    switch code {
    case 9:
      return modifiers.contains(.shift)
        ? KeyPress(.backtab, modifiers.subtracting(.shift)) : KeyPress(.tab, modifiers)
    case 13: return KeyPress(.enter, modifiers)
    case 27: return KeyPress(.escape, modifiers)
    case 8, 127: return KeyPress(.backspace, modifiers)
    case 57_376...57_398: return KeyPress(.function(code - 57_376 + 13), modifiers)
    case 57_344...63_743: return numberBlock[code].map { KeyPress($0, modifiers) }
    default: break
    }
    guard code >= 32, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else {
      return nil
    }
    return press(of: Character(scalar), shifted: shifted, modifiers)
  }

  /// Returns a key press for a character. Typed text implies Shift; together with other modifiers,
  /// the unshifted character is reported.
  private static func press(
    of character: Character, shifted: Int?, _ modifiers: Modifiers
  ) -> KeyPress {
    let isText = modifiers.isSubset(of: .shift)
    var shown = String(character)
    if isText && modifiers.contains(.shift) {
      let scalar = shifted.flatMap { UInt32(exactly: $0) }.flatMap(Unicode.Scalar.init)
      shown = scalar.map { String(Character($0)) } ?? shown.uppercased()
    } else if !isText {
      shown = shown.lowercased()
    }
    // Some letters have two letters as their upper case.
    let key = shown.count == 1 ? shown.first ?? character : character
    return KeyPress(.character(key), isText ? [] : modifiers)
  }

  /// The keys by the final letter of their sequence.
  private static let lettered: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "F"): .end, UInt8(ascii: "H"): .home,
    UInt8(ascii: "P"): .function(1), UInt8(ascii: "Q"): .function(2),
    UInt8(ascii: "R"): .function(3), UInt8(ascii: "S"): .function(4),
  ]

  /// The keys by the number before `~`.
  private static let numbered: [Int: Key] = [
    1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
    11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5),
    17: .function(6), 18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10),
    23: .function(11), 24: .function(12), 25: .function(13), 26: .function(14), 28: .function(15),
    29: .function(16), 31: .function(17), 32: .function(18), 33: .function(19), 34: .function(20),
  ]

  /// The menu key and the numeric keypad in the kitty protocol.
  private static let numberBlock: [Int: Key] = [
    57_363: .menu,
    57_399: .character("0"), 57_400: .character("1"), 57_401: .character("2"),
    57_402: .character("3"), 57_403: .character("4"), 57_404: .character("5"),
    57_405: .character("6"), 57_406: .character("7"), 57_407: .character("8"),
    57_408: .character("9"), 57_409: .character("."), 57_410: .character("/"),
    57_411: .character("*"), 57_412: .character("-"), 57_413: .character("+"), 57_414: .enter,
    57_415: .character("="), 57_416: .character(","), 57_417: .left, 57_418: .right, 57_419: .up,
    57_420: .down, 57_421: .pageUp, 57_422: .pageDown, 57_423: .home, 57_424: .end,
    57_425: .insert, 57_426: .delete,
  ]
}
