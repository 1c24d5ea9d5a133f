extension BusReader {
  func readVariant() throws(BusError) -> Variant {
    switch source {
    case .message(let message):
      try spend(1)
      guard depth < BusLimits.depth else { throw .tooDeep }
      depth += 1
      defer { depth -= 1 }
      let (code, contents) = try peek(message)
      guard code == BusType.variant.code else {
        throw .wrongSignature(expected: "v", found: String(UnicodeScalar(code)))
      }
      guard let types = BusType.types(of: contents), types.count == 1 else { throw .malformed }
      let type = types[0]
      var content: Variant.Content?
      try container("v", contents, in: message) { () throws(BusError) in
        content = try readContent(of: type)
      }
      guard let content else { throw .malformed }
      return Variant(content)
    case .tree(let tree):
      let part = try tree.next()
      guard case .variant(let variant) = part else { throw mismatch(.variant, part.type) }
      return variant
    }
  }

  /// Reads a value of any type.
  func readContent(of type: BusType) throws(BusError) -> Variant.Content {
    try spend(1)
    switch type {
    case .byte: return .byte(try readNumber(type))
    case .boolean: return .boolean(try readBoolean())
    case .int16: return .int16(try readNumber(type))
    case .uint16: return .uint16(try readNumber(type))
    case .int32: return .int32(try readNumber(type))
    case .uint32: return .uint32(try readNumber(type))
    case .int64: return .int64(try readNumber(type))
    case .uint64: return .uint64(try readNumber(type))
    case .double: return .double(try readNumber(type))
    case .string: return .string(try readText(type))
    case .objectPath: return .objectPath(ObjectPath(trusting: try readText(type)))
    case .signature: return .signature(Signature(trusting: try readText(type)))
    case .descriptor: return .descriptor(BusDescriptor(owning: try readDescriptor()))
    case .variant: return .variant(try readVariant())
    case .array(.byte): return .bytes(try readBytes())
    case .array(let element):
      var parts: [Variant.Content] = []
      try array(of: element) { reader throws(BusError) in
        parts.append(try reader.readContent(of: element))
      }
      return .array(of: element, parts)
    case .dictionary(let key, let value):
      var entries: [Variant.Entry] = []
      try dictionary(key: key, value: value) { reader throws(BusError) in
        let key = try reader.readContent(of: key)
        entries.append(Variant.Entry(key: key, value: try reader.readContent(of: value)))
      }
      return .dictionary(key: key, value: value, entries)
    case .structure(let members):
      let parts = try structure(of: members) { reader throws(BusError) in
        var parts: [Variant.Content] = []
        for member in members { parts.append(try reader.readContent(of: member)) }
        return parts
      }
      return .structure(parts)
    }
  }

  private func spend(_ count: Int) throws(BusError) {
    budget -= count
    if budget < 0 { throw .tooLarge }
  }
}
