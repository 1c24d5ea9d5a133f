import RunnelProxies
import RunnelStreams

/// The delegate of a ``SplitView``, which is notified when the user moves the divider and can veto
/// the movement.
///
/// Changes by the program are not reported.
@Proxied
@MainActor
public protocol SplitViewDelegate: AnyObject {
  /// Returns true if the first view may have this number of cells.
  @Default(true) func splitView(_ view: SplitView, shouldMoveDividerTo cells: Int) -> Bool
  /// Called after the user moved the divider.
  @Default func splitViewDidMoveDivider(_ view: SplitView)
}

/// Two views with a divider that the mouse can move.
///
///     let split = SplitView(.horizontal, list, editor, position: .fraction(0.3))
///     split.firstMinimum = 10
///
/// If one view is hidden, the other one fills the split view.
@MainActor
public final class SplitView: View {
  /// The position of the divider.
  public enum Position: Hashable, Sendable {
    /// After a fixed number of cells.
    case cells(Int)
    /// After a fraction of the available space, from 0 to 1.
    case fraction(Double)

    /// A fraction in percent, rounded as for a settings file; nil for a number of cells.
    public var percent: Int? {
      guard case .fraction(let fraction) = self, fraction.isFinite else { return nil }
      return Int((min(max(fraction, 0), 1) * 100).rounded())
    }
  }

  /// The delegate that is informed when the user moves the divider.
  public weak var delegate: (any SplitViewDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: SplitViewDelegateProxy { proxy(for: \.delegate) }

  /// The direction in which the views are arranged.
  public var axis: Axis { didSet { needsDisplay() } }
  /// The left or upper view.
  public let first: View
  /// The right or lower view.
  public let second: View
  /// The requested position of the divider. The actual position is limited by the available space.
  public var position: Position { didSet { if position != oldValue { needsDisplay() } } }
  /// The minimum number of cells of the first view, if there is enough space for both minimums.
  public var firstMinimum = 1 { didSet { needsDisplay() } }
  /// The minimum number of cells of the second view, if there is enough space. It has precedence
  /// over ``firstMinimum``.
  public var secondMinimum = 1 { didSet { needsDisplay() } }

  private var isDragging = false

  /// Creates a split view.
  public init(_ axis: Axis, _ first: View, _ second: View, position: Position = .fraction(0.5)) {
    self.axis = axis
    self.first = first
    self.second = second
    self.position = position
    super.init()
    addSubview(first)
    addSubview(second)
  }

  // MARK: - Layout

  /// The number of cells available for both views.
  private var room: Int { max(bounds.size[axis] - 1, 0) }

  package var hasDivider: Bool {
    [first, second].allSatisfy { $0.superview === self && !$0.isHidden }
  }

  /// The row or column of the divider, which equals the number of cells of the first view.
  package private(set) var divider: Int {
    get {
      switch position {
      case .cells(let cells): return fitted(cells)
      case .fraction(let fraction):
        let part = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        return fitted(Int((part * Double(room)).rounded()))
      }
    }
    set {
      switch position {
      case .cells: position = .cells(newValue)
      case .fraction: position = .fraction(Double(newValue) / Double(max(room, 1)))
      }
    }
  }

  /// Returns a number of cells for the first view, clamped to the possible range.
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

  /// Moves the divider as the user would: as far as there is space, and if the delegate agrees.
  /// Returns true if the first view then has `wanted` cells.
  @discardableResult
  public func moveDivider(to wanted: Int) -> Bool {
    let cells = fitted(wanted)
    guard canBeUsed else { return false }
    let isMoved = proposeChange(of: \.divider, to: cells, if: { hasDivider }) {
      delegate?.splitView(self, shouldMoveDividerTo: cells)
    } tell: {
      delegate?.splitViewDidMoveDivider(self)
    }
    return isMoved && divider == wanted
  }
}

extension Reactive where Base: SplitView {
  /// The position of the divider: the current one, then each one that the user chooses.
  @MainActor public var position: ControlProperty<SplitView.Position> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.splitViewDidMoveDivider).map { _ in } },
      get: { $0.position }, set: { $0.position = $1 })
  }
}
