import RunnelStreams

/// A view that shows a picture, as large as fits with its proportions.
///
///     let image = PixelImage(size: Size(width: 4, height: 2), filledWith: .init(200, 30, 60))
///     let view = ImageView(image)
///     view.accessibilityLabel = "Cover"
///     view.height = 10
///
/// Backends with character cells show two pixels in each cell, one above the other, in the nearest
/// colours that they have. Pixels that are more than half transparent are left out.
@MainActor
public final class ImageView: View {
  /// The limit of the size of the picture.
  public enum Scaling: Hashable, Sendable {
    /// A small picture is enlarged to fill the view.
    case fit
    /// A picture is made smaller, but never larger.
    case down
  }

  /// The picture; nil for none.
  public var image: PixelImage? {
    didSet {
      scaled = nil
      needsDisplay()
    }
  }

  /// The limit of the size of the picture.
  public var scaling: Scaling { didSet { if scaling != oldValue { needsDisplay() } } }

  /// The place of the picture in a wider view.
  public var alignment: TextAlignment = .center { didSet { needsDisplay() } }

  /// The picture in the size in which it was last drawn.
  var scaled: PixelImage?

  /// Creates a view of a picture.
  public init(_ image: PixelImage? = nil, scaling: Scaling = .fit) {
    self.image = image
    self.scaling = scaling
  }

  /// The description for people who do not see the picture. Set ``View/accessibilityLabel``.
  override public var accessibility: Accessibility? { Accessibility(.image) }

  /// Returns the picture in the size for a number of cells, of which each shows two pixels.
  func picture(in cells: Size) -> PixelImage? {
    guard let image else { return nil }
    var room = Size(width: cells.width, height: cells.height.plus(cells.height))
    if scaling == .down {
      room = Size(
        width: min(room.width, image.size.width), height: min(room.height, image.size.height))
    }
    let size = image.size(fitting: room)
    if let scaled, scaled.size == size { return scaled }
    let picture = image.scaled(to: size)
    scaled = picture
    return picture
  }
}

extension Reactive where Base: ImageView {
  /// The picture; nil for none.
  @MainActor public var image: Binder<PixelImage?> { Binder(base) { $0.image = $1 } }
}
