/// The elements of an array.
struct UnkeyedValueWriter {
  private let encoder: ValueEncoder
  /// The value that has asked for the container.
  private let value: Int
  private(set) var count = 0

  init(_ encoder: ValueEncoder, of value: Int) {
    self.encoder = encoder
    self.value = value
  }

  /// Returns false after a mistake.
  @inline(__always)
  private mutating func beginsValue() -> Bool {
    guard encoder.isPresent(value) else { return false }
    count += 1
    return true
  }

  @inline(__always)
  private mutating func write(_ value: some JSONWritable) {
    if beginsValue() { value.write(to: &encoder.writer) }
  }

  private mutating func insertion() -> ValueEncoder {
    beginsValue() ? encoder.insertion(at: key) : encoder.detached()
  }

  /// The key of the last element.
  private var key: JSONKey { JSONKey(intValue: count - 1) }
  private var nextKey: JSONKey { JSONKey(intValue: count) }
}

extension UnkeyedValueWriter: UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { encoder.codingPath }

  mutating func encodeNil() throws {
    if beginsValue() { encoder.writer.writeNull() }
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
    let (start, former) = (encoder.start, count)
    do {
      if beginsValue() { try encoder.encode(value, at: key) }
    } catch {
      encoder.returnTo(start)
      count = former
      throw error
    }
  }

  mutating func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedEncodingContainer<Key> {
    insertion().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    insertion().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { insertion() }
}
