extension FoldedText {
  /// Returns true if the text precedes another one in natural order, in which numbers are compared
  /// by their value.
  ///
  ///     print(FoldedText("Note 2").naturallyPrecedes(FoldedText("Note 10")))  // true
  public func naturallyPrecedes(_ other: FoldedText) -> Bool {
    var (rest, otherRest) = (storage[...], other.storage[...])
    while let byte = rest.first?.folded, let otherByte = otherRest.first?.folded {
      let (digits, otherDigits) = (
        rest.prefix(while: \.isDigit), otherRest.prefix(while: \.isDigit)
      )
      if digits.isEmpty || otherDigits.isEmpty {
        if byte != otherByte { return byte < otherByte }
        (rest, otherRest) = (rest.dropFirst(), otherRest.dropFirst())
      } else {
        let (number, otherNumber) = (digits.significant, otherDigits.significant)
        if number.count != otherNumber.count { return number.count < otherNumber.count }
        if !number.elementsEqual(otherNumber) {
          return number.lexicographicallyPrecedes(otherNumber)
        }
        (rest, otherRest) = (rest.dropFirst(digits.count), otherRest.dropFirst(otherDigits.count))
      }
    }
    if rest.isEmpty != otherRest.isEmpty { return rest.isEmpty }
    // They differ only in leading zeros.
    return self < other
  }
}

extension ArraySlice<UInt8> {
  /// The digits of a number without leading zeros.
  fileprivate var significant: ArraySlice { drop { $0 == UInt8(ascii: "0") } }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
