/// A type of D-Bus.
public indirect enum BusType: Hashable, Sendable {
  /// An unsigned integer of 8 bits: `UInt8`.
  case byte
  /// A Boolean: `Bool`.
  case boolean
  /// A signed integer of 16 bits.
  case int16
  /// An unsigned integer of 16 bits.
  case uint16
  /// A signed integer of 32 bits.
  case int32
  /// An unsigned integer of 32 bits.
  case uint32
  /// A signed integer of 64 bits.
  case int64
  /// An unsigned integer of 64 bits.
  case uint64
  /// A floating-point number: `Double`.
  case double
  /// A text in UTF-8 without the character of the code zero: `String`.
  case string
  /// A path of an object: ``ObjectPath``.
  case objectPath
  /// The types of values: ``Signature``.
  case signature
  /// An open descriptor: ``BusDescriptor``.
  case descriptor
  /// A value with its type: ``Variant``.
  case variant
  /// An array of elements of one type.
  case array(BusType)
  /// An array of entries, whose keys have a basic type.
  case dictionary(key: BusType, value: BusType)
  /// A structure with one member or more.
  case structure([BusType])

  /// The signature of the type, such as `a{sv}`.
  public var signature: String {
    switch self {
    case .array(let element): "a" + element.signature
    case .dictionary(let key, let value): "a{\(key.signature)\(value.signature)}"
    case .structure(let members): "(\(members.map(\.signature).joined()))"
    default: String(UnicodeScalar(code))
    }
  }

  /// The first character of the signature.
  var code: UInt8 {
    let character: Unicode.Scalar =
      switch self {
      case .byte: "y"
      case .boolean: "b"
      case .int16: "n"
      case .uint16: "q"
      case .int32: "i"
      case .uint32: "u"
      case .int64: "x"
      case .uint64: "t"
      case .double: "d"
      case .string: "s"
      case .objectPath: "o"
      case .signature: "g"
      case .descriptor: "h"
      case .variant: "v"
      case .array, .dictionary: "a"
      case .structure: "r"
      }
    return UInt8(ascii: character)
  }

  /// The position of a value in a message is a multiple of this number.
  var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .descriptor, .array, .dictionary: 4
    case .int64, .uint64, .double, .structure: 8
    }
  }

  /// True for the types that can be keys of a dictionary.
  public var isBasic: Bool {
    switch self {
    case .variant, .array, .dictionary, .structure: false
    default: true
    }
  }
}

extension BusType {
  /// Returns true if a signature has exactly the types. It allocates nothing, because each message is checked.
  static func areTypes(_ types: [BusType], of signature: UnsafePointer<CChar>) -> Bool {
    var rest = signature
    for type in types {
      guard let next = type.rest(of: rest) else { return false }
      rest = next
    }
    return rest.pointee == 0
  }

  /// Returns the signature after this type, or nil if it begins with another one.
  ///
  /// Safety: a signature ends with a zero, which is no character of a type.
  private func rest(of signature: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
    func begins(_ rest: UnsafePointer<CChar>?, _ character: Unicode.Scalar) -> UnsafePointer<CChar>?
    {
      guard let rest, rest.pointee == CChar(UInt8(ascii: character)) else { return nil }
      return rest + 1
    }
    switch self {
    case .array(let element): return begins(signature, "a").flatMap(element.rest)
    case .dictionary(let key, let value):
      let entry = begins(begins(signature, "a"), "{")
      return begins(entry.flatMap(key.rest).flatMap(value.rest), "}")
    case .structure(let members):
      var rest = begins(signature, "(")
      for member in members { rest = rest.flatMap(member.rest) }
      return begins(rest, ")")
    default: return begins(signature, UnicodeScalar(code))
    }
  }

  /// Reads the types of a signature. Returns nil if it violates the rules of D-Bus.
  public static func types(of signature: String) -> [BusType]? {
    guard signature.utf8.count <= 255 else { return nil }
    var parser = SignatureParser(rest: signature.utf8[...])
    var types: [BusType] = []
    while !parser.rest.isEmpty {
      guard let type = parser.next(arrays: 0, structures: 0) else { return nil }
      types.append(type)
    }
    return types
  }
}

/// A parser of signatures. D-Bus allows 32 nested arrays, and in addition 32 nested structures.
private struct SignatureParser {
  var rest: Substring.UTF8View

  static let limit = 32

  mutating func next(arrays: Int, structures: Int) -> BusType? {
    guard arrays <= Self.limit, structures <= Self.limit, let code = rest.popFirst() else {
      return nil
    }
    switch UnicodeScalar(code) {
    case "y": return .byte
    case "b": return .boolean
    case "n": return .int16
    case "q": return .uint16
    case "i": return .int32
    case "u": return .uint32
    case "x": return .int64
    case "t": return .uint64
    case "d": return .double
    case "s": return .string
    case "o": return .objectPath
    case "g": return .signature
    case "h": return .descriptor
    case "v": return .variant
    case "a":
      guard rest.first == UInt8(ascii: "{") else {
        return next(arrays: arrays + 1, structures: structures).map { .array($0) }
      }
      rest.removeFirst()
      guard let key = next(arrays: arrays + 1, structures: structures + 1), key.isBasic,
        let value = next(arrays: arrays + 1, structures: structures + 1),
        rest.popFirst() == UInt8(ascii: "}")
      else { return nil }
      return .dictionary(key: key, value: value)
    case "(":
      var members: [BusType] = []
      while let first = rest.first, first != UInt8(ascii: ")") {
        guard let member = next(arrays: arrays, structures: structures + 1) else { return nil }
        members.append(member)
      }
      return rest.popFirst() == nil || members.isEmpty ? nil : .structure(members)
    default: return nil
    }
  }
}
