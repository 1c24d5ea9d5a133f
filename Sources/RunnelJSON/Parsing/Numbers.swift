/// A number as its digits and a power of ten.
struct DecimalNumber {
  /// At most 19 digits.
  private(set) var digits: UInt64 = 0
  private(set) var isNegative = false
  private(set) var exponent = 0
  /// The number after the letter `e`.
  private var power = 0
  /// True if the number has more digits, other than zeros at its end.
  private(set) var isCut = false

  /// Reads a number, whose form has been checked.
  init(_ text: UnsafeRawBufferPointer) {
    var offset = 0
    if text[0] == .minus {
      isNegative = true
      offset = 1
    }
    var digitCount = 0
    var isAfterPoint = false
    while offset < text.count {
      let byte = text[offset]
      offset &+= 1
      if byte == .point {
        isAfterPoint = true
        continue
      }
      guard byte.digit < 10 else { break }
      if digitCount < 19 {
        digits = digits &* 10 &+ UInt64(byte.digit)
        if digits != 0 { digitCount &+= 1 }
        if isAfterPoint { exponent &-= 1 }
      } else {
        if byte.digit != 0 { isCut = true }
        if !isAfterPoint { exponent &+= 1 }
      }
    }
    // The letter of the exponent was read.
    guard offset < text.count else { return }
    let isBelowZero = text[offset] == .minus
    if isBelowZero || text[offset] == .plus { offset &+= 1 }
    while offset < text.count {
      // A greater exponent has the same effect.
      power = min(power &* 10 &+ Int(text[offset].digit), 1 << 40)
      offset &+= 1
    }
    if isBelowZero { power = -power }
    exponent += power
  }

  // MARK: - Integers

  /// The digits of a number whose form has been checked, as an integer without point and exponent; nil
  /// if it is not an integer, or has more than 40 digits.
  static func integerText(_ text: UnsafeRawBufferPointer) -> String? {
    let number = DecimalNumber(text)
    if number.digits == 0 && !number.isCut { return "0" }
    var digits: [UInt8] = []
    var exponent = 0
    var isAfterPoint = false
    for byte in text {
      if byte == .point {
        isAfterPoint = true
      } else if byte.digit < 10 {
        if !digits.isEmpty || byte != .zero { digits.append(byte) }
        if isAfterPoint { exponent -= 1 }
      } else if byte != .minus {
        break
      }
    }
    exponent += number.power
    while exponent < 0, digits.last == .zero {
      digits.removeLast()
      exponent += 1
    }
    guard exponent >= 0, exponent <= 40, digits.count + exponent <= 40 else { return nil }
    digits += Array(repeating: .zero, count: exponent)
    return (number.isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
  }

  // MARK: - Floating point

  /// The nearest Double, if it can be computed from integers; nil for numbers with many digits and for
  /// very great and very small ones.
  var double: Double? {
    if isCut || !(-19...19).contains(exponent) { return nil }
    if digits == 0 { return isNegative ? -0.0 : 0 }
    let result: Double
    if exponent == 0 {
      result = Double(digits)
    } else if digits < 1 << 53 && exponent.magnitude <= 15 {
      // Both are exact, so the result is rounded once.
      let power = Double(Self.powers[Int(exponent.magnitude)])
      result = exponent < 0 ? Double(digits) / power : Double(digits) * power
    } else if exponent > 0 {
      let (high, low) = digits.multipliedFullWidth(by: Self.powers[exponent])
      result = Double(UInt128(high) << 64 | UInt128(low))
    } else {
      result = Self.quotient(digits, by: Self.powers[-exponent])
    }
    return isNegative ? -result : result
  }

  /// Returns the nearest Double of a quotient.
  private static func quotient(_ dividend: UInt64, by divisor: UInt64) -> Double {
    // With the highest bits set, the quotient has 63 or 64 bits.
    let (up, down) = (dividend.leadingZeroBitCount, divisor.leadingZeroBitCount)
    let top = dividend << up
    let (high, low) = (top >> 1, top << 63)
    let (quotient, remainder) = (divisor << down).dividingFullWidth((high, low))
    // The lowest bit is far below the precision. It says that something follows.
    let bits = Double(remainder == 0 ? quotient : quotient | 1)
    return bits * Double(sign: .plus, exponent: down - up - 63, significand: 1)
  }

  private static let powers: [UInt64] = (0...19).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
