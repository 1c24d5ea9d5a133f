/// A row or column of views.
///
///     window.content = StackView(.vertical, [searchField, list, statusBar])
///
/// Views with a fixed extent receive it in order, as far as there is space. The others share the
/// remaining space equally.
@MainActor
public final class StackView: View {
  /// The direction in which the views are arranged.
  public var axis: Axis { didSet { needsDisplay() } }
  /// The number of cells between two views.
  public var spacing: Int { didSet { needsDisplay() } }

  /// Creates a stack of views.
  public init(_ axis: Axis, spacing: Int = 0, _ views: [View] = []) {
    self.axis = axis
    self.spacing = spacing
    super.init()
    for view in views { addSubview(view) }
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let extents = shown.map { $0.extent(in: room) }
    let across: Axis = axis == .horizontal ? .vertical : .horizontal
    let lengths = extents.map { $0[axis] }
    let length = lengths.contains(nil) ? nil : lengths.reduce(gaps) { $0.plus(max($1 ?? 0, 0)) }
    let breadths = extents.map { $0[across] }
    let breadth = breadths.contains(nil) ? nil : breadths.compactMap { $0 }.max()
    return axis == .horizontal
      ? Extent(width: length, height: breadth) : Extent(width: breadth, height: length)
  }

  override public func layoutSubviews() {
    let views = shown
    let room = bounds.size
    var left = max(room[axis] - gaps, 0)
    let wanted = views.map { $0.extent(in: room)[axis] }
    let lengths = wanted.map { length -> Int? in
      guard let length else { return nil }
      let given = min(max(length, 0), left)
      left -= given
      return given
    }
    var takers = wanted.count { $0 == nil }
    var start = 0
    for (view, fixed) in zip(views, lengths) {
      let length = fixed ?? (left + takers - 1) / takers
      if fixed == nil {
        left -= length
        takers -= 1
      }
      view.frame = bounds.part(from: start, length: length, along: axis)
      start += length + spacing
    }
  }

  private var shown: [View] { subviews.filter { !$0.isHidden } }
  private var gaps: Int { max(shown.count - 1, 0) * spacing }
}
