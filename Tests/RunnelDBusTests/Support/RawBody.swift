/// The bytes of the values of a message that a peer writes without a library.
struct RawBody {
  enum ByteOrder {
    case little
    case big
  }

  private(set) var bytes: [UInt8] = []
  private let order: ByteOrder

  init(_ order: ByteOrder = .little) {
    self.order = order
  }

  mutating func align(to alignment: Int) {
    while !bytes.count.isMultiple(of: alignment) { bytes.append(0) }
  }

  mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    align(to: MemoryLayout<Number>.size)
    let ordered = order == .little ? value.littleEndian : value.bigEndian
    withUnsafeBytes(of: ordered) { bytes += $0 }
  }

  mutating func text(_ text: String) {
    number(UInt32(text.utf8.count))
    bytes += Array(text.utf8) + [0]
  }

  mutating func signature(_ text: String) {
    bytes += [UInt8(text.utf8.count)] + Array(text.utf8) + [0]
  }

  /// Writes an array whose elements have an alignment. The closure writes them.
  mutating func array(alignment: Int, _ elements: (inout RawBody) -> Void) {
    number(UInt32(0))
    let length = bytes.count - 4
    align(to: alignment)
    let start = bytes.count
    elements(&self)
    var count = RawBody(order)
    count.number(UInt32(bytes.count - start))
    bytes.replaceSubrange(length..<length + 4, with: count.bytes)
  }

  mutating func variant(_ value: UInt32) {
    signature("u")
    number(value)
  }

  /// Writes a dictionary of variants.
  mutating func properties(_ values: [(name: String, value: UInt32)]) {
    array(alignment: 8) { body in
      for (name, value) in values {
        body.align(to: 8)
        body.text(name)
        body.variant(value)
      }
    }
  }
}
