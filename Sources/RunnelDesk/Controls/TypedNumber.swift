/// The digits of a whole number that the user types.
struct TypedNumber {
  /// The digits, behind "-" for a negative number. It can be empty.
  private(set) var text = ""

  init() {}

  /// Creates a number that the user continues.
  init(_ number: Int) { text = "\(number)" }

  /// Appends digits, or "-" at the start if `isSigned` is true. Returns false and appends nothing if
  /// the text contains another character. Digits that exceed `limit` characters are ignored.
  mutating func append(_ more: String, isSigned: Bool, limit: Int) -> Bool {
    var new = text
    for character in more {
      if character == "-" && isSigned && new.isEmpty {
        new = "-"
      } else if let digit = character.wholeNumberValue, (0...9).contains(digit) {
        new += "\(digit)"
      } else {
        return false
      }
    }
    text = String(new.prefix(limit))
    return !more.isEmpty
  }

  /// Does nothing if there is no character.
  mutating func deleteLast() { text = String(text.dropLast()) }

  /// The number; nil if there is no digit. A number that is too large is the largest one.
  var number: Int? {
    guard text.contains(where: \.isNumber) else { return nil }
    return Int(text) ?? (text.hasPrefix("-") ? .min : .max)
  }
}
