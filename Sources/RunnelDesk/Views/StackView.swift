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
  /// The number of cells between two views.
  public var spacing: Int { didSet { needsDisplay() } }
  /// The free cells around the views.
  public var padding: Insets { didSet { needsDisplay() } }
  /// The placement of the views across the axis. A view without an extent there always takes the
  /// whole breadth.
  public var alignment: Alignment { didSet { needsDisplay() } }

  /// Creates a stack of views.
  public init(
    _ axis: Axis, spacing: Int = 0, padding: Insets = .zero, alignment: Alignment = .fill,
    _ views: [View] = []
  ) {
    self.axis = axis
    self.spacing = spacing
    self.padding = padding
    self.alignment = alignment
    super.init()
    for view in views { addSubview(view) }
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let room = room.inset(by: padding)
    let extents = shown.map { $0.extent(in: room) }
    let lengths = extents.map { $0[axis] }
    let length = lengths.contains(nil) ? nil : lengths.reduce(gaps) { $0.plus(max($1 ?? 0, 0)) }
    let breadths = extents.map { $0[axis.across] }
    let breadth = breadths.contains(nil) ? nil : breadths.compactMap { $0 }.max()
    let extent =
      axis == .horizontal
      ? Extent(width: length, height: breadth) : Extent(width: breadth, height: length)
    return extent.outset(by: padding)
  }

  override public func layoutSubviews() {
    let views = shown
    let area = bounds.inset(by: padding)
    let room = area.size
    var left = max(room[axis] - gaps, 0)
    let extents = views.map { $0.extent(in: room) }
    let wanted = extents.map { $0[axis] }
    let lengths = wanted.map { length -> Int? in
      guard let length else { return nil }
      let given = min(max(length, 0), left)
      left -= given
      return given
    }
    var takers = wanted.count { $0 == nil }
    var start = 0
    for ((view, extent), fixed) in zip(zip(views, extents), lengths) {
      let length = fixed ?? (left + takers - 1) / takers
      if fixed == nil {
        left -= length
        takers -= 1
      }
      let place = area.part(from: start, length: length, along: axis)
      view.frame = aligned(extent, in: place)
      start += length + spacing
    }
  }

  /// Returns the part of a place that a view with an extent takes.
  private func aligned(_ extent: Extent, in place: Rect) -> Rect {
    let room = place.size[axis.across]
    guard let wanted = extent[axis.across] else { return place }
    let breadth = min(max(wanted, 0), room)
    let start =
      switch alignment {
      case .fill: nil as Int?
      case .leading: 0
      case .center: (room - breadth) / 2
      case .trailing: room - breadth
      }
    return start.map { place.part(from: $0, length: breadth, along: axis.across) } ?? place
  }

  private var shown: [View] { subviews.filter { !$0.isHidden } }
  private var gaps: Int { max(shown.count - 1, 0) * spacing }
}
