/// Any value of JSON, for texts whose form is not known.
///
///     let value = try JSON.decode(JSONValue.self, from: #"{"posts":[{"title":"Milk"}]}"#)
///     show(value["posts"]?[0]?["title"]?.string ?? "Untitled")
///     show(value["posts"] == [["title": "Milk"]])
public enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without a fraction and an exponent that an `Int` can have.
  case integer(Int)
  /// Another number, or the nearest one that a `Double` can have.
  case number(Double)
  /// A text.
  case string(String)
  /// A list of values.
  case array([JSONValue])
  /// Values with names.
  case object([String: JSONValue])

  /// The value of a field; nil if there is none, or if this value is not an object.
  public subscript(name: String) -> JSONValue? {
    if case .object(let fields) = self { fields[name] } else { nil }
  }

  /// An element; nil if there is none, or if this value is not an array.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The text; nil if this value is not a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The Boolean value; nil if this value is another one.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements; nil if this value is not an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The fields; nil if this value is not an object.
  public var object: [String: JSONValue]? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The integer; nil if this value is not a number, or one that an `Int` cannot have.
  public var int: Int? {
    switch self {
    case .integer(let value): value
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The number; nil if this value is not one.
  public var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }
}

extension JSONValue: Hashable {
  /// Returns true if two values are the same. Numbers are compared by their values: `1` is `1.0`.
  public static func == (first: JSONValue, second: JSONValue) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.bool(let first), .bool(let second)): first == second
    case (.integer(let first), .integer(let second)): first == second
    case (.number(let first), .number(let second)): first == second
    case (.integer(let integer), .number(let number)), (.number(let number), .integer(let integer)):
      integer == Int(exactly: number)
    case (.string(let first), .string(let second)): first == second
    case (.array(let first), .array(let second)): first == second
    case (.object(let first), .object(let second)): first == second
    default: false
    }
  }

  /// Hashes the value.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value):
      if let integer = Int(exactly: value) {
        hasher.combine(integer)
      } else {
        hasher.combine(value)
      }
    case .string(let value): hasher.combine(value)
    case .array(let elements): hasher.combine(elements)
    case .object(let fields): hasher.combine(fields)
    }
  }
}

extension JSONValue: Codable {
  /// Reads any value.
  public init(from decoder: any Decoder) throws {
    if let decoder = decoder as? ValueDecoder {
      self = try decoder.anyValue()
    } else {
      self = try Self.value(from: decoder)
    }
  }

  /// Reads any value from a decoder of another library, which has to be asked for each type.
  private static func value(from decoder: any Decoder) throws -> JSONValue {
    if let fields = try? [String: JSONValue](from: decoder) { return .object(fields) }
    if let elements = try? [JSONValue](from: decoder) { return .array(elements) }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() { return .null }
    if let value = try? container.decode(Bool.self) { return .bool(value) }
    if let value = try? container.decode(Int.self) { return .integer(value) }
    if let value = try? container.decode(Double.self) { return .number(value) }
    return .string(try container.decode(String.self))
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object(let fields):
      var container = encoder.container(keyedBy: JSONKey.self)
      for (name, value) in fields {
        try container.encode(value, forKey: JSONKey(stringValue: name))
      }
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The value as JSON text, in which the names of objects are sorted.
  public var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): JSONWriter.text(of: value)
    case .array(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
    case .object(let fields):
      "{"
        + fields.sorted { $0.key < $1.key }.map { "\(JSONWriter.text(of: $0.key)):\($0.value)" }
        .joined(separator: ",") + "}"
    }
  }
}

extension JSONValue: JSONWritable {
  /// Writes the value. Traps if a number is not finite.
  public func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.writeNull()
    case .bool(let value): json.write(value)
    case .integer(let value): json.write(value)
    case .number(let value): json.write(value)
    case .string(let value): json.write(value)
    case .array(let elements): json.write(elements)
    case .object(let fields): json.write(fields)
    }
  }
}

extension ValueDecoder {
  /// Reads a value of any type, level by level: see ``JSONLimits/depth``.
  fileprivate func anyValue() throws -> JSONValue {
    let token = document[index]
    switch token.kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .integer:
      if let value = try? integer(Int.self) { return .integer(value) }
      return .number(try double())
    case .decimal: return .number(try double())
    case .string, .escapedString: return .string(document.string(at: index))
    case .array:
      var elements: [JSONValue] = []
      let end = index + token.span
      var element = index + 1
      while element < end {
        elements.append(try ValueDecoder(document, element).anyValue())
        element += document[element].span
      }
      return .array(elements)
    case .object:
      // Of several fields with one name, the last one counts.
      var fields: [String: JSONValue] = [:]
      for name in document.names(in: index) {
        fields[document.string(at: name)] = try ValueDecoder(document, name + 1).anyValue()
      }
      return .object(fields)
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Creates null.
  public init(nilLiteral: ()) { self = .null }
  /// Creates a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an array.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object. If a name occurs twice, the last one counts.
  public init(dictionaryLiteral fields: (String, JSONValue)...) {
    self = .object(Dictionary(fields) { _, last in last })
  }
}
