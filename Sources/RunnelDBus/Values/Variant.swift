/// A value of any type of D-Bus, with its type.
///
///     let urgency = Variant(UInt8(2))
///     print(try urgency.value(as: UInt8.self))  // 2
///     print(try urgency.value(as: String.self))  // throws .wrongSignature(expected: "s", found: "y")
public struct Variant: Hashable, Sendable {
  /// The value.
  public let content: Content

  /// Creates a variant from a value.
  public init(_ content: Content) {
    self.content = content
  }

  /// Creates a variant from a Swift value. A value whose `write(to:)` throws traps.
  public init(_ value: some BusValue) {
    content = Content(value)
  }

  /// Returns the value if it has the type; otherwise throws ``BusError/wrongSignature(expected:found:)``.
  public func value<Value: BusValue>(as type: Value.Type = Value.self) throws(BusError) -> Value {
    try content.value(as: type)
  }

  /// Returns the value if it has the type, otherwise nil.
  public subscript<Value: BusValue>(type: Value.Type) -> Value? { try? value(as: type) }

  /// The value of a variant.
  public indirect enum Content: Hashable, Sendable {
    /// An unsigned integer of 8 bits.
    case byte(UInt8)
    /// A Boolean.
    case boolean(Bool)
    /// A signed integer of 16 bits.
    case int16(Int16)
    /// An unsigned integer of 16 bits.
    case uint16(UInt16)
    /// A signed integer of 32 bits.
    case int32(Int32)
    /// An unsigned integer of 32 bits.
    case uint32(UInt32)
    /// A signed integer of 64 bits.
    case int64(Int64)
    /// An unsigned integer of 64 bits.
    case uint64(UInt64)
    /// A floating-point number.
    case double(Double)
    /// A text.
    case string(String)
    /// A path of an object.
    case objectPath(ObjectPath)
    /// The types of values.
    case signature(Signature)
    /// An open descriptor.
    case descriptor(BusDescriptor)
    /// A variant in the variant.
    case variant(Variant)
    /// An array of bytes.
    case bytes([UInt8])
    /// An array of elements of another type than `byte`. Use ``bytes(_:)`` for bytes: the two forms are
    /// not equal.
    case array(of: BusType, [Content])
    /// The entries of a dictionary in the order of the message.
    case dictionary(key: BusType, value: BusType, [Entry])
    /// The members of a structure.
    case structure([Content])
  }

  /// An entry of a dictionary.
  public struct Entry: Hashable, Sendable {
    /// The key, of a basic type.
    public let key: Content
    /// The value.
    public let value: Content

    /// Creates an entry.
    public init(key: Content, value: Content) {
      self.key = key
      self.value = value
    }
  }
}

extension Variant.Content {
  /// Creates the content of a Swift value.
  init(_ value: some BusValue) {
    do throws(BusError) {
      try self.init(writing: value)
    } catch {
      preconditionFailure("`\(Swift.type(of: value)).write(to:)` failed in a variant: \(error)")
    }
  }

  /// Creates the content of a Swift value. Throws what its `write(to:)` throws.
  init(writing value: some BusValue) throws(BusError) {
    let tree = TreeWriter()
    try value.write(to: BusWriter(sink: .tree(tree)))
    let parts = tree.finish()
    guard parts.count == 1 else {
      preconditionFailure(
        "`\(Swift.type(of: value)).write(to:)` wrote \(parts.count) values. Write exactly one.")
    }
    self = parts[0]
  }

  func value<Value: BusValue>(as type: Value.Type) throws(BusError) -> Value {
    guard self.type == Value.busType else {
      throw .wrongSignature(expected: Value.busType.signature, found: self.type.signature)
    }
    return try Value(from: BusReader(TreeReader([self])))
  }

  /// The type of the value.
  public var type: BusType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .descriptor: .descriptor
    case .variant: .variant
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .dictionary(let key, let value, _): .dictionary(key: key, value: value)
    case .structure(let members): .structure(members.map(\.type))
    }
  }
}

/// Returns the values as parts of a message.
func contents<each Value: BusValue>(
  of values: repeat each Value
) throws(BusError) -> [Variant.Content] {
  var contents: [Variant.Content] = []
  repeat contents.append(try Variant.Content(writing: each values))
  return contents
}
