/// An encoder that writes values as they come.
///
/// The text of a nested container or a super encoder may be written later than the text that follows it.
/// Such a container therefore has an encoder of its own, whose text is inserted at the end.
final class ValueEncoder: Encoder {
  /// The container that the present value has asked for.
  enum Container {
    case none, single, array, object
  }

  // Safety: no code of a user runs while one of these is accessed.
  @exclusivity(unchecked) var writer = JSONWriter()
  @exclusivity(unchecked) private(set) var codingPath: [any CodingKey]
  /// The place of each text that is inserted, in their order.
  @exclusivity(unchecked) private var insertions: [(offset: Int, encoder: ValueEncoder)] = []
  private let session: EncodingSession
  /// The number of arrays and objects that are open here.
  @exclusivity(unchecked) private var depth: Int
  /// The number of values that are being encoded. Not each opens an array or object.
  @exclusivity(unchecked) private var nesting = 0

  @exclusivity(unchecked) private var container = Container.none
  @exclusivity(unchecked) private var outer = JSONWriter.Position.outermost
  /// Identifies the present value. Its containers are used only while it is encoded.
  @exclusivity(unchecked) private(set) var present = 0
  @exclusivity(unchecked) private var lastValue = 0

  init(_ session: EncodingSession, path: [any CodingKey] = [], depth: Int = 0) {
    self.session = session
    self.depth = depth
    codingPath = path
  }

  var userInfo: [CodingUserInfoKey: Any] { session.userInfo }

  func finish() -> [UInt8] {
    close()
    guard !insertions.isEmpty else { return writer.bytes }
    var bytes: [UInt8] = []
    var start = 0
    for (offset, encoder) in insertions {
      bytes += writer.text[start..<offset]
      bytes += encoder.finish()
      start = offset
    }
    bytes += writer.text[start...]
    return bytes
  }

  private func close() {
    switch container {
    case .none:
      // A value that encodes nothing is an object without fields.
      outer = writer.beginObject()
      writer.endObject(in: outer)
    case .object: writer.endObject(in: outer)
    case .array: writer.endArray(in: outer)
    case .single: break
    }
  }

  // MARK: - Values

  /// Writes the only value of an encoder.
  func encodeOutermost(_ value: some Encodable) throws {
    _ = open(.single)
    try encode(value)
  }

  /// Writes a value with its own method. The name or comma before it has been written.
  func encode(_ value: some Encodable) throws {
    if let mistake = session.mistake { throw mistake }
    // A value may consist of one value only, so there are more of them than arrays and objects.
    guard nesting / 4 <= session.limits.depth else {
      throw error(value, "Values contain each other without end.")
    }
    let saved = (container, outer, present, depth)
    container = .none
    lastValue += 1
    present = lastValue
    nesting += 1
    defer {
      nesting -= 1
      (container, outer, present, depth) = saved
    }
    try value.encode(to: self)
    if let mistake = session.mistake { throw mistake }
    close()
  }

  /// Writes a value of one of the usual types without its own method. Returns false for other types.
  @inline(__always)
  private func encodePlain<Value>(_ value: Value, at key: some CodingKey) throws -> Bool {
    // Safety: the types are the same.
    if Value.self == String.self {
      unsafeBitCast(value, to: String.self).write(to: &writer)
    } else if Value.self == Int.self {
      unsafeBitCast(value, to: Int.self).write(to: &writer)
    } else if Value.self == Double.self {
      let number = unsafeBitCast(value, to: Double.self)
      try checkIsFinite(number, at: key)
      number.write(to: &writer)
    } else if Value.self == Bool.self {
      unsafeBitCast(value, to: Bool.self).write(to: &writer)
    } else if Value.self == [String].self {
      unsafeBitCast(value, to: [String].self).write(to: &writer)
    } else if Value.self == [Int].self {
      unsafeBitCast(value, to: [Int].self).write(to: &writer)
    } else {
      return false
    }
    return true
  }

  /// Writes a value, whose key belongs to the path.
  func encode<Value: Encodable>(_ value: Value, at key: some CodingKey) throws {
    if try encodePlain(value, at: key) { return }
    codingPath.append(key)
    session.failedPath = []
    do {
      try encode(value)
    } catch {
      // The innermost value comes first.
      if session.failedPath.isEmpty { session.failedPath = codingPath }
      throw error
    }
    codingPath.removeLast()
  }

  /// Throws an error for a number that JSON cannot express, before anything is written.
  func checkIsFinite(_ value: some BinaryFloatingPoint, at key: (any CodingKey)? = nil) throws {
    if value.isFinite { return }
    throw error(value, "JSON cannot express \(value).", at: codingPath + (key.map { [$0] } ?? []))
  }

  private func error(
    _ value: Any, _ reason: String, at path: [any CodingKey]? = nil
  ) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(codingPath: path ?? codingPath, debugDescription: reason))
  }

  // MARK: - Errors

  /// The state before a value is written.
  struct Start {
    fileprivate let count: Int
    fileprivate let position: JSONWriter.Position
    fileprivate let container: Container
    fileprivate let insertions: Int
    fileprivate let path: Int
  }

  var start: Start {
    Start(
      count: writer.count, position: writer.position, container: container,
      insertions: insertions.count, path: codingPath.count)
  }

  /// Removes what a value has written before it has thrown an error, since the caller may go on.
  func returnTo(_ start: Start) {
    writer.remove(from: start.count, start.position)
    container = start.container
    insertions.removeLast(insertions.count - start.insertions)
    codingPath.removeLast(codingPath.count - start.path)
  }

  /// An encoder whose text is inserted here.
  func insertion(at key: any CodingKey) -> ValueEncoder {
    let encoder = ValueEncoder(session, path: codingPath + [key], depth: depth)
    writer.beginValue()
    insertions.append((writer.text.count, encoder))
    return encoder
  }

  /// An encoder whose text goes nowhere, after a mistake.
  func detached() -> ValueEncoder { ValueEncoder(session) }

  // MARK: - Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedValueWriter<Key>(self, of: open(.object)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedValueWriter(self, of: open(.array))
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueWriter(self)
  }

  /// Begins a container of the present value. Returns the value, or after a mistake one that is never
  /// present.
  func open(_ wanted: Container) -> Int {
    if container == wanted && wanted != .single { return present }
    guard container == .none else {
      note("A value is encoded as two kinds of container: \(container) and \(wanted).")
      return -1
    }
    if wanted != .single {
      guard depth < session.limits.depth else {
        note("There are more than \(session.limits.depth) levels of arrays and objects.")
        return -1
      }
      depth += 1
    }
    container = wanted
    switch wanted {
    case .object: outer = writer.beginObject()
    case .array: outer = writer.beginArray()
    case .none, .single: break
    }
    return present
  }

  /// Returns true if a value is the present one. Otherwise one of its containers is misused.
  @inline(__always)
  func isPresent(_ value: Int) -> Bool {
    if value == present { return true }
    note("A container was used after its value was encoded, or within another value.")
    return false
  }

  @inline(never)
  private func note(_ reason: String) { session.note(error(self, reason)) }
}
