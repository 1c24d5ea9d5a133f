/// A value that D-Bus can carry.
///
/// Integers of a stated width, `Bool`, `Double`, `String`, ``ObjectPath``, ``Signature``, ``Variant``,
/// ``BusDescriptor``, arrays and dictionaries conform. For a structure, conform to ``BusStructure``.
/// `Int` and `UInt` do not conform, because D-Bus has no type of their kind: use `Int32` or `Int64`.
public protocol BusValue {
  /// The type on the bus.
  static var busType: BusType { get }

  /// Writes exactly one value of the type.
  func write(to writer: BusWriter) throws(BusError)

  /// Reads exactly one value of the type.
  init(from reader: BusReader) throws(BusError)
}

/// A value that can be a key of a dictionary on the bus.
public protocol BusKey: BusValue, Hashable {}

extension UInt8: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .byte }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .byte, as: Variant.Content.byte)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.byte) }
}

extension Bool: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .boolean }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(.boolean(self)) }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readBoolean() }
}

extension Int16: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .int16 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .int16, as: Variant.Content.int16)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.int16) }
}

extension UInt16: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .uint16 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .uint16, as: Variant.Content.uint16)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.uint16) }
}

extension Int32: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .int32 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .int32, as: Variant.Content.int32)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.int32) }
}

extension UInt32: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .uint32 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .uint32, as: Variant.Content.uint32)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.uint32) }
}

extension Int64: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .int64 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .int64, as: Variant.Content.int64)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.int64) }
}

extension UInt64: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .uint64 }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .uint64, as: Variant.Content.uint64)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.uint64) }
}

extension Double: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .double }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.write(self, .double, as: Variant.Content.double)
  }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readNumber(.double) }
}

extension String: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .string }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(self) }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readText(.string) }
}

extension ObjectPath: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .objectPath }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(.objectPath(self)) }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) {
    self.init(trusting: try reader.readText(.objectPath))
  }
}

extension Signature: BusKey {
  /// The type on the bus.
  public static var busType: BusType { .signature }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(.signature(self)) }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) {
    self.init(trusting: try reader.readText(.signature))
  }
}

extension Variant: BusValue {
  /// The type on the bus.
  public static var busType: BusType { .variant }
  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) { try writer.write(.variant(self)) }
  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) { self = try reader.readVariant() }
}

extension Array: BusValue where Element: BusValue {
  /// The type on the bus.
  public static var busType: BusType { .array(Element.busType) }

  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    if Element.self == UInt8.self {
      // Safety: the types are the same. A cast with `as` converts each element.
      try writer.write(.bytes(unsafeBitCast(self, to: [UInt8].self)))
      return
    }
    try writer.array(of: Element.busType) { writer throws(BusError) in
      for element in self { try element.write(to: writer) }
    }
  }

  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) {
    if Element.self == UInt8.self {
      // Safety: the types are the same. A cast with `as` converts each element.
      self = unsafeBitCast(try reader.readBytes(), to: [Element].self)
      return
    }
    self.init()
    try reader.array(of: Element.busType) { reader throws(BusError) in
      append(try Element(from: reader))
    }
  }
}

/// A dictionary. Of entries with equal keys in a message, the last one counts. A key that is not equal to
/// itself, such as `Double.nan`, is ``BusError/malformed``.
extension Dictionary: BusValue where Key: BusKey, Value: BusValue {
  /// The type on the bus.
  public static var busType: BusType { .dictionary(key: Key.busType, value: Value.busType) }

  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.dictionary(key: Key.busType, value: Value.busType) { writer throws(BusError) in
      for (key, value) in self {
        try writer.entry(key: Key.busType, value: Value.busType) { writer throws(BusError) in
          try key.write(to: writer)
          try value.write(to: writer)
        }
      }
    }
  }

  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) {
    self.init()
    try reader.dictionary(key: Key.busType, value: Value.busType) { reader throws(BusError) in
      let key = try Key(from: reader)
      // Many keys with one hash and no equal would take a time that grows with their square.
      guard key == key else { throw .malformed }
      self[key] = try Value(from: reader)
    }
  }
}

/// A Swift structure that is a structure on the bus. Its members are written and read in one order.
///
///     struct Position: BusStructure {
///       var x: Double
///       var y: Double
///       static let members = [Double.busType, Double.busType]
///       func writeMembers(to writer: BusWriter) throws(BusError) {
///         try x.write(to: writer)
///         try y.write(to: writer)
///       }
///       init(members reader: BusReader) throws(BusError) {
///         x = try Double(from: reader)
///         y = try Double(from: reader)
///       }
///     }
public protocol BusStructure: BusValue {
  /// The types of the members. There is at least one.
  static var members: [BusType] { get }

  /// Writes all members.
  func writeMembers(to writer: BusWriter) throws(BusError)

  /// Reads all members.
  init(members reader: BusReader) throws(BusError)
}

extension BusStructure {
  /// The type on the bus.
  public static var busType: BusType { .structure(members) }

  /// Writes the value.
  public func write(to writer: BusWriter) throws(BusError) {
    try writer.structure(of: Self.members) { writer throws(BusError) in
      try writeMembers(to: writer)
    }
  }

  /// Reads a value.
  public init(from reader: BusReader) throws(BusError) {
    self = try reader.structure(of: Self.members) { reader throws(BusError) in
      try Self(members: reader)
    }
  }
}
