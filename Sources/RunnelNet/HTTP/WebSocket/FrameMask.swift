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

  func writeKey(to bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: key.littleEndian, as: UInt32.self)
  }

  /// Masks or unmasks the next bytes of a payload in their place.
  package mutating func apply(to bytes: UnsafeMutableRawBufferPointer) {
    apply(to: UnsafeRawBufferPointer(bytes), into: bytes)
  }

  /// Masks or unmasks the next bytes of a payload into a buffer of at least the same size, eight at
  /// once.
  package mutating func apply(
    to source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) {
    guard let from = source.baseAddress, let to = target.baseAddress else { return }
    let wide = (UInt64(key) << 32 | UInt64(key)).littleEndian
    var offset = 0
    while offset &+ 8 <= source.count {
      let word = from.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      to.storeBytes(of: word ^ wide, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < source.count {
      let byte = from.load(fromByteOffset: offset, as: UInt8.self)
      to.storeBytes(of: byte ^ UInt8(truncatingIfNeeded: key), toByteOffset: offset, as: UInt8.self)
      key = key >> 8 | key << 24
      offset &+= 1
    }
  }
}
