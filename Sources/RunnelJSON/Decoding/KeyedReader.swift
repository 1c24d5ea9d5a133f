/// The values of an object, by their names.
struct KeyedReader<Key: CodingKey> {
  private let document: Document
  private let index: Int

  init(_ decoder: ValueDecoder) throws {
    guard decoder.document[decoder.index].kind == .object else {
      throw decoder.mismatch([String: Any].self, "An object")
    }
    document = decoder.document
    index = decoder.index
  }

  @inline(__always)
  private func value(_ key: some CodingKey) throws -> ValueDecoder {
    guard let index = document.value(named: key.stringValue, in: index) else {
      throw missing(key)
    }
    return ValueDecoder(document, index)
  }

  @inline(never)
  private func missing(_ key: some CodingKey) -> DecodingError {
    .keyNotFound(key, ValueDecoder(document, index).context("\"\(key.stringValue)\" is missing."))
  }
}

extension KeyedReader: KeyedDecodingContainerProtocol {
  var codingPath: [any CodingKey] { document.path(to: index) }

  var allKeys: [Key] {
    document.uniqueNames(in: index).compactMap { Key(stringValue: document.string(at: $0)) }
  }

  func contains(_ key: Key) -> Bool { document.value(named: key.stringValue, in: index) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).bool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).string() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).double() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).float() }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).integer(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).integer(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).integer(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).integer(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).integer(type) }
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).integer(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).integer(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key).integer(type)
  }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(key).integer(type)
  }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try value(key).value(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try value(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try value(JSONKey(stringValue: "super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}
