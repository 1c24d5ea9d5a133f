#if GTK
import CGTK
import RunnelDesk

/// A row or column of views, placed in pixels if a space has a meaning.
final class StackMirror: ViewMirror {
  private let stack: StackView

  init(_ stack: StackView, in window: WindowMirror) {
    self.stack = stack
    super.init(stack, in: window)
  }

  private var layout: StackLayout {
    stack.layout { [window] in window.pixels($0, along: $1) }
  }

  override var isMeasured: Bool { stack.isMeasured || children.contains(where: \.isMeasured) }

  override func arrangement(in size: Size) -> [Rect]? {
    // Rows of controls keep their height in a stack that has more or fewer pixels than its cells.
    let excess = size.height - window.metrics.pixels(rows: stack.bounds.height)
    if !isMeasured && abs(excess) <= 1 { return nil }
    let layout = layout
    let extents = extents(layout, in: size)
    let places = layout.places(of: extents, in: Rect(origin: .zero, size: size))
    let isEnough = zip(zip(children, extents), places).allSatisfy { part, place in
      place.height >= part.1.height ?? part.0.leastHeight
        && (stack.axis == .vertical || place.width >= part.1.width ?? 0)
    }
    return isEnough ? places : nil
  }

  override func wanted(in room: Size) -> Extent {
    let extent = wantedCells(in: room)
    if !isMeasured { return extent }
    let layout = layout
    let extents = extents(layout, in: room)
    var measured = layout.wanted(extents)
    if stack.width != nil { measured.width = extent.width }
    if stack.height == 1 {
      // A row of controls, and perhaps views that take any height.
      measured.height = extents.compactMap(\.height).max() ?? extent.height
    } else if stack.height != nil {
      measured.height = extent.height
    }
    return measured
  }

  private func extents(_ layout: StackLayout, in room: Size) -> [Extent] {
    let room = room.inset(by: layout.margins)
    return children.map { $0.wanted(in: room) }
  }
}

extension WindowMirror {
  /// Returns the pixels of a space, which follow the guidelines of GNOME.
  func pixels(_ spacing: Spacing, along axis: Axis) -> Int {
    switch spacing.kind {
    case .related: 6
    case .section, .edge: 12
    case .cells:
      axis == .horizontal
        ? metrics.pixels(columns: spacing.cells(along: axis))
        : metrics.pixels(rows: spacing.cells(along: axis))
    }
  }
}
#endif
