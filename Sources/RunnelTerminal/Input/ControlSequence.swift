/// What stands between `Esc [` and the byte that ends it, in numbers.
struct ControlSequence {
  /// The byte that says what it is.
  let final: UInt8
  /// A mark before the numbers, if there is one: `<`, `=`, `>` or `?`.
  private(set) var mark: UInt8?
  /// A byte behind the numbers, if there is one.
  private(set) var intermediate: UInt8?
  /// The numbers: fields, of which each may have several. Nil stands for one that is left out.
  private(set) var fields: [[Int?]] = [[nil]]

  /// More is never needed, and all there are add up without overflow.
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
      case 0x3C...0x3F: mark = byte
      default: intermediate = byte
      }
    }
  }

  /// A number by its field and its place in that; nil if it is not there.
  func number(_ field: Int, _ part: Int = 0) -> Int? {
    guard field < fields.count && part < fields[field].count else { return nil }
    return fields[field][part]
  }

  /// The last number, if there is more than one, or if it is alone.
  var last: Int? { fields.last?.first ?? nil }

  var isPasteStart: Bool {
    mark == nil && intermediate == nil && final == UInt8(ascii: "~") && number(0) == 200
  }

  /// Whether it says that the terminal is typed into from now on, or no more.
  var focus: Bool? {
    guard mark == nil && intermediate == nil && number(0) == nil else { return nil }
    if final == UInt8(ascii: "I") { return true }
    if final == UInt8(ascii: "O") { return false }
    return nil
  }

  /// An answer to the question whether a mode is known: 0 says that it is not, and 4 that it cannot be
  /// set.
  var modeReport: (mode: Int, isKnown: Bool)? {
    guard final == UInt8(ascii: "y"), intermediate == UInt8(ascii: "$"), mark == UInt8(ascii: "?"),
      let mode = number(0), let status = number(1)
    else { return nil }
    return (mode, (1...3).contains(status))
  }
}
