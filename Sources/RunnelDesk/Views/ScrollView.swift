import RunnelProxies
import RunnelStreams

/// A delegate that is notified when a ``ScrollView`` scrolls.
@Proxied
@MainActor
public protocol ScrollViewDelegate: AnyObject {
  /// Called after the scroll offset was changed by the user, or because the focus or a size changed.
  @Default func scrollViewDidScroll(_ view: ScrollView)
}

/// A view that shows a part of a content that is higher than the view.
///
///     window.content = ScrollView(Form(["Name": nameField, "Notes": editor]))
///
/// The wheel, the scroll bar, and the page keys that the content does not handle scroll it. The
/// focused view in the content is made visible when the focus or a size changes, or the user edits
/// text in it. Text without controls, such as a ``Label``, is scrolled by the arrow keys too: then
/// the scroll view itself gets the focus.
///
/// The view takes all available space, unless ``fitsContent`` is true. The content gets its width,
/// and the height that it wants. A content that wants all the available height does not scroll: set
/// its ``View/height``.
@MainActor
public final class ScrollView: View {
  /// The object that is notified when the view scrolls.
  public weak var delegate: (any ScrollViewDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: ScrollViewDelegateProxy { proxy(for: \.delegate) }

  /// The view that is scrolled.
  public var content: View {
    didSet {
      if content === oldValue { return }
      top = 0
      isMeasured = false
      clip.exchange(oldValue, for: content)
    }
  }

  /// The number of rows of the content above the visible ones. Other values are clamped at the next
  /// layout.
  public var scrollPosition: Int {
    get { top }
    set {
      if newValue == top { return }
      top = newValue
      needsDisplay()
    }
  }

  /// True if the view wants no more space than its content, for example as the accessory of an
  /// ``Alert``.
  public var fitsContent = false { didSet { needsDisplay() } }

  private var top: Int {
    get { clip.top }
    set { clip.top = newValue }
  }

  private let clip = ClipView()
  private var isDragging = false
  /// True after a layout has measured the content.
  private var isMeasured = false
  private var revealed = Revealed()
  /// The view that the next layout makes visible, instead of the focused one.
  private weak var awaited: View?

  /// The focused view that was last made visible, and the state at that time.
  private struct Revealed {
    weak var view: View?
    var place = Rect.zero
    var viewport = Size.zero
  }

  /// The number of rows that one notch of the wheel scrolls.
  private static let wheelRows = 3

  /// Creates a view that scrolls a content.
  public init(_ content: View) {
    self.content = content
    super.init()
    addSubview(clip)
    clip.addSubview(content)
  }

  // MARK: - Layout

  /// The number of visible rows.
  private var viewport: Int { max(bounds.height, 0) }

  private var lastTop: Int { max(clip.contentHeight - viewport, 0) }

  package var overflows: Bool { clip.contentHeight > viewport && viewport > 0 }

  package var indicator: ScrollIndicator {
    // The position may not have been clamped by a layout yet.
    let top = min(max(top, 0), lastTop)
    return ScrollIndicator(top: top, lineCount: clip.contentHeight, viewport: viewport)
  }

  override public func wantedExtent(in room: Size) -> Extent {
    guard fitsContent, content.superview === clip else { return Extent() }
    var wanted = content.extent(in: room)
    // The scroll bar has a column of its own.
    if let height = wanted.height, height > room.height { wanted.width? += 1 }
    return wanted
  }

  override public func layoutSubviews() {
    let former = top
    isMeasured = true
    clip.contentHeight = height(in: bounds.width)
    let width = overflows && bounds.width > 1 ? bounds.width - 1 : bounds.width
    if width != bounds.width { clip.contentHeight = height(in: width) }
    clip.frame = Rect(x: 0, y: 0, width: width, height: viewport)
    top = min(max(top, 0), lastTop)
    reveal()
    if top != former { delegate?.scrollViewDidScroll(self) }
  }

  private func height(in width: Int) -> Int {
    guard content.superview === clip, !content.isHidden else { return viewport }
    let wanted = content.extent(in: Size(width: width, height: viewport)).height
    return max(wanted ?? viewport, viewport)
  }

  /// Makes a view in the content visible at the next layout.
  func reveal(_ view: View) {
    awaited = view
    needsDisplay()
  }

  /// Scrolls so that the awaited view is visible, or the focused one if the focus, its place or the
  /// size has changed.
  private func reveal() {
    let awaited = awaited
    self.awaited = nil
    guard let view = awaited ?? window?.firstResponder, clip.contains(view) else {
      return revealed = Revealed()
    }
    clip.layoutTree()
    var place = view.frameInWindow
    let origin = frameInWindow.origin
    place.origin = Point(x: place.minX.minus(origin.x), y: place.minY.minus(origin.y).plus(top))
    let size = clip.frame.size
    let isKnown = revealed.view === view && revealed.place == place && revealed.viewport == size
    if viewport == 0 || (isKnown && awaited == nil) { return }
    if view.isFirstResponder { revealed = Revealed(view: view, place: place, viewport: size) }
    if place.maxY > top + viewport { top = place.maxY - viewport }
    if place.minY < top { top = place.minY }
    top = min(max(top, 0), lastTop)
  }

  // MARK: - Scrolling by the user

  /// Scrolls to a row of the content, as the user does. Returns true if the view has scrolled.
  @discardableResult
  public func scroll(to row: Int) -> Bool {
    let row = min(max(row, 0), lastTop)
    guard row != top, canBeUsed else { return false }
    top = row
    needsDisplay()
    delegate?.scrollViewDidScroll(self)
    return true
  }

  /// The description for people who do not see the view, while it has the focus itself.
  override public var accessibility: Accessibility? {
    let value = "line \(top + 1) of \(clip.contentHeight)"
    return isFirstResponder ? Accessibility(.custom("scroll view"), value: value) : nil
  }

  /// True if keys can scroll the view, because its content has nothing to focus. A content that has
  /// not been laid out yet counts as higher than the view.
  override public var canBecomeFirstResponder: Bool {
    (overflows || !isMeasured)
      && !clip.tree.contains { $0.canBecomeFirstResponder && $0.isAvailable }
  }

  override public func perform(_ command: Command) -> Bool {
    guard case .move(let movement) = command else { return false }
    let page = max(viewport - 1, 1)
    return switch movement {
    case .pageUp: scroll(to: top.minus(page))
    case .pageDown: scroll(to: top.plus(page))
    case .up: isFirstResponder && scroll(to: top.minus(1))
    case .down: isFirstResponder && scroll(to: top.plus(1))
    case .lineStart, .start: isFirstResponder && scroll(to: 0)
    case .lineEnd, .end: isFirstResponder && scroll(to: lastTop)
    case .left, .right, .wordLeft, .wordRight: false
    }
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    switch event.action {
    case .wheel(.up): return scroll(to: top.minus(Self.wheelRows))
    case .wheel(.down): return scroll(to: top.plus(Self.wheelRows))
    case .press(.left):
      isDragging = overflows && event.position.x >= clip.frame.maxX
      if isDragging { scroll(to: indicator.top(forMiddleAt: event.position.y)) }
      return isDragging
    case .drag(.left):
      if isDragging { scroll(to: indicator.top(forMiddleAt: event.position.y)) }
      return isDragging
    case .release(.left):
      defer { isDragging = false }
      return isDragging
    case .press, .drag, .release, .move, .wheel: return false
    }
  }
}

/// The visible part of a ``ScrollView``, which clips the content.
@MainActor
private final class ClipView: View {
  /// The number of rows of the content above the visible ones.
  var top = 0
  /// The number of rows of the content.
  var contentHeight = 0

  override func layoutSubviews() {
    for view in subviews {
      view.frame = Rect(x: 0, y: 0.minus(top), width: bounds.width, height: contentHeight)
    }
  }
}

extension View {
  /// Scrolls the scroll views that contain the view at the next layout, so that it is visible.
  public func scrollToVisible() {
    for case let scroll as ScrollView in sequence(first: self, next: \.superview).dropFirst() {
      scroll.reveal(self)
    }
  }
}

extension Reactive where Base: ScrollView {
  /// The number of rows of the content above the visible ones: the current one, then the one after
  /// each change that the delegate is notified of.
  @MainActor public var scrollPosition: ControlProperty<Int> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.scrollViewDidScroll).map { _ in } },
      get: { $0.scrollPosition }, set: { $0.scrollPosition = $1 })
  }
}
