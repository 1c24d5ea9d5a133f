/// The only value of an encoder.
struct SingleValueWriter {
  private let encoder: ValueEncoder
  private let number: Int

  init(_ encoder: ValueEncoder) {
    self.encoder = encoder
    number = encoder.present
  }

  @inline(__always)
  private func begin() {
    encoder.mustBe(number)
    encoder.open(.single)
  }

  @inline(__always)
  private func write(_ value: some JSONWritable) {
    begin()
    value.write(to: &encoder.writer)
  }
}

extension SingleValueWriter: SingleValueEncodingContainer {
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws {
    begin()
    encoder.writer.writeNull()
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
      begin()
      try encoder.encode(value)
    } catch {
      encoder.returnTo(start)
      throw error
    }
  }
}
