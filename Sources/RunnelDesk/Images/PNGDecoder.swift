extension PixelImage {
  /// Creates an image from the contents of a PNG file. Components of 16 bits lose their lower half,
  /// and colour profiles are ignored.
  ///
  ///     func show(png file: [UInt8], in view: ImageView) throws(PixelImageError) {
  ///       view.image = try PixelImage(png: file)
  ///     }
  public init(png bytes: [UInt8]) throws(PixelImageError) {
    self = try PNGDecoder(PNGFile(bytes)).image()
  }
}

/// A decoder of the pixels of a PNG file.
private struct PNGDecoder {
  private let file: PNGFile
  private let bitsPerPixel: Int
  private let data: [UInt8]

  /// A part of the picture: the pixels in every n-th column and row.
  private struct Pass {
    var start: Point
    var step: Size
    var size: Size
  }

  private let passes: [Pass]

  init(_ file: PNGFile) throws(PixelImageError) {
    self.file = file
    bitsPerPixel = file.kind.count * file.depth
    if file.kind == .palette && (file.palette.isEmpty || file.palette.count % 3 != 0) {
      throw .invalidHeader
    }
    passes = Self.passes(of: file)
    let rowBits = bitsPerPixel
    let count = passes.reduce(0) { $0 + $1.size.height * (1 + ($1.size.width * rowBits + 7) / 8) }
    data = try ZlibDecoder.decode(file.compressed, limit: count)
    guard data.count == count else { throw .truncated }
  }

  /// Returns the passes that are not empty. An interlaced file begins with few pixels of the whole
  /// picture.
  private static func passes(of file: PNGFile) -> [Pass] {
    let places = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    return (file.isInterlaced ? places : [(0, 0, 1, 1)]).map { x, y, across, down in
      Pass(
        start: Point(x: x, y: y), step: Size(width: across, height: down),
        size: Size(
          width: (file.size.width - x + across - 1) / across,
          height: (file.size.height - y + down - 1) / down))
    }.filter { $0.size.width > 0 && $0.size.height > 0 }
  }

  func image() throws(PixelImageError) -> PixelImage {
    var image = PixelImage(size: file.size, filledWith: .init(0, 0, 0, alpha: 0))
    var offset = 0
    for pass in passes {
      let length = (pass.size.width * bitsPerPixel + 7) / 8
      var row = [UInt8](repeating: 0, count: length)
      for y in 0..<pass.size.height {
        let content = data[offset + 1..<offset + 1 + length]
        row = try unfilter(content, data[offset], above: row)
        offset += 1 + length
        for x in 0..<pass.size.width {
          let place = Point(
            x: pass.start.x + x * pass.step.width, y: pass.start.y + y * pass.step.height)
          image[place.x, place.y] = try pixel(x, in: row)
        }
      }
    }
    return image
  }

  // MARK: - Filters

  /// Returns a row of which each byte was stored as the difference to its neighbours.
  private func unfilter(
    _ bytes: ArraySlice<UInt8>, _ filter: UInt8, above: [UInt8]
  ) throws(PixelImageError) -> [UInt8] {
    guard filter <= 4 else { throw .damaged }
    let step = max(bitsPerPixel / 8, 1)
    var row = Array(bytes)
    if filter == 0 { return row }
    for index in row.indices {
      let left = index >= step ? Int(row[index - step]) : 0
      let up = Int(above[index])
      let corner = index >= step ? Int(above[index - step]) : 0
      let expected =
        switch filter {
        case 1: left
        case 2: up
        case 3: (left + up) / 2
        default: Self.nearest(left, up, corner)
        }
      row[index] &+= UInt8(expected)
    }
    return row
  }

  /// Returns the neighbour that is nearest to the value of a plane through all three.
  private static func nearest(_ left: Int, _ up: Int, _ corner: Int) -> Int {
    let expected = left + up - corner
    let distances = (abs(expected - left), abs(expected - up), abs(expected - corner))
    if distances.0 <= distances.1 && distances.0 <= distances.2 { return left }
    return distances.1 <= distances.2 ? up : corner
  }

  // MARK: - Pixels

  private func pixel(_ x: Int, in row: [UInt8]) throws(PixelImageError) -> PixelImage.Pixel {
    let first = x * file.kind.count
    func value(_ index: Int) -> Int { component(first + index, in: row) }
    switch file.kind {
    case .palette: return try paletteColor(value(0))
    case .gray:
      let gray = byte(value(0))
      return .init(gray, gray, gray, alpha: alpha([value(0)]))
    case .grayWithAlpha:
      let gray = byte(value(0))
      return .init(gray, gray, gray, alpha: byte(value(1)))
    case .color:
      let (red, green, blue) = (value(0), value(1), value(2))
      return .init(byte(red), byte(green), byte(blue), alpha: alpha([red, green, blue]))
    case .colorWithAlpha:
      return .init(byte(value(0)), byte(value(1)), byte(value(2)), alpha: byte(value(3)))
    }
  }

  private func component(_ index: Int, in row: [UInt8]) -> Int {
    if file.depth == 8 { return Int(row[index]) }
    if file.depth == 16 { return Int(row[2 * index]) << 8 | Int(row[2 * index + 1]) }
    let bit = index * file.depth
    return Int(row[bit / 8]) >> (8 - file.depth - bit % 8) & (1 << file.depth - 1)
  }

  /// Returns a component as one of eight bits.
  private func byte(_ value: Int) -> UInt8 {
    UInt8(file.depth == 16 ? value >> 8 : value * 255 / (1 << file.depth - 1))
  }

  private func paletteColor(_ index: Int) throws(PixelImageError) -> PixelImage.Pixel {
    let colors = file.palette
    guard 3 * index < colors.count else { throw .damaged }
    let alpha = index < file.transparency.count ? file.transparency[index] : 255
    return .init(colors[3 * index], colors[3 * index + 1], colors[3 * index + 2], alpha: alpha)
  }

  /// Returns the opacity of a pixel: one colour can be transparent. The file contains it in two bytes
  /// for each component.
  private func alpha(_ components: @autoclosure () -> [Int]) -> UInt8 {
    let transparent = file.transparency
    guard transparent.count == 2 * file.kind.count else { return 255 }
    let isSame = components().enumerated().allSatisfy { index, value in
      value == Int(transparent[2 * index]) << 8 | Int(transparent[2 * index + 1])
    }
    return isSame ? 0 : 255
  }
}
