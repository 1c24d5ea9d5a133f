/// A value that writes itself as JSON, without `Codable`.
///
///     struct Place: JSONWritable {
///       let row, column: Int
///       func write(to json: inout JSONWriter) {
///         json.object { json in
///           json.field("row", row)
///           json.field("column", column)
///         }
///       }
///     }
public protocol JSONWritable {
  /// Writes exactly one value.
  func write(to json: inout JSONWriter)
}

extension JSONWritable where Self: FixedWidthInteger {
  /// Writes the value.
  public func write(to json: inout JSONWriter) {
    json.beginValue()
    json.addInteger(self)
  }
}

extension Int: JSONWritable {}
extension Int8: JSONWritable {}
extension Int16: JSONWritable {}
extension Int32: JSONWritable {}
extension Int64: JSONWritable {}
extension Int128: JSONWritable {}
extension UInt: JSONWritable {}
extension UInt8: JSONWritable {}
extension UInt16: JSONWritable {}
extension UInt32: JSONWritable {}
extension UInt64: JSONWritable {}
extension UInt128: JSONWritable {}

extension Bool: JSONWritable {
  /// Writes the value.
  public func write(to json: inout JSONWriter) {
    json.beginValue()
    json.add(self ? "true" : "false")
  }
}

extension String: JSONWritable {
  /// Writes the value.
  public func write(to json: inout JSONWriter) {
    json.beginValue()
    json.addString(self)
  }
}

extension Substring: JSONWritable {
  /// Writes the value.
  public func write(to json: inout JSONWriter) { String(self).write(to: &json) }
}

extension Double: JSONWritable {
  /// Writes the shortest form that reads as the same number. Traps if the number is not finite.
  public func write(to json: inout JSONWriter) { json.addNumber(self, description) }
}

extension Float: JSONWritable {
  /// Writes the shortest form that reads as the same number. Traps if the number is not finite.
  public func write(to json: inout JSONWriter) { json.addNumber(self, description) }
}

extension JSONWriter {
  @inline(__always)
  fileprivate mutating func addNumber<Number: BinaryFloatingPoint>(
    _ number: Number, _ description: @autoclosure () -> String
  ) {
    guard number.isFinite else { fatalError("JSON cannot express \(number).") }
    beginValue()
    // All integers below this one are exact.
    if let integer = Int64(exactly: number),
      integer.magnitude < 1 << UInt64(Number.significandBitCount + 1),
      integer != 0 || number.sign == .plus
    {
      addInteger(integer)
    } else {
      add(plain: description())
    }
  }
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
  /// Writes the raw value.
  public func write(to json: inout JSONWriter) { rawValue.write(to: &json) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  /// Writes null if there is no value.
  public func write(to json: inout JSONWriter) {
    if let self { self.write(to: &json) } else { json.writeNull() }
  }
}

extension Array: JSONWritable where Element: JSONWritable {
  /// Writes the value.
  public func write(to json: inout JSONWriter) {
    json.array { json in for element in self { element.write(to: &json) } }
  }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
  /// Writes an object, whose fields are in the order of the dictionary.
  public func write(to json: inout JSONWriter) {
    json.object { json in for (name, value) in self { json.field(name, value) } }
  }
}
