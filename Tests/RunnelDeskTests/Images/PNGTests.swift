import RunnelDesk
import RunnelTesting
import Testing

@Suite struct PNGTests {
  /// A file of the table, and its pixels.
  private struct File: CustomTestStringConvertible {
    let size: Size
    var bytes: [UInt8] = []
    var pixels: [UInt8] = []

    var testDescription: String { "\(size), depth \(bytes[24]), kind \(bytes[25])" }
  }

  /// The files that zlib has made.
  private static let files: [File] = {
    var files: [File] = []
    var isInPixels = false
    for line in PNGTable.text.split(separator: "\n") {
      if line.hasPrefix("size") {
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        files.append(File(size: Size(width: numbers[0], height: numbers[1])))
        isInPixels = false
      } else if line == "pixels" {
        isInPixels = true
      } else {
        let digits = Array(line)
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
          UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
        if isInPixels { files[files.count - 1].pixels += bytes }
        if !isInPixels { files[files.count - 1].bytes += bytes }
      }
    }
    return files
  }()

  @Test(arguments: files)
  private func filesOfAllKindsAreRead(file: File) throws {
    let image = try PixelImage(png: file.bytes)
    #expect(image == PixelImage(size: file.size, rgba: file.pixels))
  }

  @Test func theTableHasAllKinds() {
    #expect(Self.files.count == 29)
    #expect(Set(Self.files.map { [$0.bytes[24], $0.bytes[25]] }).count == 15)
  }

  @Test func bytesAfterTheEndAreIgnored() throws {
    let file = try #require(Self.files.first { $0.bytes[25] == 2 })
    #expect(try PixelImage(png: file.bytes + [1, 2, 3]).size == file.size)
  }

  // MARK: - Damage

  @Test(arguments: files)
  private func truncatedFilesThrow(file: File) {
    for count in 0..<file.bytes.count {
      let error: PixelImageError = count < 8 ? .notPNG : .truncated
      #expect(throws: error, "\(count) bytes") { try PixelImage(png: Array(file.bytes[..<count])) }
    }
  }

  /// Each byte belongs to a checksum.
  @Test(arguments: files)
  private func changedBytesThrow(file: File) {
    for index in file.bytes.indices {
      var bytes = file.bytes
      bytes[index] ^= 0x10
      #expect(throws: PixelImageError.self, "byte \(index)") { try PixelImage(png: bytes) }
    }
  }

  /// Changes behind correct checksums of the chunks give another picture, or throw.
  @Test(arguments: seeds(4) as Range<UInt64>)
  func changedContentsNeverTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var readCount = 0
    for file in Self.files {
      for _ in 0..<40 {
        var chunks = Self.chunks(of: file.bytes)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let index = Int.random(in: 0..<chunks.count, using: &random)
          guard !chunks[index].data.isEmpty else { continue }
          let place = Int.random(in: 0..<chunks[index].data.count, using: &random)
          // A small change of the size; large pictures take long.
          let isSize = chunks[index].name == Array("IHDR".utf8) && place < 8
          let change: UInt8 =
            isSize
            ? 1 << UInt8.random(in: 0...2, using: &random) : .random(in: 1...255, using: &random)
          if !isSize || place % 4 == 3 { chunks[index].data[place] ^= change }
        }
        if Int.random(in: 0..<8, using: &random) == 0 { chunks.shuffle(using: &random) }
        guard let image = try? PixelImage(png: Self.file(of: chunks)) else { continue }
        readCount += 1
        #expect(!image.size.isEmpty, "seed \(seed)")
      }
    }
    #expect(readCount > 0, "seed \(seed)")
  }

  @Test(arguments: [
    ([0, 0, 0, 0, 0, 0, 0, 1, 8, 0, 0, 0, 0], PixelImageError.invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0, 0, 0], .invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 16, 3, 0, 0, 0], .invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 8, 1, 0, 0, 0], .invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 2], .invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 8, 0], .invalidHeader),
    ([255, 255, 255, 255, 255, 255, 255, 255, 8, 0, 0, 0, 0], .tooLarge),
    ([0, 0, 16, 1, 0, 0, 16, 0, 8, 0, 0, 0, 0], .tooLarge),
    // There is no palette, and no compressed data.
    ([0, 0, 0, 1, 0, 0, 0, 1, 8, 3, 0, 0, 0], .invalidHeader),
    ([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0], .truncated),
  ])
  func wrongHeadersThrow(header: [UInt8], error: PixelImageError) {
    let chunks = [Chunk(name: Array("IHDR".utf8), data: header), Chunk(name: Array("IEND".utf8))]
    #expect(throws: error) { try PixelImage(png: Self.file(of: chunks)) }
  }

  /// More data than the picture has pixels is not decompressed.
  @Test func excessiveDataThrows() {
    // 65,535 stored bytes.
    let data = [0x78, 0x01, 0x01, 0xFF, 0xFF, 0x00, 0x00] + [UInt8](repeating: 0, count: 65_535)
    let chunks = [
      Chunk(name: Array("IHDR".utf8), data: [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]),
      Chunk(name: Array("IDAT".utf8), data: data), Chunk(name: Array("IEND".utf8)),
    ]
    #expect(throws: PixelImageError.damaged) { try PixelImage(png: Self.file(of: chunks)) }
  }

  // MARK: - Chunks

  private struct Chunk {
    var name: [UInt8]
    var data: [UInt8] = []
  }

  private static func chunks(of file: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    var rest = file[8...]
    while rest.count >= 12 {
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      let content = rest.dropFirst(4)
      chunks.append(
        Chunk(name: Array(content.prefix(4)), data: Array(content.dropFirst(4).prefix(length))))
      rest = content.dropFirst(length + 8)
    }
    return chunks
  }

  private static func file(of chunks: [Chunk]) -> [UInt8] {
    chunks.reduce(into: [137, 80, 78, 71, 13, 10, 26, 10]) { file, chunk in
      file += bytes(UInt32(chunk.data.count)) + chunk.name + chunk.data
      file += bytes(checksum(of: chunk.name + chunk.data))
    }
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The checksum of a chunk, bit by bit.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    var sum = ~0 as UInt32
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }
}
