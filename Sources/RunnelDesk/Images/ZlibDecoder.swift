/// A decoder of data that zlib has compressed (RFC 1950 and RFC 1951). It is written in
/// Swift, because this module links no library of C; the `Inflater` of `RunnelGzip` calls zlib.
struct ZlibDecoder {
  private let bytes: [UInt8]
  private var offset = 0
  /// The bits of the last byte that have not been used.
  private var bits = 0
  private var bitCount = 0
  private var output: [UInt8] = []
  private let limit: Int

  private init(_ bytes: [UInt8], limit: Int) {
    self.bytes = bytes
    self.limit = limit
  }

  /// Throws ``PixelImageError/damaged`` if there are more than `limit` bytes.
  static func decode(_ bytes: [UInt8], limit: Int) throws(PixelImageError) -> [UInt8] {
    var decoder = ZlibDecoder(bytes, limit: limit)
    try decoder.readHeader()
    while try !decoder.readBlock() {}
    try decoder.checkSum()
    return decoder.output
  }

  private mutating func readHeader() throws(PixelImageError) {
    let (method, flags) = (try nextByte(), try nextByte())
    // Deflate with a window of at most 32 kB and without a preset dictionary.
    guard method & 15 == 8, method >> 4 <= 7, flags & 32 == 0,
      (method << 8 | flags).isMultiple(of: 31)
    else { throw .damaged }
  }

  private mutating func checkSum() throws(PixelImageError) {
    (bits, bitCount) = (0, 0)
    var sum = 0
    for _ in 0..<4 { sum = sum << 8 | (try nextByte()) }
    var (low, high) = (1, 0)
    for byte in output {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    if high << 16 | low != sum { throw .damaged }
  }

  private mutating func nextByte() throws(PixelImageError) -> Int {
    guard offset < bytes.count else { throw .truncated }
    defer { offset += 1 }
    return Int(bytes[offset])
  }

  private mutating func next(_ count: Int) throws(PixelImageError) -> Int {
    while bitCount < count {
      bits |= try nextByte() << bitCount
      bitCount += 8
    }
    defer {
      bits >>= count
      bitCount -= count
    }
    return bits & (1 << count - 1)
  }

  private mutating func next(in code: HuffmanCode) throws(PixelImageError) -> Int {
    var (value, first, index) = (0, 0, 0)
    for count in code.counts.dropFirst() {
      value |= try next(1)
      if value - first < count { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw .damaged
  }

  /// Returns true if the block is the last one.
  private mutating func readBlock() throws(PixelImageError) -> Bool {
    let isLast = try next(1) == 1
    switch try next(2) {
    case 0: try copyStoredBytes()
    case 1: try readSymbols(Self.fixedLiterals, Self.fixedDistances)
    case 2:
      let codes = try readCodes()
      try readSymbols(codes.literals, codes.distances)
    default: throw .damaged
    }
    return isLast
  }

  private mutating func copyStoredBytes() throws(PixelImageError) {
    (bits, bitCount) = (0, 0)
    let count = try nextByte() | nextByte() << 8
    let complement = try nextByte() | nextByte() << 8
    guard count ^ complement == 0xFFFF, output.count + count <= limit else { throw .damaged }
    guard offset + count <= bytes.count else { throw .truncated }
    output += bytes[offset..<offset + count]
    offset += count
  }

  private mutating func readSymbols(
    _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(PixelImageError) {
    while true {
      let symbol = try next(in: literals)
      if symbol == 256 { return }
      if symbol < 256 {
        guard output.count < limit else { throw .damaged }
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 257 + Self.lengths.count else { throw .damaged }
      let (start, extra) = Self.lengths[symbol - 257]
      let length = try start + next(extra)
      let place = try next(in: distances)
      guard place < Self.distances.count else { throw .damaged }
      let distance = try Self.distances[place].start + next(Self.distances[place].extra)
      guard distance <= output.count, output.count + length <= limit else { throw .damaged }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }

  /// Reads the codes of a block, which are compressed themselves.
  private mutating func readCodes() throws(PixelImageError) -> (
    literals: HuffmanCode, distances: HuffmanCode
  ) {
    let literalCount = try next(5) + 257
    let distanceCount = try next(5) + 1
    var codeLengths = [Int](repeating: 0, count: 19)
    for place in Self.codeLengthOrder.prefix(try next(4) + 4) { codeLengths[place] = try next(3) }
    let code = try HuffmanCode(codeLengths)
    var lengths: [Int] = []
    while lengths.count < literalCount + distanceCount {
      switch try next(in: code) {
      case 16:
        guard let last = lengths.last else { throw .damaged }
        lengths += Array(repeating: last, count: try next(2) + 3)
      case 17: lengths += Array(repeating: 0, count: try next(3) + 3)
      case 18: lengths += Array(repeating: 0, count: try next(7) + 11)
      case let length: lengths.append(length)
      }
    }
    // There is a code for the end of the block.
    guard lengths.count == literalCount + distanceCount, lengths[256] > 0 else { throw .damaged }
    return (
      try HuffmanCode(Array(lengths[..<literalCount])),
      try HuffmanCode(Array(lengths[literalCount...]))
    )
  }

  private static let codeLengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let fixedLiterals = HuffmanCode(
    valid: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  private static let fixedDistances = HuffmanCode(valid: Array(repeating: 5, count: 30))

  /// The first length, and the number of further bits, of the symbols from 257.
  private static let lengths: [(start: Int, extra: Int)] =
    (0..<28).map { index in
      let extra = max(index / 4 - 1, 0)
      return (index < 8 ? index + 3 : (4 + index % 4) << extra + 3, extra)
    } + [(258, 0)]

  /// The first distance, and the number of further bits, of the symbols for distances.
  private static let distances: [(start: Int, extra: Int)] = (0..<30).map { index in
    let extra = max(index / 2 - 1, 0)
    return (index < 4 ? index + 1 : (2 + index % 2) << extra + 1, extra)
  }
}

/// A code that gives frequent symbols few bits.
private struct HuffmanCode {
  /// The numbers of symbols with 0 to 15 bits.
  private(set) var counts = [Int](repeating: 0, count: 16)
  /// The symbols in the order of their codes.
  let symbols: [Int]

  /// Creates the code whose symbols have these numbers of bits.
  init(valid lengths: [Int]) {
    for length in lengths { counts[length] += 1 }
    symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
    // Symbols without bits are not in the code.
    counts[0] = 0
  }

  /// Creates a code that may be damaged. Only a code of one symbol may leave codes unused.
  init(_ lengths: [Int]) throws(PixelImageError) {
    self.init(valid: lengths)
    var unused = 1
    for count in counts.dropFirst() {
      unused = unused << 1 - count
      if unused < 0 { throw .damaged }
    }
    if unused > 0 && symbols.count > 1 { throw .damaged }
  }
}
