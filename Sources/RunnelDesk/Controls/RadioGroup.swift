import RunnelProxies
import RunnelStreams
import RunnelText

/// A delegate that can refuse the user's choices in a ``RadioGroup``, and is notified of them. It is
/// not notified of changes by the program.
@Proxied
@MainActor
public protocol RadioGroupDelegate: AnyObject {
  /// Returns true if the user may select the option at an index.
  @Default(true) func radioGroup(_ group: RadioGroup, shouldSelect index: Int) -> Bool
  /// Called after the user has selected another option.
  @Default func radioGroupDidChange(_ group: RadioGroup)
}

/// Options of which the user selects one, with the arrow keys or the mouse.
///
///     let kind = RadioGroup(["Mobile", "Home", "Work"], selectedIndex: 0)
///     kind.rx.selectedIndex.observeNext { index in show(index ?? -1) }  // 0
///
/// Tab reaches the group once. The arrow keys then move the selection, and the space bar selects the
/// first option if none is selected.
@MainActor
public final class RadioGroup: View {
  /// The object that is asked and notified when the user selects an option.
  public weak var delegate: (any RadioGroupDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: RadioGroupDelegateProxy { proxy(for: \.delegate) }

  /// The texts of the options. If the selected option no longer exists, none is selected.
  public var titles: [String] {
    didSet {
      if titles == oldValue { return }
      storedIndex = valid(storedIndex)
      needsDisplay()
    }
  }

  /// The index of the selected option; nil if none is selected, or if there is no such option.
  public var selectedIndex: Int? {
    get { storedIndex }
    set {
      let index = valid(newValue)
      if index == storedIndex { return }
      storedIndex = index
      needsDisplay()
    }
  }

  /// The direction in which the options are arranged. A row that is too long continues below.
  public var axis: Axis { didSet { if axis != oldValue { needsDisplay() } } }

  private var storedIndex: Int?

  /// The number of columns between options in a row.
  private static let gap = 2
  /// The number of columns of the mark before a title.
  private static let markWidth = 4

  /// Creates a group of options.
  public init(_ titles: [String], selectedIndex: Int? = nil, axis: Axis = .vertical) {
    self.titles = titles
    self.axis = axis
    super.init()
    self.selectedIndex = selectedIndex
  }

  private func valid(_ index: Int?) -> Int? {
    index.flatMap { titles.indices.contains($0) ? $0 : nil }
  }

  // MARK: - Changes by the user

  /// Selects an option, as the user does: if the group can be used and the delegate agrees. Returns
  /// true if the option is selected afterwards.
  @discardableResult
  public func propose(selectedIndex index: Int) -> Bool {
    proposeChange(of: \.selectedIndex, to: index, if: { titles.indices.contains(index) }) {
      delegate?.radioGroup(self, shouldSelect: index)
    } tell: {
      delegate?.radioGroupDidChange(self)
    }
  }

  /// Selects the option that is `step` further, beginning again after the last one.
  private func move(by step: Int) {
    let next = selectedIndex.map { $0 + step } ?? (step > 0 ? 0 : titles.count - 1)
    if titles.isEmpty { return }
    propose(selectedIndex: (next + titles.count) % titles.count)
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.radioGroup, value: titles.place(of: selectedIndex))
  }

  override public var canBecomeFirstResponder: Bool { !titles.isEmpty }

  override public func perform(_ command: Command) -> Bool {
    guard case .move(let movement) = command else { return false }
    switch movement {
    case .left, .up: move(by: -1)
    case .right, .down: move(by: 1)
    case .lineStart, .start: propose(selectedIndex: 0)
    case .lineEnd, .end: propose(selectedIndex: titles.count - 1)
    case .wordLeft, .wordRight, .pageUp, .pageDown: return false
    }
    return true
  }

  override public func keyDown(_ key: KeyPress) -> Bool {
    guard key == .space else { return super.keyDown(key) }
    propose(selectedIndex: selectedIndex ?? 0)
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    click(with: event) {
      let index = places(in: bounds.width).firstIndex { $0.contains(event.position) }
      if let index { propose(selectedIndex: index) }
    }
  }

  // MARK: - Layout

  package func places(in width: Int) -> [Rect] {
    var (x, y) = (0, 0)
    return titles.enumerated().map { index, title in
      let length = Self.markWidth.plus(title.cellWidth)
      if index > 0 && (axis == .vertical || x.plus(length) > width) {
        x = 0
        y += 1
      }
      defer { x = x.plus(length).plus(Self.gap) }
      return Rect(x: x, y: y, width: length, height: 1)
    }
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let places = places(in: room.width)
    return Extent(
      width: places.map(\.maxX).max() ?? 0, height: places.map(\.maxY).max() ?? 0)
  }
}

extension Reactive where Base: RadioGroup {
  /// The index of the selected option: the current one, then the one after each change by the user.
  @MainActor public var selectedIndex: ControlProperty<Int?> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.radioGroupDidChange).map { _ in } },
      get: { $0.selectedIndex }, set: { $0.selectedIndex = $1 })
  }

  /// The texts of the options.
  @MainActor public var titles: Binder<[String]> { Binder(base) { $0.titles = $1 } }
}
