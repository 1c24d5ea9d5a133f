/// The key with which a client masks the payload of a frame.
package struct FrameMask: Hashable {
  /// The key. The lowest byte is for the next byte of the payload.
  private var key: UInt32

  /// Creates the mask of the four bytes at an address.
  init(at address: UnsafeRawPointer) {
    key = UInt32(littleEndian: address.loadUnaligned(as: UInt32.self))
  }

  package init(key: UInt32) {
    self.key = key
  }

  /// The bytes of the key in their order.
  var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: key >> UInt32(8 * $0)) } }

  /// Masks or unmasks the next bytes of a payload, eight at once.
  package mutating func apply(to bytes: UnsafeMutableRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let wide = (UInt64(key) << 32 | UInt64(key)).littleEndian
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      base.storeBytes(of: word ^ wide, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      base.storeBytes(
        of: byte ^ UInt8(truncatingIfNeeded: key), toByteOffset: offset, as: UInt8.self)
      key = key >> 8 | key << 24
      offset &+= 1
    }
  }
}
