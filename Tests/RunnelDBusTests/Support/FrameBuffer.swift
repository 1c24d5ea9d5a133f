import Foundation

/// The pixels of a display that `Xvfb` keeps in a file.
struct FrameBuffer {
  let width: Int
  let height: Int
  /// The colours by rows, such as 0xff0000 for red.
  private let pixels: [UInt32]

  /// Reads a picture in the format XWD with 32 bits for each pixel. Returns nil if it is another one.
  init?(_ path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let bytes = [UInt8](data)
    func word(_ index: Int) -> Int {
      bytes[(4 * index)..<(4 * index + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    guard bytes.count > 100, word(1) == 7, word(11) == 32 else { return nil }
    let (width, height, lineSize) = (word(4), word(5), word(12))
    let start = word(0) + 12 * word(19)
    guard bytes.count >= start + lineSize * height else { return nil }
    (self.width, self.height) = (width, height)
    pixels = (0..<width * height).map { index in
      let place = start + index / width * lineSize + index % width * 4
      return UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place])
    }
  }

  subscript(x: Int, y: Int) -> UInt32 { pixels[y * width + x] }

  /// The smallest rectangle with all pixels of a colour; nil if there is none.
  func bounds(of color: UInt32) -> (x: Range<Int>, y: Range<Int>)? {
    let places = pixels.indices.filter { pixels[$0] == color }
    guard let first = places.first, let last = places.last else { return nil }
    let columns = places.map { $0 % width }
    guard let left = columns.min(), let right = columns.max() else { return nil }
    return (left..<right + 1, first / width..<last / width + 1)
  }

  /// The number of pixels of a colour in a rectangle.
  func count(of color: UInt32, in bounds: (x: Range<Int>, y: Range<Int>)) -> Int {
    bounds.y.reduce(0) { count, y in count + bounds.x.count { self[$0, y] == color } }
  }
}
