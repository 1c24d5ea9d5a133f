/// The reason why bytes are not a picture in a format that ``PixelImage`` reads.
public enum PixelImageError: Error, Hashable, CustomStringConvertible {
  /// The bytes do not begin like a PPM file with binary pixels.
  case notPPM
  /// The bytes do not begin like a PNG file.
  case notPNG
  /// The width, the height or another number in the header is missing, or not supported.
  case invalidHeader
  /// The image has more than 2^24 pixels.
  case tooLarge
  /// The bytes end before the last pixel.
  case truncated
  /// A checksum or the compressed data is wrong.
  case damaged

  /// The error, and what to do about it.
  public var description: String {
    switch self {
    case .notPPM: "The picture is not in the PPM format P6. Convert it to that format."
    case .notPNG: "The picture is not in the PNG format. Convert it to that format."
    case .invalidHeader: "The header of the picture is damaged. Create the file again."
    case .tooLarge: "The picture has more than 16 million pixels. Make it smaller."
    case .truncated: "The picture ends too early. Copy the file again."
    case .damaged: "The picture is damaged. Copy the file again."
    }
  }
}
