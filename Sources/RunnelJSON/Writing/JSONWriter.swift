import RunnelStreams

/// JSON text that is written part by part, without types that are `Encodable`.
///
///     let text = JSONWriter.text { json in
///       json.object { json in
///         json.field("id", 7)
///         json.field("tags", ["a", "b"])
///         json.object("place") { json in json.field("row", 3) }
///       }
///     }
///     show(text)
///
/// A field outside an object, a second outermost value, and a number that is not finite are mistakes,
/// which trap.
public struct JSONWriter: ~Copyable {
  /// The place of the next value or name.
  enum Position {
    case outermost
    case afterOutermost
    case firstElement
    case nextElement
    case firstField
    case nextField
    /// The value of a field, whose name is written.
    case valueOfField
  }

  // Safety: only this writer has the pointer, and it reserves room before it stores bytes.
  private var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity = 256
  var position = Position.outermost

  /// Creates a writer of an empty text.
  public init() {
    start = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { start.deallocate() }

  /// Returns the text that a closure writes, in UTF-8.
  public static func bytes<Failure: Error>(
    _ write: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> [UInt8] {
    var writer = JSONWriter()
    try write(&writer)
    writer.requireText()
    return writer.bytes
  }

  /// Returns the text that a closure writes.
  public static func text<Failure: Error>(
    _ write: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) -> String {
    var writer = JSONWriter()
    try write(&writer)
    writer.requireText()
    return String(decoding: writer.text, as: UTF8.self)
  }

  /// Returns the text of a value in UTF-8.
  public static func bytes(of value: some JSONWritable) -> [UInt8] { bytes { $0.write(value) } }

  /// Returns the text of a value.
  public static func text(of value: some JSONWritable) -> String { text { $0.write(value) } }

  private func requireText() {
    require(position == .afterOutermost, "A JSON text needs a value.")
  }

  /// The text that is written until now.
  public var bytes: [UInt8] { Array(text) }
  var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  // MARK: - Values

  /// Writes a value: the outermost one, or an element of an array.
  public mutating func write(_ value: some JSONWritable) {
    value.write(to: &self)
  }

  /// Writes null.
  public mutating func writeNull() {
    beginValue()
    add("null")
  }

  /// Writes an array, whose elements the closure writes. If the closure throws, nothing is written.
  public mutating func array<Failure: Error>(
    _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try whole { json throws(Failure) in
      let outer = json.beginArray()
      try elements(&json)
      json.endArray(in: outer)
    }
  }

  /// Writes an object, whose fields the closure writes. If the closure throws, nothing is written.
  public mutating func object<Failure: Error>(
    _ fields: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try whole { json throws(Failure) in
      let outer = json.beginObject()
      try fields(&json)
      json.endObject(in: outer)
    }
  }

  /// Writes what a closure writes, or nothing.
  private mutating func whole<Failure: Error>(
    _ write: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let (start, former) = (count, position)
    do {
      try write(&self)
    } catch {
      remove(from: start, former)
      throw error
    }
  }

  // MARK: - Fields

  /// Writes a field of the present object.
  public mutating func field(_ name: String, _ value: some JSONWritable) {
    beginField(name)
    value.write(to: &self)
  }

  /// Writes a field with an array. If the closure throws, nothing is written.
  public mutating func array<Failure: Error>(
    _ name: String, _ elements: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try whole { json throws(Failure) in
      json.beginField(name)
      try json.array(elements)
    }
  }

  /// Writes a field with an object. If the closure throws, nothing is written.
  public mutating func object<Failure: Error>(
    _ name: String, _ fields: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    try whole { json throws(Failure) in
      json.beginField(name)
      try json.object(fields)
    }
  }

  // MARK: - Structure

  /// Begins an array. Returns the position after it.
  mutating func beginArray() -> Position {
    beginValue()
    add(UInt8(ascii: "["))
    return exchange(&position, with: .firstElement)
  }

  mutating func endArray(in outer: Position) {
    require(position == .firstElement || position == .nextElement, "The array is not complete.")
    add(UInt8(ascii: "]"))
    position = outer
  }

  /// Begins an object. Returns the position after it.
  mutating func beginObject() -> Position {
    beginValue()
    add(UInt8(ascii: "{"))
    return exchange(&position, with: .firstField)
  }

  mutating func endObject(in outer: Position) {
    require(position == .firstField || position == .nextField, "The last field has no value.")
    add(UInt8(ascii: "}"))
    position = outer
  }

  /// Writes the comma before a value, if it needs one.
  @inline(__always)
  mutating func beginValue() {
    switch position {
    case .nextElement: add(.comma)
    case .valueOfField: position = .nextField
    case .firstElement: position = .nextElement
    case .outermost: position = .afterOutermost
    case .afterOutermost: misuse("A JSON text has one outermost value.")
    case .firstField, .nextField: misuse("A value in an object needs a name: field(name, value).")
    }
  }

  /// Writes the name of a field, with its comma and colon.
  @inline(__always)
  mutating func beginField(_ name: String) {
    switch position {
    case .firstField: break
    case .nextField: add(.comma)
    default: misuse("The field \"\(name)\" stands outside an object.")
    }
    addString(name)
    add(.colon)
    position = .valueOfField
  }

  /// Removes the end of the text.
  mutating func remove(from count: Int, _ position: Position) {
    self.count = count
    self.position = position
  }

  // MARK: - Bytes

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity &- count < more { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(2 * capacity, count + more)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    grown.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = grown
  }

  @inline(__always)
  mutating func add(_ byte: UInt8) {
    reserve(1)
    start.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  @inline(__always)
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    reserve(bytes.count)
    (start + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  @inline(__always)
  mutating func add(_ text: StaticString) {
    add(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds a text that needs no escapes, such as a number.
  mutating func add(plain text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  @inline(__always)
  mutating func addInteger(_ value: some FixedWidthInteger) {
    guard let value = Int64(exactly: value) else { return add(plain: String(value)) }
    reserve(20)
    if value < 0 {
      start.storeBytes(of: .minus, toByteOffset: count, as: UInt8.self)
      count &+= 1
    }
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound && digits < 19 {
      digits &+= 1
      bound &*= 10
    }
    var place = count &+ digits
    count = place
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      place &-= 1
      start.storeBytes(
        of: .zero &+ UInt8(truncatingIfNeeded: digit), toByteOffset: place, as: UInt8.self)
      rest = quotient
    } while rest > 0
  }

  /// Adds a string in quotes.
  @inline(__always)
  mutating func addString(_ string: String) {
    var string = string
    string.withUTF8 { addString(UnsafeRawBufferPointer($0)) }
  }

  private mutating func addString(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count + 2)
    add(.quote)
    if let source = bytes.baseAddress {
      var offset = 0
      while offset < bytes.count {
        let plain = source.countOfUnescapedBytes(from: offset, to: bytes.count)
        add(UnsafeRawBufferPointer(start: source + offset, count: plain))
        offset &+= plain
        if offset < bytes.count {
          addEscape(source.byte(at: offset))
          offset &+= 1
        }
      }
    }
    add(.quote)
  }

  private mutating func addEscape(_ byte: UInt8) {
    switch byte {
    case .quote: add("\\\"")
    case .backslash: add("\\\\")
    case .lineFeed: add("\\n")
    case .carriageReturn: add("\\r")
    case .tab: add("\\t")
    default:
      add("\\u00")
      for digit in [byte >> 4, byte & 15] {
        add(digit < 10 ? .zero + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

extension UnsafeRawPointer {
  /// Returns the number of bytes before the first one that is escaped in a string.
  fileprivate func countOfUnescapedBytes(from start: Int, to end: Int) -> Int {
    var offset = start
    while offset < end {
      offset &+= countOfPlainBytes(from: offset, to: end)
      // Characters that are not ASCII are not escaped.
      guard offset < end, byte(at: offset) >= 0x80 else { break }
      offset &+= 1
    }
    return offset &- start
  }
}

/// Ends the process because a writer was misused.
@inline(never)
private func misuse(_ message: String) -> Never { fatalError(message) }
