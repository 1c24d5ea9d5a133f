import RunnelStreams
import RunnelText

/// A border around a view, with a title.
///
///     window.content = Box("Contacts", list)
@MainActor
public final class Box: View {
  /// The title in the upper edge.
  public var title: String { didSet { if title != oldValue { needsDisplay() } } }

  /// The style of the lines.
  public var lines: BorderLines { didSet { if lines != oldValue { needsDisplay() } } }

  /// The view inside the border.
  public var content: View {
    didSet { if content !== oldValue { exchange(oldValue, for: content) } }
  }

  /// Creates a box around a view.
  public init(_ title: String = "", _ content: View, lines: BorderLines = .rounded) {
    self.title = title
    self.content = content
    self.lines = lines
    super.init()
    addSubview(content)
  }

  /// The border, and one free column on each side.
  private static let margin = Insets(horizontal: 2, vertical: 1).cells

  override public func wantedExtent(in room: Size) -> Extent {
    guard content.superview === self, !content.isHidden else { return Extent(width: 0, height: 0) }
    var extent = content.extent(in: room.inset(by: Self.margin)).outset(by: Self.margin)
    if let width = extent.width, !title.isEmpty {
      extent.width = max(width, title.cellWidth.plus(6))
    }
    return extent
  }

  override public func layoutSubviews() {
    for view in subviews { view.frame = bounds.inset(by: Self.margin) }
  }
}

extension Reactive where Base: Box {
  /// The title in the upper edge.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
