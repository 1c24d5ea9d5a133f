/// Appending parts of escape sequences without intermediate strings.
extension [UInt8] {
  mutating func append(ascii text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }

  mutating func append(decimal number: Int) {
    if number >= 10 { append(decimal: number / 10) }
    append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// Appends `Esc [`, a number unless it equals the default, and a final byte.
  mutating func appendSequence(_ number: Int, _ final: UInt8, default usual: Int = 1) {
    append(ascii: "\u{1B}[")
    if number != usual { append(decimal: number) }
    append(final)
  }

  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      for unit in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(unit) }
    }
  }
}

/// Returns the number of decimal digits of a non-negative number.
func digits(_ number: Int) -> Int {
  var count = 1
  var rest = number / 10
  while rest > 0 {
    count += 1
    rest /= 10
  }
  return count
}
