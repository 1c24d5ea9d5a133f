extension PixelImage {
  /// Creates an image from the contents of a PPM file with binary pixels (P6), which other tools
  /// make from any picture.
  ///
  ///     let file: [UInt8] = Array("P6 1 1 255\n".utf8) + [200, 30, 60]
  ///     let image = try PixelImage(ppm: file)
  ///     print(image[0, 0].red)  // 200
  public init(ppm bytes: [UInt8]) throws(PixelImageError) {
    guard bytes.starts(with: Array("P6".utf8)) else { throw .notPPM }
    var header = PortablePixmapHeader(bytes, offset: 2)
    guard let width = header.number(), let height = header.number(), let limit = header.number(),
      width > 0, height > 0, (1...65_535).contains(limit), header.skipOneSpace()
    else { throw .invalidHeader }
    // Each number has at most nine digits.
    guard width * height <= 1 << 24 else { throw .tooLarge }
    let isWide = limit > 255
    let body = bytes[header.offset...]
    guard body.count >= width * height * (isWide ? 6 : 3) else { throw .truncated }
    self.init(size: Size(width: width, height: height), filledWith: Pixel(0, 0, 0))
    var next = header.offset
    func component() -> UInt8 {
      var value = Int(bytes[next])
      next += 1
      if isWide {
        value = value << 8 | Int(bytes[next])
        next += 1
      }
      return UInt8(min(value, limit) * 255 / limit)
    }
    for y in 0..<height {
      for x in 0..<width { self[x, y] = Pixel(component(), component(), component()) }
    }
  }
}

/// The numbers at the beginning of a PPM file.
private struct PortablePixmapHeader {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x9...0xD).contains(byte) }

  /// Reads a number after spaces and comments. Returns nil if there is none, or if it is longer
  /// than nine digits.
  mutating func number() -> Int? {
    guard let first = next, Self.isSpace(first) || first == UInt8(ascii: "#") else { return nil }
    while let byte = next, Self.isSpace(byte) || byte == UInt8(ascii: "#") {
      if byte == UInt8(ascii: "#") {
        while let byte = next, byte != UInt8(ascii: "\n") { offset += 1 }
      } else {
        offset += 1
      }
    }
    var value = 0
    var count = 0
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      count += 1
      offset += 1
      if count > 9 { return nil }
    }
    return count > 0 ? value : nil
  }

  /// Skips the one space between the header and the pixels.
  mutating func skipOneSpace() -> Bool {
    guard let byte = next, Self.isSpace(byte) else { return false }
    offset += 1
    return true
  }
}
