import CSystemd

/// The values of a received message.
public final class BusBody {
  private let reference: MessageReference

  /// Keeps a message that is sealed.
  init(_ message: OpaquePointer) {
    reference = MessageReference(message)
  }

  /// Safety: the message is valid while this object exists.
  var message: OpaquePointer { reference.message }

  /// The types of all values.
  public var signature: Signature {
    Signature(trusting: sd_bus_message_get_signature(message, 1).map { String(cString: $0) } ?? "")
  }

  /// Throws if the message has values of other types.
  func check(_ types: [BusType]) throws(BusError) {
    if let text = sd_bus_message_get_signature(message, 1), BusType.areTypes(types, of: text) {
      return
    }
    throw .wrongSignature(expected: Signature(types).text, found: signature.text)
  }

  /// Reads all values of the message in the closure. They must have the types.
  @inlinable
  public func read<Output>(
    _ types: [BusType], _ body: (BusReader) throws(BusError) -> Output
  ) throws(BusError) -> Output {
    try body(try reader(of: types))
  }

  /// Begins to read all values of the message, which must have the types.
  @usableFromInline
  func reader(of types: [BusType]) throws(BusError) -> BusReader {
    try check(types)
    let result = sd_bus_message_rewind(message, 1)
    if result < 0 { throw BusError(valueCode: result) }
    return BusReader(reference)
  }

  /// Returns the value of a message that has exactly one.
  @inlinable
  public func value<Value: BusValue>(as type: Value.Type = Value.self) throws(BusError) -> Value {
    try read([Value.busType]) { reader throws(BusError) in try Value(from: reader) }
  }

  /// Returns the values of a message that has exactly two.
  @inlinable
  public func values<First: BusValue, Second: BusValue>(
    as first: First.Type = First.self, _ second: Second.Type = Second.self
  ) throws(BusError) -> (First, Second) {
    try tuple(of: first, second)
  }

  /// Returns the values of a message that has exactly three.
  @inlinable
  public func values<First: BusValue, Second: BusValue, Third: BusValue>(
    as first: First.Type = First.self, _ second: Second.Type = Second.self,
    _ third: Third.Type = Third.self
  ) throws(BusError) -> (First, Second, Third) {
    try tuple(of: first, second, third)
  }

  /// Returns the values of a message that has exactly the given types.
  @inlinable
  func tuple<each Value: BusValue>(
    of types: repeat (each Value).Type
  ) throws(BusError) -> (repeat each Value) {
    try tuple(Self.types(repeat each types), of: repeat each types)
  }

  /// Returns the values of a message that has exactly the given types, which are known already.
  @inlinable
  func tuple<each Value: BusValue>(
    _ known: [BusType], of types: repeat (each Value).Type
  ) throws(BusError) -> (repeat each Value) {
    try read(known) { reader throws(BusError) in
      (repeat try (each Value)(from: reader))
    }
  }

  @inlinable
  static func types<each Value: BusValue>(_ types: repeat (each Value).Type) -> [BusType] {
    var all: [BusType] = []
    all.reserveCapacity(4)
    for type in repeat each types { all.append(type.busType) }
    return all
  }

  /// Returns the values of any message.
  public func contents() throws(BusError) -> [Variant.Content] {
    let types = signature.types
    return try read(types) { reader throws(BusError) in
      var contents: [Variant.Content] = []
      for type in types { contents.append(try reader.readContent(of: type)) }
      return contents
    }
  }
}
