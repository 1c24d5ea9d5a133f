/// The fields of an object.
struct KeyedValueWriter<Key: CodingKey> {
  private let encoder: ValueEncoder
  private let number: Int

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    number = encoder.present
  }

  @inline(__always)
  private func name(_ key: some CodingKey) {
    encoder.mustBe(number)
    encoder.writer.beginField(key.stringValue)
  }

  @inline(__always)
  private func write(_ value: some JSONWritable, _ key: Key) {
    name(key)
    value.write(to: &encoder.writer)
  }
}

extension KeyedValueWriter: KeyedEncodingContainerProtocol {
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    name(key)
    encoder.writer.writeNull()
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
      name(key)
      try encoder.encode(value, at: key)
    } catch {
      encoder.returnTo(start)
      throw error
    }
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    name(key)
    return encoder.insertion(at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    name(key)
    return encoder.insertion(at: key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    let key = JSONKey(stringValue: "super")
    name(key)
    return encoder.insertion(at: key)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    name(key)
    return encoder.insertion(at: key)
  }
}
