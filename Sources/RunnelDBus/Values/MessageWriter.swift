import CSystemd
import Glibc

/// A message of sd-bus that is not sealed.
///
/// It counts the bytes of the body by the rules of D-Bus for alignment. sd-bus does not check the limits
/// for arrays and messages, and a bus ends the connection of a sender that exceeds them.
final class MessageWriter {
  private let reference: MessageReference
  /// The number of bytes that the body may have.
  private let limit: Int
  /// The size of the body so far, in bytes.
  private(set) var size = 0
  /// True if a descriptor was written.
  private(set) var hasDescriptors = false

  init(_ message: OpaquePointer, limit: Int) {
    self.limit = limit
    reference = MessageReference(message)
  }

  /// Safety: the message is valid while this object exists.
  private var message: OpaquePointer { reference.message }

  private func check(_ result: Int32) throws(BusError) {
    if result < 0 { throw BusError(valueCode: result) }
  }

  private func add(_ count: Int, alignment: Int) throws(BusError) {
    size = (size + alignment - 1) & -alignment + count
    if size > limit { throw .tooLarge }
  }

  // MARK: - Containers

  private func container(
    _ kind: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    let kind = CChar(UInt8(ascii: kind))
    try check(sd_bus_message_open_container(message, kind, contents))
    try body()
    try check(sd_bus_message_close_container(message))
  }

  /// Writes an array of elements with a signature and an alignment.
  func array(
    _ contents: String, _ alignment: Int, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try add(4, alignment: 4)
    try add(0, alignment: alignment)
    let start = size
    try container("a", contents, body)
    if size - start > BusLimits.arrayBytes { throw .tooLarge }
  }

  /// Writes a structure or an entry of a dictionary.
  func aligned(
    _ kind: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try add(0, alignment: 8)
    try container(kind, contents, body)
  }

  /// Writes a variant whose value has a signature.
  func variant(
    _ contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try add(contents.utf8.count + 2, alignment: 1)
    try container("v", contents, body)
  }

  // MARK: - Values

  func number<Number: BitwiseCopyable>(
    _ number: Number, _ type: BusType
  ) throws(BusError) {
    let size = MemoryLayout<Number>.size
    try add(size, alignment: size)
    let result = withUnsafeBytes(of: number) {
      sd_bus_message_append_basic(message, CChar(type.code), $0.baseAddress)
    }
    try check(result)
  }

  func text(_ text: String, _ type: BusType) throws(BusError) {
    if text.utf8.contains(0) { throw .invalidText }
    let count = text.utf8.count
    if type == .signature {
      try add(count + 2, alignment: 1)
    } else {
      try add(count + 5, alignment: 4)
    }
    let result = text.withCString { sd_bus_message_append_basic(message, CChar(type.code), $0) }
    try check(result)
  }

  private func bytes(_ bytes: [UInt8]) throws(BusError) {
    if bytes.count > BusLimits.arrayBytes { throw .tooLarge }
    try add(4, alignment: 4)
    try add(bytes.count, alignment: 1)
    let result = bytes.withUnsafeBytes {
      sd_bus_message_append_array(message, CChar(BusType.byte.code), $0.baseAddress, $0.count)
    }
    try check(result)
  }

  /// Writes a value that is no container, or an array of bytes.
  func write(_ content: Variant.Content) throws(BusError) {
    switch content {
    case .byte(let value): try number(value, .byte)
    // sd-bus takes a C integer.
    case .boolean(let value): try number(Int32(value ? 1 : 0), .boolean)
    case .int16(let value): try number(value, .int16)
    case .uint16(let value): try number(value, .uint16)
    case .int32(let value): try number(value, .int32)
    case .uint32(let value): try number(value, .uint32)
    case .int64(let value): try number(value, .int64)
    case .uint64(let value): try number(value, .uint64)
    case .double(let value): try number(value, .double)
    case .string(let value): try text(value, .string)
    case .objectPath(let value): try text(value.text, .objectPath)
    case .signature(let value): try text(value.text, .signature)
    // The message duplicates the descriptor.
    case .descriptor(let value):
      try number(value.number, .descriptor)
      hasDescriptors = true
    case .bytes(let value): try bytes(value)
    case .variant, .array, .dictionary, .structure: throw .malformed
    }
  }
}
