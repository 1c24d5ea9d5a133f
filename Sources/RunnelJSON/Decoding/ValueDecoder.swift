/// A decoder of one value in a document.
struct ValueDecoder {
  let document: Document
  let index: Int

  @inline(__always)
  init(_ document: Document, _ index: Int) {
    self.document = document
    self.index = index
  }

  // MARK: - Values

  @inline(__always)
  func bool() throws -> Bool {
    switch document[index].kind {
    case .true: true
    case .false: false
    default: throw mismatch(Bool.self, "A Boolean value")
    }
  }

  @inline(__always)
  func string() throws -> String {
    let kind = document[index].kind
    guard kind == .string || kind == .escapedString else {
      throw mismatch(String.self, "A string")
    }
    return document.string(at: index)
  }

  @inline(__always)
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    if let value = try shortInteger(type), let integer = Integer(exactly: value) { return integer }
    return try longInteger(type)
  }

  /// Reads an integer of at most 18 digits; returns nil for another number.
  // Not inlined into a method for each type of integer, since it would make most of this module.
  @inline(never)
  private func shortInteger(_ type: Any.Type) throws -> Int? {
    let token = document[index]
    guard token.kind == .integer || token.kind == .decimal else {
      throw mismatch(type, "An integer")
    }
    guard token.kind == .integer && token.count <= 18 else { return nil }
    let bytes = document.bytes(of: token)
    var (value, offset) = (0, bytes[0] == .minus ? 1 : 0)
    while offset < bytes.count {
      value = value &* 10 &+ Int(bytes[offset].digit)
      offset &+= 1
    }
    return bytes[0] == .minus ? 0 &- value : value
  }

  @inline(never)
  private func longInteger<Integer: FixedWidthInteger>(_ type: Integer.Type) throws -> Integer {
    let (signed, unsigned) = wideInteger()
    if let integer = signed.flatMap({ Integer(exactly: $0) }) { return integer }
    if let integer = unsigned.flatMap({ Integer(exactly: $0) }) { return integer }
    throw outOfRange(type)
  }

  @inline(never)
  private func wideInteger() -> (Int128?, UInt128?) {
    guard let text = DecimalNumber.integerText(document.bytes(of: document[index])) else {
      return (nil, nil)
    }
    return (Int128(text), UInt128(text))
  }

  @inline(never)
  private func outOfRange(_ type: Any.Type) -> DecodingError {
    let bytes = document.bytes(of: document[index])
    let number = String(decoding: bytes.prefix(100), as: UTF8.self)
    return corrupted("\(number.shortened) is not a value of \(type).")
  }

  @inline(__always)
  func double() throws -> Double {
    let token = document[index]
    guard token.kind == .integer || token.kind == .decimal else {
      throw mismatch(Double.self, "A number")
    }
    let bytes = document.bytes(of: token)
    if let double = DecimalNumber(bytes).double { return double }
    return try parsed(bytes)
  }

  func float() throws -> Float {
    let token = document[index]
    guard token.kind == .integer || token.kind == .decimal else {
      throw mismatch(Float.self, "A number")
    }
    return try parsed(document.bytes(of: token))
  }

  /// Reads a number of any size and precision.
  private func parsed<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ bytes: UnsafeRawBufferPointer
  ) throws -> Number {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let number = Number(text), number.isFinite else {
      throw corrupted("\(text.shortened) is too large for \(Number.self).")
    }
    return number
  }

  @inline(__always)
  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    do {
      return try Value(from: self)
    } catch {
      document.noteFailure(at: index)
      throw error
    }
  }

  // MARK: - Errors

  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let found =
      switch document[index].kind {
      case .null: "null"
      case .true, .false: "a Boolean value"
      case .integer, .decimal: "a number"
      case .string, .escapedString: "a string"
      case .array: "an array"
      case .object: "an object"
      }
    let context = context("\(expected) is expected, not \(found).")
    return document[index].kind == .null
      ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(_ reason: String) -> DecodingError { .dataCorrupted(context(reason)) }

  func context(_ reason: String) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: codingPath, debugDescription: reason,
      underlyingError: TokenError(document: document, index: index))
  }
}

/// The token with the problem that a standard error describes.
// Safety: only the thread that decodes uses the document, to compare it.
struct TokenError: Error, @unchecked Sendable {
  let document: Document
  let index: Int
}

extension ValueDecoder: Decoder {
  var codingPath: [any CodingKey] { document.path(to: index) }
  var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try KeyedReader<Key>(self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try UnkeyedReader(self) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { document[index].kind == .null }
  func decode(_ type: Bool.Type) throws -> Bool { try bool() }
  func decode(_ type: String.Type) throws -> String { try string() }
  func decode(_ type: Double.Type) throws -> Double { try double() }
  func decode(_ type: Float.Type) throws -> Float { try float() }
  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value(type) }
}
