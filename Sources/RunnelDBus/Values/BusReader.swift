import CSystemd
import Glibc

/// A source of the values of a message or of a variant.
public final class BusReader {
  enum Source {
    /// A message of sd-bus that is sealed.
    ///
    /// Safety: the reader keeps the message.
    case message(OpaquePointer)
    case tree(TreeReader)
  }

  let source: Source
  private let reference: MessageReference?
  /// The number of parts that variants may still have.
  var budget = BusLimits.parts
  var depth = 0
  private var descriptors = 0
  /// The number of parts that were read from the message.
  private var readCount = 0

  /// Reads a message that is sealed.
  init(_ reference: MessageReference) {
    source = .message(reference.message)
    self.reference = reference
  }

  init(_ tree: TreeReader) {
    source = .tree(tree)
    reference = nil
  }

  /// Reads an array. The closure reads one element.
  public func array(
    of element: BusType, _ body: (BusReader) throws(BusError) -> Void
  ) throws(BusError) {
    switch source {
    case .message(let message):
      try container("a", element.signature, in: message) { () throws(BusError) in
        while try !isAtEnd(of: message) {
          let before = readCount
          try body(self)
          // A closure that reads nothing would be called without end.
          if readCount == before { throw .malformed }
        }
      }
    case .tree(let tree):
      let parts: [Variant.Content]
      switch try tree.next() {
      case .array(element, let elements): parts = elements
      case .bytes(let bytes) where element == .byte: parts = bytes.map { .byte($0) }
      case let other: throw mismatch(.array(element), other.type)
      }
      try tree.nestedElements(parts) { () throws(BusError) in try body(self) }
    }
  }

  /// Reads a dictionary. The closure reads the key and the value of one entry.
  public func dictionary(
    key: BusType, value: BusType, _ body: (BusReader) throws(BusError) -> Void
  ) throws(BusError) {
    switch source {
    case .message(let message):
      let contents = key.signature + value.signature
      try container("a", "{\(contents)}", in: message) { () throws(BusError) in
        while try !isAtEnd(of: message) {
          try container("e", contents, in: message) { () throws(BusError) in try body(self) }
        }
      }
    case .tree(let tree):
      let part = try tree.next()
      guard case .dictionary(key, value, let entries) = part else {
        throw mismatch(.dictionary(key: key, value: value), part.type)
      }
      try tree.nestedElements(entries.flatMap { [$0.key, $0.value] }) { () throws(BusError) in
        try body(self)
      }
    }
  }

  /// Reads a structure. The closure reads all members.
  public func structure<Output>(
    of members: [BusType], _ body: (BusReader) throws(BusError) -> Output
  ) throws(BusError) -> Output {
    var output: Output?
    switch source {
    case .message(let message):
      let contents = members.map(\.signature).joined()
      try container("r", contents, in: message) { () throws(BusError) in output = try body(self) }
    case .tree(let tree):
      let part = try tree.next()
      guard case .structure(let parts) = part, part.type == .structure(members) else {
        throw mismatch(.structure(members), part.type)
      }
      try tree.nested(parts) { () throws(BusError) in output = try body(self) }
    }
    guard let output else { throw .malformed }
    return output
  }

  func mismatch(_ expected: BusType, _ found: BusType) -> BusError {
    .wrongSignature(expected: expected.signature, found: found.signature)
  }

  /// Reads an integer or a floating-point number.
  func readNumber<Number: BusValue & Numeric & BitwiseCopyable>(_ type: BusType) throws(BusError)
    -> Number
  {
    switch source {
    case .message(let message):
      var number = Number.zero
      let result = withUnsafeMutableBytes(of: &number) {
        sd_bus_message_read_basic(message, CChar(type.code), $0.baseAddress)
      }
      try check(result)
      return number
    case .tree(let tree):
      let part = try tree.next()
      let number: Any? =
        switch part {
        case .byte(let number): number
        case .int16(let number): number
        case .uint16(let number): number
        case .int32(let number): number
        case .uint32(let number): number
        case .int64(let number): number
        case .uint64(let number): number
        case .double(let number): number
        default: nil
        }
      guard let number = number as? Number else { throw mismatch(type, part.type) }
      return number
    }
  }

  func readBoolean() throws(BusError) -> Bool {
    switch source {
    case .message(let message):
      var number: Int32 = 0
      try check(sd_bus_message_read_basic(message, CChar(BusType.boolean.code), &number))
      return number != 0
    case .tree(let tree):
      let part = try tree.next()
      guard case .boolean(let value) = part else { throw mismatch(.boolean, part.type) }
      return value
    }
  }

  /// Reads a string, a path or a signature. sd-bus checks their rules.
  func readText(_ type: BusType) throws(BusError) -> String {
    switch source {
    case .message(let message):
      var text: UnsafePointer<CChar>?
      try check(sd_bus_message_read_basic(message, CChar(type.code), &text))
      guard let text else { throw .malformed }
      return String(cString: text)
    case .tree(let tree):
      let part = try tree.next()
      guard part.type == type else { throw mismatch(type, part.type) }
      switch part {
      case .string(let text): return text
      case .objectPath(let path): return path.text
      case .signature(let signature): return signature.text
      default: throw mismatch(type, part.type)
      }
    }
  }

  /// Reads a descriptor as one that the caller owns.
  func readDescriptor() throws(BusError) -> Int32 {
    // A message can name one descriptor many times.
    guard descriptors < BusLimits.descriptors else { throw .tooLarge }
    descriptors += 1
    let original: Int32
    switch source {
    case .message(let message):
      var number: Int32 = -1
      // The message keeps its descriptor.
      try check(sd_bus_message_read_basic(message, CChar(BusType.descriptor.code), &number))
      original = number
    case .tree(let tree):
      let part = try tree.next()
      guard case .descriptor(let value) = part else { throw mismatch(.descriptor, part.type) }
      original = value.number
    }
    let duplicate = fcntl(original, F_DUPFD_CLOEXEC, 3)
    if duplicate < 0 { throw .limitsExceeded(errorText(errno)) }
    return duplicate
  }

  func readBytes() throws(BusError) -> [UInt8] {
    switch source {
    case .message(let message):
      var bytes: UnsafeRawPointer?
      var count = 0
      let result = sd_bus_message_read_array(message, CChar(BusType.byte.code), &bytes, &count)
      if result == -EOPNOTSUPP { return try readSingleBytes(from: message) }
      try check(result)
      // Safety: the bytes are valid while the message is not changed or released.
      return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    case .tree(let tree):
      let part = try tree.next()
      if case .array(.byte, let parts) = part {
        return try parts.map { part throws(BusError) in
          guard case .byte(let byte) = part else { throw mismatch(.byte, part.type) }
          return byte
        }
      }
      guard case .bytes(let bytes) = part else { throw mismatch(.array(.byte), part.type) }
      return bytes
    }
  }

  /// Reads an array of bytes in a message of the other byte order, of which sd-bus gives out no arrays.
  private func readSingleBytes(from message: OpaquePointer) throws(BusError) -> [UInt8] {
    var bytes: [UInt8] = []
    try container("a", "y", in: message) { () throws(BusError) in
      while try !isAtEnd(of: message) { bytes.append(try readNumber(.byte)) }
    }
    return bytes
  }
}

// MARK: - Messages of sd-bus

extension BusReader {
  private func check(_ result: Int32) throws(BusError) {
    if result < 0 { throw BusError(valueCode: result) }
    // There is no further value.
    if result == 0 { throw .malformed }
    readCount += 1
  }

  private func isAtEnd(of message: OpaquePointer) throws(BusError) -> Bool {
    let result = sd_bus_message_at_end(message, 0)
    if result < 0 { throw BusError(valueCode: result) }
    return result > 0
  }

  /// Returns the code of the type of the next value, and the signature of its contents.
  func peek(_ message: OpaquePointer) throws(BusError) -> (UInt8, String) {
    var code: CChar = 0
    var contents: UnsafePointer<CChar>?
    try check(sd_bus_message_peek_type(message, &code, &contents))
    return (UInt8(bitPattern: code), contents.map { String(cString: $0) } ?? "")
  }

  func container(
    _ kind: Unicode.Scalar, _ contents: String, in message: OpaquePointer,
    _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    try check(sd_bus_message_enter_container(message, CChar(UInt8(ascii: kind)), contents))
    try body()
    let result = sd_bus_message_exit_container(message)
    if result < 0 { throw BusError(valueCode: result) }
  }
}
