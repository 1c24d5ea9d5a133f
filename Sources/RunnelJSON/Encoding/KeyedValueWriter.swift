/// The fields of an object.
struct KeyedValueWriter<Key: CodingKey> {
  private let encoder: ValueEncoder
  /// The value that has asked for the container.
  private let value: Int

  init(_ encoder: ValueEncoder, of value: Int) {
    self.encoder = encoder
    self.value = value
  }

  /// Writes a name. Returns false after a mistake.
  @inline(__always)
  private func beginsValue(_ key: some CodingKey) -> Bool {
    guard encoder.isPresent(value) else { return false }
    encoder.writer.beginField(key.stringValue)
    return true
  }

  @inline(__always)
  private func write(_ value: some JSONWritable, _ key: Key) {
    if beginsValue(key) { value.write(to: &encoder.writer) }
  }

  private func insertion(at key: some CodingKey) -> ValueEncoder {
    beginsValue(key) ? encoder.insertion(at: key) : encoder.detached()
  }
}

extension KeyedValueWriter: KeyedEncodingContainerProtocol {
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    if beginsValue(key) { encoder.writer.writeNull() }
  }

  func encode(_ value: Bool, forKey key: Key) throws { write(value, key) }
  func encode(_ value: String, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Double, forKey key: Key) throws {
    try encoder.checkIsFinite(value, at: key)
    write(value, key)
  }
  func encode(_ value: Float, forKey key: Key) throws {
    try encoder.checkIsFinite(value, at: key)
    write(value, key)
  }
  func encode(_ value: Int, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Int8, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Int16, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Int32, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Int64, forKey key: Key) throws { write(value, key) }
  func encode(_ value: Int128, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt8, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt16, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt32, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt64, forKey key: Key) throws { write(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { write(value, key) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    let start = encoder.start
    do {
      if beginsValue(key) { try encoder.encode(value, at: key) }
    } catch {
      encoder.returnTo(start)
      throw error
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    insertion(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    insertion(at: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { insertion(at: JSONKey(stringValue: "super")) }
  func superEncoder(forKey key: Key) -> any Encoder { insertion(at: key) }
}
