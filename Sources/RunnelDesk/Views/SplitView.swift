import RunnelProxies
import RunnelStreams

/// What is asked and told when a person moves the divider of a ``SplitView``. What the program does
/// is neither asked nor told.
@Proxied
@MainActor
public protocol SplitViewDelegate: AnyObject {
  /// Whether the first view may have so many cells.
  @Default(true) func splitView(_ view: SplitView, shouldMoveDividerTo cells: Int) -> Bool
  /// The divider is elsewhere.
  @Default func splitViewDidMoveDivider(_ view: SplitView)
}

/// Two views with a line between them, which the mouse can move.
///
///     let split = SplitView(.horizontal, list, editor, position: .fraction(0.3))
///     split.firstMinimum = 10
///
/// Where one of them is hidden, the other one has all of the room.
@MainActor
public final class SplitView: View {
  /// Where the divider is.
  public enum Position: Hashable, Sendable {
    /// Behind so many cells, whatever room there is.
    case cells(Int)
    /// Behind a part of the room, from 0 to 1.
    case fraction(Double)
  }

  /// Who is asked and told when a person moves the divider.
  public weak var delegate: (any SplitViewDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: SplitViewDelegateProxy { proxy(for: \.delegate) }

  /// In which direction the views stand.
  public var axis: Axis { didSet { needsDisplay() } }
  /// The view at the left, or above.
  public let first: View
  /// The view at the right, or below.
  public let second: View
  /// Where the divider is to be: where there is room for it, that is where it is.
  public var position: Position { didSet { if position != oldValue { needsDisplay() } } }
  /// The fewest cells that the first view has, where there is room for both.
  public var firstMinimum = 1 { didSet { needsDisplay() } }
  /// The fewest cells that the second view has, where there is room.
  public var secondMinimum = 1 { didSet { needsDisplay() } }

  private var isDragging = false
  let moves = PushStream<Void>()

  /// Two views beside each other.
  public init(_ axis: Axis, _ first: View, _ second: View, position: Position = .fraction(0.5)) {
    self.axis = axis
    self.first = first
    self.second = second
    self.position = position
    super.init()
    addSubview(first)
    addSubview(second)
  }

  // MARK: - Where things are

  /// How many cells there are for both views.
  private var room: Int { max(bounds.size[axis] - 1, 0) }

  private var hasDivider: Bool {
    [first, second].allSatisfy { $0.superview === self && !$0.isHidden }
  }

  /// The row or column that the divider is in, which is how many cells the first view has.
  private var divider: Int {
    switch position {
    case .cells(let cells): return fitted(cells)
    case .fraction(let fraction):
      let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
      return fitted(Int((part * Double(room)).rounded()))
    }
  }

  /// The number of cells for the first view that is nearest to one.
  private func fitted(_ cells: Int) -> Int {
    let most = room - min(max(secondMinimum, 0), room)
    return min(max(cells, min(max(firstMinimum, 0), most)), most)
  }

  override public func layoutSubviews() {
    guard hasDivider else {
      for view in subviews { view.frame = bounds }
      return
    }
    let divider = divider
    first.frame = bounds.part(from: 0, length: divider, along: axis)
    second.frame = bounds.part(from: divider + 1, length: room - divider, along: axis)
  }

  // MARK: - Moving the divider

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    let place = axis == .horizontal ? event.position.x : event.position.y
    switch event.action {
    case .press(.left):
      isDragging = hasDivider && place == divider
      return isDragging
    case .drag(.left):
      if isDragging { moveDivider(to: place) }
      return isDragging
    case .release(.left):
      defer { isDragging = false }
      return isDragging
    case .press, .drag, .release, .move, .wheel: return false
    }
  }

  /// Moves the divider, as a person does: where there is room for it, and the delegate agrees.
  /// Returns whether the first view has so many cells then.
  @discardableResult
  public func moveDivider(to wanted: Int) -> Bool {
    let cells = fitted(wanted)
    let former = position
    guard canBeUsed, hasDivider else { return false }
    guard cells != divider, delegate?.splitView(self, shouldMoveDividerTo: cells) ?? true,
      // Who was asked may have moved it.
      position == former
    else { return divider == wanted }
    switch former {
    case .cells: position = .cells(cells)
    case .fraction: position = .fraction(Double(cells) / Double(max(room, 1)))
    }
    delegate?.splitViewDidMoveDivider(self)
    moves.next(())
    return divider == wanted
  }
}

extension SplitView: CellDrawn {
  /// Draws the divider.
  public func draw(in painter: inout Painter, theme: Theme) {
    guard hasDivider else { return }
    switch axis {
    case .horizontal:
      painter.verticalLine(
        from: Point(x: divider, y: 0), length: painter.size.height, style: theme.faint)
    case .vertical:
      painter.horizontalLine(
        from: Point(x: 0, y: divider), length: painter.size.width, style: theme.faint)
    }
  }
}

extension Reactive where Base: SplitView {
  /// Where the divider is: as it is, then whenever a person has moved it.
  @MainActor public var position: ControlProperty<SplitView.Position> {
    ControlProperty(
      of: base, changes: base.moves, get: { $0.position }, set: { $0.position = $1 })
  }
}
