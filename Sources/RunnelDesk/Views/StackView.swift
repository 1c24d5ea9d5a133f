/// A row or column of views.
///
///     window.content = StackView(.vertical, padding: 1, [searchField, list, statusBar])
///
/// Views with a fixed extent receive it in order, as far as there is space. The others share the
/// remaining space equally. Across the axis, the ``alignment`` places them.
@MainActor
public final class StackView: View {
  /// The placement of views across the axis of a stack.
  public enum Alignment: Hashable, Sendable {
    /// Each view takes the whole breadth.
    case fill
    /// Views are at the left of a column, or at the top of a row.
    case leading
    /// Views are in the middle.
    case center
    /// Views are at the right of a column, or at the bottom of a row.
    case trailing
  }

  /// The direction in which the views are arranged.
  public var axis: Axis { didSet { needsDisplay() } }
  /// The space between two views.
  public var spacing: Spacing { didSet { needsDisplay() } }
  /// The free space around the views.
  public var padding: Insets { didSet { needsDisplay() } }
  /// The placement of the views across the axis. A view without an extent there always takes the
  /// whole breadth.
  public var alignment: Alignment { didSet { needsDisplay() } }

  /// Creates a stack of views.
  public init(
    _ axis: Axis, spacing: Spacing = 0, padding: Insets = .zero, alignment: Alignment = .fill,
    _ views: [View] = []
  ) {
    self.axis = axis
    self.spacing = spacing
    self.padding = padding
    self.alignment = alignment
    super.init()
    for view in views { addSubview(view) }
  }

  /// True if a space has a meaning.
  package var isMeasured: Bool { spacing.isMeasured || padding.isMeasured }

  /// Returns the layout with the spaces that a closure measures.
  package func layout(_ measure: (Spacing, Axis) -> Int) -> StackLayout {
    StackLayout(
      axis: axis, spacing: measure(spacing, axis), margins: padding.measured(measure),
      alignment: alignment)
  }

  private var layout: StackLayout { layout { $0.cells(along: $1) } }

  override public func wantedExtent(in room: Size) -> Extent {
    layout.wanted(extents(in: room))
  }

  override public func layoutSubviews() {
    let places = layout.places(of: extents(in: bounds.size), in: bounds)
    for (view, place) in zip(shown, places) { view.frame = place }
  }

  private func extents(in room: Size) -> [Extent] {
    let room = room.inset(by: layout.margins)
    return shown.map { $0.extent(in: room) }
  }

  private var shown: [View] { subviews.filter { !$0.isHidden } }
}
