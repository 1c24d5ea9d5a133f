/// The only value of an encoder.
struct SingleValueWriter {
  private let encoder: ValueEncoder
  /// The value that has asked for the container.
  private let value: Int

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    value = encoder.present
  }

  /// Returns false after a mistake.
  @inline(__always)
  private func beginsValue() -> Bool {
    encoder.isPresent(value) && encoder.open(.single) >= 0
  }

  @inline(__always)
  private func write(_ value: some JSONWritable) {
    if beginsValue() { value.write(to: &encoder.writer) }
  }
}

extension SingleValueWriter: SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws {
    if beginsValue() { encoder.writer.writeNull() }
  }

  func encode(_ value: Bool) throws { write(value) }
  func encode(_ value: String) throws { write(value) }
  func encode(_ value: Double) throws {
    try encoder.checkIsFinite(value)
    write(value)
  }
  func encode(_ value: Float) throws {
    try encoder.checkIsFinite(value)
    write(value)
  }
  func encode(_ value: Int) throws { write(value) }
  func encode(_ value: Int8) throws { write(value) }
  func encode(_ value: Int16) throws { write(value) }
  func encode(_ value: Int32) throws { write(value) }
  func encode(_ value: Int64) throws { write(value) }
  func encode(_ value: Int128) throws { write(value) }
  func encode(_ value: UInt) throws { write(value) }
  func encode(_ value: UInt8) throws { write(value) }
  func encode(_ value: UInt16) throws { write(value) }
  func encode(_ value: UInt32) throws { write(value) }
  func encode(_ value: UInt64) throws { write(value) }
  func encode(_ value: UInt128) throws { write(value) }
  func encode(_ value: some Encodable) throws {
    let start = encoder.start
    do {
      if beginsValue() { try encoder.encode(value) }
    } catch {
      encoder.returnTo(start)
      throw error
    }
  }
}
