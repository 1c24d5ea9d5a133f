/// The elements of an array.
struct UnkeyedValueWriter {
  private let encoder: ValueEncoder
  private let number: Int
  private(set) var count = 0

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    number = encoder.present
  }

  @inline(__always)
  private mutating func begin() {
    encoder.mustBe(number)
    count += 1
  }

  @inline(__always)
  private mutating func write(_ value: some JSONWritable) {
    begin()
    value.write(to: &encoder.writer)
  }

  /// The key of the last element.
  private var key: JSONKey { JSONKey(intValue: count - 1) }
  private var nextKey: JSONKey { JSONKey(intValue: count) }
}

extension UnkeyedValueWriter: UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {
    begin()
    encoder.writer.writeNull()
  }

  mutating func encode(_ value: Bool) throws { write(value) }
  mutating func encode(_ value: String) throws { write(value) }
  mutating func encode(_ value: Double) throws {
    try encoder.checkIsFinite(value, at: nextKey)
    write(value)
  }
  mutating func encode(_ value: Float) throws {
    try encoder.checkIsFinite(value, at: nextKey)
    write(value)
  }
  mutating func encode(_ value: Int) throws { write(value) }
  mutating func encode(_ value: Int8) throws { write(value) }
  mutating func encode(_ value: Int16) throws { write(value) }
  mutating func encode(_ value: Int32) throws { write(value) }
  mutating func encode(_ value: Int64) throws { write(value) }
  mutating func encode(_ value: Int128) throws { write(value) }
  mutating func encode(_ value: UInt) throws { write(value) }
  mutating func encode(_ value: UInt8) throws { write(value) }
  mutating func encode(_ value: UInt16) throws { write(value) }
  mutating func encode(_ value: UInt32) throws { write(value) }
  mutating func encode(_ value: UInt64) throws { write(value) }
  mutating func encode(_ value: UInt128) throws { write(value) }
  mutating func encode(_ value: some Encodable) throws {
    let start = encoder.start
    do {
      begin()
      try encoder.encode(value, at: key)
    } catch {
      encoder.returnTo(start)
      count -= 1
      throw error
    }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    begin()
    return encoder.insertion(at: key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    begin()
    return encoder.insertion(at: key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    begin()
    return encoder.insertion(at: key)
  }
}
