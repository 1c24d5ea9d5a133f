/// The parsed parameters of a control sequence: `Esc [`, parameters, final byte.
struct ControlSequence {
  /// The final byte, which identifies the function.
  let final: UInt8
  /// A prefix of the parameters, if any: `<`, `=`, `>` or `?`.
  private(set) var prefix: UInt8?
  /// An intermediate byte after the parameters, if any.
  private(set) var intermediate: UInt8?
  /// The parameters, each with one or more parts. An omitted number is nil.
  private(set) var fields: [[Int?]] = [[nil]]

  /// Numbers are clamped to it, so that arithmetic cannot overflow.
  private static let largestNumber = 0x110000

  init(_ bytes: [UInt8], final: UInt8) {
    self.final = final
    for byte in bytes {
      let last = fields.count - 1
      switch byte {
      case 0x30...0x39:
        let part = fields[last].count - 1
        let number = (fields[last][part] ?? 0) * 10 + Int(byte) - 0x30
        fields[last][part] = min(number, Self.largestNumber)
      case 0x3A: fields[last].append(nil)
      case 0x3B: fields.append([nil])
      case 0x3C...0x3F: prefix = byte
      default: intermediate = byte
      }
    }
  }

  /// Returns a part of a parameter; nil if it is missing.
  func number(_ field: Int, _ part: Int = 0) -> Int? {
    guard field < fields.count && part < fields[field].count else { return nil }
    return fields[field][part]
  }

  /// The first part of the last parameter.
  var last: Int? { fields.last?.first ?? nil }

  var isPasteStart: Bool {
    prefix == nil && intermediate == nil && final == UInt8(ascii: "~") && number(0) == 200
  }

  /// True if the sequence reports that the terminal got the keyboard focus, false if it lost it;
  /// nil for other sequences.
  var focus: Bool? {
    guard prefix == nil && intermediate == nil && number(0) == nil else { return nil }
    if final == UInt8(ascii: "I") { return true }
    if final == UInt8(ascii: "O") { return false }
    return nil
  }

  /// The answer to a query of a mode. Status 0 means that the mode is unknown, and 4 that it cannot
  /// be set.
  var modeReport: (mode: Int, isKnown: Bool)? {
    guard final == UInt8(ascii: "y"), intermediate == UInt8(ascii: "$"),
      prefix == UInt8(ascii: "?"),
      let mode = number(0), let status = number(1)
    else { return nil }
    return (mode, (1...3).contains(status))
  }
}
