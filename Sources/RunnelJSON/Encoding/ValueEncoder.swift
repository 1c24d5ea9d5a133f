/// An encoder that writes values as they come.
///
/// What a nested container or a super encoder writes may come later than what follows it in the text. It
/// therefore has an encoder of its own, whose text is inserted at the end.
final class ValueEncoder: Encoder {
  /// The container that the present value has asked for.
  enum Container {
    case none, single, array, object
  }

  @exclusivity(unchecked) var writer = JSONWriter()
  let userInfo: [CodingUserInfoKey: Any]
  @exclusivity(unchecked) private(set) var codingPath: [any CodingKey]
  /// The place of each text that is inserted, in their order.
  @exclusivity(unchecked) private var insertions: [(offset: Int, encoder: ValueEncoder)] = []
  private let limits: JSONLimits
  /// The number of values that contain the present one.
  @exclusivity(unchecked) private var depth: Int

  /// The path of the value that has thrown an error.
  @exclusivity(unchecked) private(set) var failedPath: [any CodingKey] = []

  /// What the present value has written.
  @exclusivity(unchecked) private(set) var container = Container.none
  @exclusivity(unchecked) private var outer = JSONWriter.Position.outermost
  /// The number of the present value. Its containers are used only while it is encoded.
  @exclusivity(unchecked) private(set) var present = 0
  @exclusivity(unchecked) private var values = 0

  init(
    _ limits: JSONLimits, userInfo: [CodingUserInfoKey: Any], path: [any CodingKey] = [],
    depth: Int = 0
  ) {
    self.limits = limits
    self.userInfo = userInfo
    self.depth = depth
    codingPath = path
  }

  /// The complete text.
  func finish() -> [UInt8] {
    if container == .none {
      // As a super encoder that is not used.
      container = .object
      outer = writer.beginObject()
    }
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
    case .object: writer.endObject(in: outer)
    case .array: writer.endArray(in: outer)
    case .none, .single: break
    }
  }

  // MARK: - Values

  /// Writes the only value of an encoder.
  func encodeOutermost(_ value: some Encodable) throws {
    open(.single)
    try encode(value)
  }

  /// Writes a value with an encoder's method. The name or comma before it has been written.
  func encode<Value: Encodable>(_ value: Value) throws {
    guard depth < limits.depth else {
      throw error(value, "More than \(limits.depth) values contain each other.")
    }
    let saved = (container, outer, present)
    container = .none
    values += 1
    present = values
    depth += 1
    defer {
      depth -= 1
      (container, outer, present) = saved
    }
    try value.encode(to: self)
    if container == .none { throw error(value, "\(Value.self) has encoded no value.") }
    close()
  }

  /// Writes a value of one of the usual types at once. The elements of an array come as values of any
  /// type. Returns false for other types.
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
    failedPath = []
    do {
      try encode(value)
    } catch {
      // The innermost value comes first.
      if failedPath.isEmpty { failedPath = codingPath }
      throw error
    }
    codingPath.removeLast()
  }

  /// Throws an error for a number that JSON cannot express, before anything is written.
  func checkIsFinite(_ value: some BinaryFloatingPoint, at key: (any CodingKey)? = nil) throws {
    if value.isFinite { return }
    throw error(value, "JSON has no \(value).", at: codingPath + (key.map { [$0] } ?? []))
  }

  private func error(
    _ value: Any, _ reason: String, at path: [any CodingKey]? = nil
  ) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(codingPath: path ?? codingPath, debugDescription: reason))
  }

  // MARK: - Errors

  /// Where a value begins.
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
    let encoder = ValueEncoder(
      limits, userInfo: userInfo, path: codingPath + [key], depth: depth + 1)
    writer.beginValue()
    insertions.append((writer.text.count, encoder))
    return encoder
  }

  // MARK: - Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object)
    return KeyedEncodingContainer(KeyedValueWriter<Key>(self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedValueWriter(self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValueWriter(self)
  }

  func open(_ wanted: Container) {
    if container == wanted && wanted != .single { return }
    guard container == .none else {
      fatalError("A value is encoded as one container: \(container), not \(wanted), too.")
    }
    container = wanted
    switch wanted {
    case .object: outer = writer.beginObject()
    case .array: outer = writer.beginArray()
    case .none, .single: break
    }
  }

  func mustBe(_ number: Int) {
    guard number == present else {
      fatalError("A container was used after its value was encoded, or within another value.")
    }
  }
}
