/// The elements of an array, one after another.
struct UnkeyedReader {
  private let document: Document
  /// The token of the next element.
  private var next: Int
  private(set) var currentIndex = 0

  private let index: Int

  init(_ decoder: ValueDecoder) throws {
    guard decoder.document[decoder.index].kind == .array else {
      throw decoder.mismatch([Any].self, "An array")
    }
    document = decoder.document
    index = decoder.index
    next = index + 1
  }

  private var end: Int { index + document[index].span }

  @inline(__always)
  private mutating func take<Value>(
    _ type: Any.Type, _ decode: (ValueDecoder) throws -> Value
  ) throws -> Value {
    guard next < end else { throw missing(type) }
    let value = try decode(ValueDecoder(document, next))
    // An element that fails may be decoded again as another type.
    next += document[next].span
    currentIndex += 1
    return value
  }

  @inline(never)
  private func missing(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type, ValueDecoder(document, index).context("Element \(currentIndex) is missing."))
  }
}

extension UnkeyedReader: UnkeyedDecodingContainer {
  var codingPath: [any CodingKey] { document.path(to: index) }
  var isAtEnd: Bool { next == end }

  var count: Int? { document.count(of: index) }

  mutating func decodeNil() throws -> Bool {
    if next < end, document[next].kind != .null { return false }
    return try take(Any?.self) { _ in true }
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { try $0.bool() } }
  mutating func decode(_ type: String.Type) throws -> String { try take(type) { try $0.string() } }
  mutating func decode(_ type: Double.Type) throws -> Double { try take(type) { try $0.double() } }
  mutating func decode(_ type: Float.Type) throws -> Float { try take(type) { try $0.float() } }
  mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.value(type) }
  }

  @inline(__always)
  private mutating func integer<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws -> Integer {
    try take(type) { try $0.integer(type) }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    try take(KeyedDecodingContainer<Key>.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take((any UnkeyedDecodingContainer).self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder {
    try take((any Decoder).self) { $0 }
  }
}
