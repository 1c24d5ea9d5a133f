/// A picture made of pixels with red, green, blue and alpha components.
///
///     var image = PixelImage(size: Size(width: 16, height: 16), filledWith: .init(200, 30, 60))
///     image[8, 8] = PixelImage.Pixel(255, 255, 255)
///     window.content = ImageView(image)
public struct PixelImage: Hashable, Sendable {
  /// A pixel.
  public struct Pixel: Hashable, Sendable {
    /// The red component.
    public var red: UInt8
    /// The green component.
    public var green: UInt8
    /// The blue component.
    public var blue: UInt8
    /// The opacity: 0 is transparent, 255 is opaque.
    public var alpha: UInt8

    /// Creates a pixel, which is opaque by default.
    public init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8 = 255) {
      (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }
  }

  /// The number of pixels in a row, and the number of rows.
  public let size: Size
  /// The pixels, row by row from the top.
  private var pixels: [Pixel]

  /// Creates an image of one colour. A negative width or height counts as 0.
  public init(size: Size, filledWith pixel: Pixel) {
    self.size = Size(width: max(size.width, 0), height: max(size.height, 0))
    pixels = Array(repeating: pixel, count: self.size.width * self.size.height)
  }

  /// Creates an image from bytes: red, green, blue and alpha of each pixel, row by row from the
  /// top. Returns nil if the number of bytes does not match the size.
  public init?(size: Size, rgba: [UInt8]) {
    let (count, overflows) = size.width.multipliedReportingOverflow(by: size.height)
    guard size.width >= 0, size.height >= 0, !overflows, rgba.count.isMultiple(of: 4),
      rgba.count / 4 == count
    else { return nil }
    self.size = size
    pixels = stride(from: 0, to: rgba.count, by: 4).map {
      Pixel(rgba[$0], rgba[$0 + 1], rgba[$0 + 2], alpha: rgba[$0 + 3])
    }
  }

  /// The red, green, blue and alpha components of each pixel, row by row from the top.
  package var rgba: [UInt8] { pixels.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] } }

  /// The pixel in a column and row, which begin with 0 at the top left. Traps if there is none.
  public subscript(x: Int, y: Int) -> Pixel {
    get { pixels[index(x, y)] }
    set { pixels[index(x, y)] = newValue }
  }

  private func index(_ x: Int, _ y: Int) -> Int {
    precondition(
      (0..<size.width).contains(x) && (0..<size.height).contains(y),
      "There is no pixel at (\(x), \(y)) in an image of \(size). Compare with its size first.")
    return y * size.width + x
  }
}

// MARK: - Scaling

extension PixelImage {
  /// Returns the largest size with the proportions of the image that fits into another one; at
  /// least one pixel in each direction if neither is empty.
  func size(fitting room: Size) -> Size {
    if size.isEmpty || room.isEmpty { return .zero }
    // Products of two sizes could overflow.
    let scale = min(
      Double(room.width) / Double(size.width), Double(room.height) / Double(size.height))
    func scaled(_ length: Int, _ limit: Int) -> Int {
      min(max(Int((Double(length) * scale).rounded()), 1), limit)
    }
    return Size(
      width: scaled(size.width, room.width), height: scaled(size.height, room.height))
  }

  /// Each pixel is the average of those that it covers.
  func scaled(to target: Size) -> PixelImage {
    if target == size { return self }
    var image = PixelImage(size: target, filledWith: Pixel(0, 0, 0, alpha: 0))
    guard !size.isEmpty else { return image }
    for y in 0..<image.size.height {
      let rows = Self.span(y, of: image.size.height, in: size.height)
      for x in 0..<image.size.width {
        image[x, y] = average(of: Self.span(x, of: image.size.width, in: size.width), rows)
      }
    }
    return image
  }

  /// Returns the pixels that one of `count` pixels covers in a row of `length`; at least one.
  private static func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
    let start = index * length / count
    return start..<max((index + 1) * length / count, start + 1)
  }

  private func average(of columns: Range<Int>, _ rows: Range<Int>) -> Pixel {
    var (red, green, blue, alpha) = (0, 0, 0, 0)
    for y in rows {
      for x in columns {
        let pixel = self[x, y]
        // Transparent pixels have no colour.
        red += Int(pixel.red) * Int(pixel.alpha)
        green += Int(pixel.green) * Int(pixel.alpha)
        blue += Int(pixel.blue) * Int(pixel.alpha)
        alpha += Int(pixel.alpha)
      }
    }
    guard alpha > 0 else { return Pixel(0, 0, 0, alpha: 0) }
    return Pixel(
      UInt8(red / alpha), UInt8(green / alpha), UInt8(blue / alpha),
      alpha: UInt8(alpha / (columns.count * rows.count)))
  }
}
