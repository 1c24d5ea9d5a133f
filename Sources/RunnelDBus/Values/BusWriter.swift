/// A destination for the values of a message or of a variant.
public struct BusWriter {
  enum Sink {
    /// A message of sd-bus that is not sealed.
    case message(MessageWriter)
    case tree(TreeWriter)
  }

  let sink: Sink

  init(sink: Sink) {
    self.sink = sink
  }

  /// Writes to a message of sd-bus that is not sealed.
  init(_ message: OpaquePointer, limit: Int) {
    sink = .message(MessageWriter(message, limit: limit))
  }

  /// Writes a value that may be a variant's content.
  func write(_ content: Variant.Content) throws(BusError) {
    switch sink {
    case .message(let message): try write(content, to: message)
    case .tree(let tree): tree.add(content)
    }
  }

  /// Writes a number. In a message, it needs no content, which would be allocated.
  func write<Number: BitwiseCopyable>(
    _ number: Number, _ type: BusType, as content: (Number) -> Variant.Content
  ) throws(BusError) {
    switch sink {
    case .message(let message): try message.number(number, type)
    case .tree(let tree): tree.add(content(number))
    }
  }

  /// Writes a text. In a message, it needs no content, which would be allocated.
  func write(_ text: String) throws(BusError) {
    switch sink {
    case .message(let message): try message.text(text, .string)
    case .tree(let tree): tree.add(.string(text))
    }
  }

  private func write(
    _ content: Variant.Content, to message: MessageWriter
  ) throws(BusError) {
    switch content {
    case .variant(let variant):
      try message.variant(variant.content.type.signature) { () throws(BusError) in
        try write(variant.content)
      }
    case .array(let element, let parts):
      try array(of: element) { writer throws(BusError) in
        for part in parts { try writer.write(part) }
      }
    case .dictionary(let key, let value, let entries):
      try dictionary(key: key, value: value) { writer throws(BusError) in
        for entry in entries {
          try writer.entry(key: key, value: value) { writer throws(BusError) in
            try writer.write(entry.key)
            try writer.write(entry.value)
          }
        }
      }
    case .structure(let members):
      try structure(of: members.map(\.type)) { writer throws(BusError) in
        for member in members { try writer.write(member) }
      }
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string,
      .objectPath, .signature, .descriptor, .bytes:
      try message.write(content)
    }
  }

  /// Writes an array. The closure writes its elements.
  public func array(
    of element: BusType, _ body: (BusWriter) throws(BusError) -> Void
  ) throws(BusError) {
    switch sink {
    case .message(let message):
      try message.array(element.signature, element.alignment) { () throws(BusError) in
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
      try message.array("{\(key.signature)\(value.signature)}", 8) { () throws(BusError) in
        try body(self)
      }
    case .tree(let tree):
      try tree.nested({ parts in
        let entries = stride(from: 0, to: parts.count - 1, by: 2).map {
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
    try message.aligned("e", key.signature + value.signature) { () throws(BusError) in
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
      try message.aligned("r", contents) { () throws(BusError) in try body(self) }
    case .tree(let tree):
      try tree.nested({ .structure($0) }) { () throws(BusError) in try body(self) }
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
    var outer = parts
    parts = []
    try body()
    outer.append(wrap(parts))
    parts = outer
  }

  func finish() -> [Variant.Content] { parts }
}
