import CSystemd
import Glibc

/// A destination for the values of a message or of a variant.
public struct BusWriter {
  enum Sink {
    /// A message of sd-bus that is not sealed.
    case message(OpaquePointer)
    case tree(TreeWriter)
  }

  let sink: Sink

  /// Writes a value that may be a variant's content.
  func write(_ content: Variant.Content) throws(BusError) {
    switch sink {
    case .message(let message): try Self.write(content, to: message)
    case .tree(let tree):
      if case .string(let text) = content { try Self.checkText(text) }
      tree.add(content)
    }
  }

  /// Writes an array. The closure writes its elements.
  public func array(
    of element: BusType, _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    switch sink {
    case .message(let message):
      try Self.container("a", element.signature, in: message) { () throws(BusError) in
        try body(self)
      }
    case .tree(let tree):
      try tree.nested({ .array(of: element, $0) }) { () throws(BusError) in try body(self) }
    }
  }

  /// Writes a dictionary. The closure writes its entries with ``entry(key:value:_:)``.
  public func dictionary(
    key: BusType, value: BusType, _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    switch sink {
    case .message(let message):
      let contents = "{\(key.signature)\(value.signature)}"
      try Self.container("a", contents, in: message) { () throws(BusError) in try body(self) }
    case .tree(let tree):
      try tree.nested({ parts in
        let entries = stride(from: 0, to: parts.count, by: 2).map {
          Variant.Entry(key: parts[$0], value: parts[$0 + 1])
        }
        return .dictionary(key: key, value: value, entries)
      }) { () throws(BusError) in try body(self) }
    }
  }

  /// Writes an entry of a dictionary. The closure writes the key, then the value.
  public func entry(
    key: BusType, value: BusType, _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    guard case .message(let message) = sink else { return try body(self) }
    try Self.container("e", key.signature + value.signature, in: message) { () throws(BusError) in
      try body(self)
    }
  }

  /// Writes a structure. The closure writes its members.
  public func structure(
    of members: [BusType], _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    switch sink {
    case .message(let message):
      let contents = members.map(\.signature).joined()
      try Self.container("r", contents, in: message) { () throws(BusError) in try body(self) }
    case .tree(let tree):
      try tree.nested({ .structure($0) }) { () throws(BusError) in try body(self) }
    }
  }
}

// MARK: - Messages of sd-bus

extension BusWriter {
  private static func check(_ result: Int32) throws(BusError) {
    if result < 0 { throw BusError(valueCode: result) }
  }

  private static func container(
    _ kind: Unicode.Scalar, _ contents: String, in message: OpaquePointer,
    _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    let kind = CChar(UInt8(ascii: kind))
    try check(sd_bus_message_open_container(message, kind, contents))
    try body()
    try check(sd_bus_message_close_container(message))
  }

  private static func number<Number: BitwiseCopyable>(
    _ number: Number, _ type: BusType, to message: OpaquePointer
  ) throws(BusError) {
    let result = withUnsafeBytes(of: number) {
      sd_bus_message_append_basic(message, CChar(type.code), $0.baseAddress)
    }
    try check(result)
  }

  fileprivate static func checkText(_ text: String) throws(BusError) {
    if text.utf8.contains(0) { throw .invalidText }
  }

  private static func text(
    _ text: String, _ type: BusType, to message: OpaquePointer
  ) throws(BusError) {
    try checkText(text)
    let result = text.withCString { sd_bus_message_append_basic(message, CChar(type.code), $0) }
    try check(result)
  }

  private static func write(
    _ content: Variant.Content, to message: OpaquePointer
  ) throws(BusError) {
    switch content {
    case .byte(let value): try number(value, .byte, to: message)
    // sd-bus takes a C integer.
    case .boolean(let value): try number(Int32(value ? 1 : 0), .boolean, to: message)
    case .int16(let value): try number(value, .int16, to: message)
    case .uint16(let value): try number(value, .uint16, to: message)
    case .int32(let value): try number(value, .int32, to: message)
    case .uint32(let value): try number(value, .uint32, to: message)
    case .int64(let value): try number(value, .int64, to: message)
    case .uint64(let value): try number(value, .uint64, to: message)
    case .double(let value): try number(value, .double, to: message)
    case .string(let value): try text(value, .string, to: message)
    case .objectPath(let value): try text(value.text, .objectPath, to: message)
    case .signature(let value): try text(value.text, .signature, to: message)
    // The message duplicates the descriptor.
    case .descriptor(let value): try number(value.number, .descriptor, to: message)
    case .bytes(let bytes):
      let result = bytes.withUnsafeBytes {
        sd_bus_message_append_array(message, CChar(BusType.byte.code), $0.baseAddress, $0.count)
      }
      try check(result)
    case .variant(let variant):
      try container("v", variant.content.type.signature, in: message) { () throws(BusError) in
        try write(variant.content, to: message)
      }
    case .array(let element, let parts):
      try container("a", element.signature, in: message) { () throws(BusError) in
        for part in parts { try write(part, to: message) }
      }
    case .dictionary(let key, let value, let entries):
      let contents = key.signature + value.signature
      try container("a", "{\(contents)}", in: message) { () throws(BusError) in
        for entry in entries {
          try container("e", contents, in: message) { () throws(BusError) in
            try write(entry.key, to: message)
            try write(entry.value, to: message)
          }
        }
      }
    case .structure(let members):
      let contents = members.map(\.type.signature).joined()
      try container("r", contents, in: message) { () throws(BusError) in
        for member in members { try write(member, to: message) }
      }
    }
  }
}

// MARK: - Trees

/// The values of a variant that is being written.
final class TreeWriter {
  private var parts: [Variant.Content] = []

  func add(_ part: Variant.Content) {
    parts.append(part)
  }

  /// Collects the parts that the body adds, and adds the container that is made of them.
  func nested(
    _ wrap: ([Variant.Content]) -> Variant.Content, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    let outer = parts
    parts = []
    try body()
    parts = outer + [wrap(parts)]
  }

  func finish() -> [Variant.Content] { parts }
}
