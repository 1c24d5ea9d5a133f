import RunnelDesk
import RunnelTesting
import Testing

@Suite struct PixelImageTests {
  @Test func bytesBecomePixels() {
    let image = PixelImage(size: Size(width: 2, height: 1), rgba: [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(image?[0, 0] == .init(1, 2, 3, alpha: 4))
    #expect(image?[1, 0] == .init(5, 6, 7, alpha: 8))
  }

  @Test(arguments: [
    (Size(width: 1, height: 1), 3), (Size(width: 1, height: 1), 5), (Size(width: 2, height: 2), 4),
    (Size(width: -1, height: -1), 4), (Size(width: .max, height: .max), 4),
    (Size(width: 1, height: 1), 8),
  ])
  func wrongNumberOfBytesIsRefused(size: Size, count: Int) {
    #expect(PixelImage(size: size, rgba: Array(repeating: 0, count: count)) == nil)
  }

  // MARK: - PPM

  private static func file(_ header: String, _ body: [UInt8]) -> [UInt8] {
    Array(header.utf8) + body
  }

  @Test(arguments: [
    file("P6 2 1 255\n", [1, 2, 3, 4, 5, 6]),
    file("P6\n# made by hand\n2 1\n255\n", [1, 2, 3, 4, 5, 6, 9]),
    file("P6\t2#x\n1 65535\n", [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]),
  ])
  func pixmapsAreRead(file: [UInt8]) throws {
    let image = try PixelImage(ppm: file)
    #expect(image.size == Size(width: 2, height: 1))
    #expect(image[0, 0] == .init(1, 2, 3) && image[1, 0] == .init(4, 5, 6))
  }

  @Test func componentsAreScaledToTheLimit() throws {
    let image = try PixelImage(ppm: Self.file("P6 1 1 3\n", [0, 3, 9]))
    #expect(image[0, 0] == .init(0, 255, 255))
  }

  @Test(arguments: [
    (file("", []), PixelImageError.notPPM), (file("P3 1 1 255\n", [1, 2, 3]), .notPPM),
    (file("P6", []), .invalidHeader), (file("P6 1", []), .invalidHeader),
    (file("P61 1 255\n", [1, 2, 3]), .invalidHeader), (file("P6 0 1 255\n", []), .invalidHeader),
    (file("P6 -1 1 255\n", [1, 2, 3]), .invalidHeader),
    (file("P6 1 1 65536\n", [1, 2, 3]), .invalidHeader),
    (file("P6 1 1 0\n", [1, 2, 3]), .invalidHeader), (file("P6 1 1 255", []), .invalidHeader),
    (file("P6 #", []), .invalidHeader),
    (file("P6 99999999999999999999 1 255\n", []), .invalidHeader),
    (file("P6 999999999 999999999 255\n", [1]), .tooLarge),
    (file("P6 4097 4096 1\n", []), .tooLarge),
    (file("P6 1 1 255\n", [1, 2]), .truncated),
    (file("P6 1 1 256\n", [1, 2, 3, 4, 5]), .truncated),
  ])
  func damagedPixmapsThrow(file: [UInt8], error: PixelImageError) {
    #expect(throws: error) { try PixelImage(ppm: file) }
  }

  /// Random changes of a file either give an image of the size in its header, or throw.
  @Test(arguments: seeds(4) as Range<UInt64>)
  func randomBytesNeverTrap(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let valid = Self.file("P6 # c\n3 2 255\n", Array(repeating: 7, count: 18))
    for _ in 0..<2_000 {
      var file = valid
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<file.count, using: &generator)
        file[index] = UInt8.random(in: 0...127, using: &generator)
      }
      file.removeLast(Int.random(in: 0...3, using: &generator))
      guard let image = try? PixelImage(ppm: file) else { continue }
      #expect(image.size.width * image.size.height * 3 <= file.count, "seed \(seed)")
    }
  }
}
