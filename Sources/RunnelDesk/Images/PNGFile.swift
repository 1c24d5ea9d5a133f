/// The parts of a PNG file that its pixels depend on.
struct PNGFile {
  private(set) var size = Size.zero
  /// The number of bits of a component or palette index: 1, 2, 4, 8 or 16.
  private(set) var depth = 0
  private(set) var kind = Kind.gray
  private(set) var isInterlaced = false
  /// The colours of the palette: red, green and blue of each one.
  private(set) var palette: [UInt8] = []
  /// The opacities of the palette, or the colour that is transparent.
  private(set) var transparency: [UInt8] = []
  private(set) var compressed: [UInt8] = []

  /// The meaning of the components of a pixel; the raw values are those of the file.
  enum Kind: Int {
    /// The brightness.
    case gray = 0
    /// Red, green and blue.
    case color = 2
    /// An index of the palette.
    case palette = 3
    /// The brightness and the opacity.
    case grayWithAlpha = 4
    /// Red, green, blue and the opacity.
    case colorWithAlpha = 6

    /// The number of components.
    var count: Int {
      switch self {
      case .gray, .palette: 1
      case .grayWithAlpha: 2
      case .color: 3
      case .colorWithAlpha: 4
      }
    }

    /// The possible numbers of bits of a component.
    fileprivate var depths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .grayWithAlpha, .color, .colorWithAlpha: [8, 16]
      }
    }
  }

  private static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  /// Reads the chunks of a file. Chunks that do not concern the pixels are ignored.
  init(_ bytes: [UInt8]) throws(PixelImageError) {
    guard bytes.starts(with: Self.signature) else { throw .notPNG }
    var rest = bytes[Self.signature.count...]
    while true {
      guard rest.count >= 12 else { throw .truncated }
      let length = rest.prefix(4).number
      guard length <= rest.count - 12 else { throw .truncated }
      let start = rest.startIndex + 4
      let end = start + 4 + length
      let content = bytes[start..<end]
      guard bytes[end..<end + 4].number == Int(Self.checksum(of: content)) else { throw .damaged }
      let data = content.dropFirst(4)
      rest = bytes[(end + 4)...]
      let name = String(decoding: content.prefix(4), as: UTF8.self)
      guard (size == .zero) == (name == "IHDR") else { throw .invalidHeader }
      switch name {
      case "IHDR": try readHeader(Array(data))
      case "PLTE": palette = Array(data)
      case "tRNS": transparency = Array(data)
      case "IDAT": compressed += data
      case "IEND": return
      // An unknown chunk with a capital letter is needed to show the picture.
      default: if content.first.map({ $0 & 32 == 0 }) == true { throw .invalidHeader }
      }
    }
  }

  private mutating func readHeader(_ data: [UInt8]) throws(PixelImageError) {
    guard data.count == 13, let kind = Kind(rawValue: Int(data[9])),
      kind.depths.contains(Int(data[8])), data[10] == 0, data[11] == 0, data[12] <= 1
    else { throw .invalidHeader }
    let (width, height) = (data[0..<4].number, data[4..<8].number)
    guard width > 0, height > 0 else { throw .invalidHeader }
    // Each number has 32 bits.
    guard width <= 1 << 24, height <= 1 << 24, width * height <= 1 << 24 else { throw .tooLarge }
    size = Size(width: width, height: height)
    depth = Int(data[8])
    self.kind = kind
    isInterlaced = data[12] == 1
  }

  // MARK: - Checksums

  private static let checksums: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
  }

  private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    let table = checksums
    return ~bytes.reduce(~0 as UInt32) { sum, byte in
      table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8
    }
  }
}

extension ArraySlice<UInt8> {
  /// The number that the bytes contain, the most significant one first.
  fileprivate var number: Int { reduce(0) { $0 << 8 | Int($1) } }
}
