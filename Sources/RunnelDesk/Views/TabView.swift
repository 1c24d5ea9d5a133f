import RunnelProxies
import RunnelStreams
import RunnelText

/// A delegate that can refuse the user's choice of a tab in a ``TabView``, and is notified of it. It
/// is not notified of changes by the program.
@Proxied
@MainActor
public protocol TabViewDelegate: AnyObject {
  /// Returns true if the user may select the tab at an index.
  @Default(true) func tabView(_ view: TabView, shouldSelect index: Int) -> Bool
  /// Called after the user has selected another tab.
  @Default func tabViewDidChange(_ view: TabView)
}

/// Views of which one is visible, below a row with their titles.
///
///     let tabs = TabView(["Contact": nameField, "Notes": editor])
///     tabs.rx.selectedIndex.observeNext { index in show(index) }  // 0
///
/// Ctrl+PageUp and Ctrl+PageDown select another tab from anywhere in the view, a click on a title
/// does too, and so do the left and right arrow keys while the titles have the focus. A tab
/// remembers which of its views had the focus.
@MainActor
public final class TabView: View {
  /// The object that is asked and notified when the user selects a tab.
  public weak var delegate: (any TabViewDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: TabViewDelegateProxy { proxy(for: \.delegate) }

  /// The titles of the tabs.
  public var titles: [String] { pages.map(\.title) }

  /// The index of the visible tab; other values are clamped. It is zero if there are no tabs.
  public var selectedIndex: Int {
    get { index }
    set { select(newValue) }
  }

  private(set) var pages: [TabPage] = []
  private var index = 0

  /// Creates a view with tabs.
  public init(_ tabs: KeyValuePairs<String, View> = [:]) {
    super.init()
    for (title, content) in tabs { addTab(title, content) }
  }

  /// Adds a tab after the others.
  public func addTab(_ title: String, _ content: View) {
    let page = TabPage(title, content)
    page.isHidden = !pages.isEmpty
    pages.append(page)
    addSubview(page)
  }

  /// Changes the title of a tab. Does nothing if there is no tab at the index.
  public func setTitle(_ title: String, at index: Int) {
    guard pages.indices.contains(index) else { return }
    pages[index].title = title
    needsDisplay()
  }

  /// Removes a tab and returns its view; nil if there is no tab at the index. If it was visible, its
  /// successor or else the last tab becomes visible.
  @discardableResult
  public func removeTab(at index: Int) -> View? {
    guard pages.indices.contains(index) else { return nil }
    let page = pages[index]
    // The focus moves along.
    if index == self.index && pages.count > 1 {
      select(index + 1 < pages.count ? index + 1 : index - 1)
    }
    // A callback may have removed the tab.
    guard let index = pages.firstIndex(where: { $0 === page }) else { return page.content }
    pages.remove(at: index)
    let isLater = index < self.index
    self.index = min(isLater ? self.index - 1 : self.index, max(pages.count - 1, 0))
    if pages.indices.contains(self.index) { pages[self.index].isHidden = false }
    page.removeFromSuperview()
    let content = page.content
    if content.superview === page { content.removeFromSuperview() }
    return content
  }

  /// Makes a tab visible. The focus moves along if it was in the former one. Does nothing if the
  /// focused view refuses to give up the focus and `isRefusable` is true.
  private func select(_ wanted: Int, isRefusable: Bool = false) {
    let wanted = min(max(wanted, 0), max(pages.count - 1, 0))
    guard wanted != index, pages.indices.contains(index) else { return }
    let (former, page) = (pages[index], pages[wanted])
    index = wanted
    let focused = window?.firstResponder
    let hadFocus = focused.map(former.contains) ?? false
    if hadFocus { former.focused = focused }
    page.isHidden = false
    if hadFocus, let window {
      let order = window.focusOrder.filter(page.contains)
      window.makeFirstResponder(order.first { $0 === page.focused } ?? order.first ?? self)
    }
    let isRefused = window?.firstResponder.map(former.contains) ?? false
    if isRefusable, isRefused, index == wanted {
      index = pages.firstIndex { $0 === former } ?? index
    }
    // A callback may have selected another tab.
    for (index, page) in pages.enumerated() { page.isHidden = index != self.index }
  }

  // MARK: - Changes by the user

  /// Selects a tab, as the user does: if the view can be used and the delegate agrees. Returns true
  /// if the tab is selected afterwards.
  @discardableResult
  public func propose(selectedIndex wanted: Int) -> Bool {
    proposeChange(of: \.userIndex, to: wanted, if: { pages.indices.contains(wanted) }) {
      delegate?.tabView(self, shouldSelect: wanted)
    } tell: {
      delegate?.tabViewDidChange(self)
    }
  }

  /// The index as the user sets it: the focused view may refuse to give up the focus.
  private var userIndex: Int {
    get { index }
    set { select(newValue, isRefusable: true) }
  }

  private func move(by step: Int) {
    if pages.isEmpty { return }
    propose(selectedIndex: (index + step + pages.count) % pages.count)
  }

  /// The description for people who do not see the control.
  override public var accessibility: Accessibility? {
    Accessibility(.tabs, value: titles.place(of: selectedIndex))
  }

  override public var canBecomeFirstResponder: Bool { !pages.isEmpty }

  override public func keyDown(_ press: KeyPress) -> Bool {
    let steps = [KeyPress(named: "ctrl+pagedown"): 1, KeyPress(named: "ctrl+pageup"): -1]
    guard let step = steps[press] else { return super.keyDown(press) }
    move(by: step)
    return true
  }

  override public func perform(_ command: Command) -> Bool {
    guard isFirstResponder, case .move(let movement) = command else { return false }
    switch movement {
    case .left: move(by: -1)
    case .right: move(by: 1)
    case .lineStart, .start: propose(selectedIndex: 0)
    case .lineEnd, .end: propose(selectedIndex: pages.count - 1)
    case .up, .down, .wordLeft, .wordRight, .pageUp, .pageDown: return false
    }
    return true
  }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    guard event.action == .press(.left), event.position.y == 0 else { return false }
    let tab = tabs(in: bounds.width).first { $0.place.contains(event.position) }
    if let tab { propose(selectedIndex: tab.index) }
    return tab != nil
  }

  // MARK: - Layout

  /// Returns the indices and places of the visible titles. If there is no room for all, they begin
  /// with a later one, so that the selected one is visible.
  package func tabs(in width: Int) -> [(index: Int, place: Rect)] {
    let lengths = pages.map { $0.title.cellWidth.plus(2) }
    var first = 0
    while first < index, lengths[first...index].reduce(0, { $0.plus($1) }) > width { first += 1 }
    var x = 0
    return pages.indices.dropFirst(first).compactMap { index in
      let length = min(lengths[index], width - x)
      defer { x += length }
      return length > 0 ? (index, Rect(x: x, y: 0, width: length, height: 1)) : nil
    }
  }

  override public func wantedExtent(in room: Size) -> Extent {
    let inside = Size(width: room.width, height: max(room.height.minus(1), 0))
    let extents = pages.map { $0.content.extent(in: inside) }
    let titles = pages.reduce(0) { $0.plus($1.title.cellWidth.plus(2)) }
    let widths = extents.map(\.width)
    let heights = extents.map(\.height)
    return Extent(
      width: widths.contains(nil) ? nil : max(titles, widths.compactMap { $0 }.max() ?? 0),
      height: heights.contains(nil) ? nil : (heights.compactMap { $0 }.max() ?? 0).plus(1))
  }

  override public func layoutSubviews() {
    let page = Rect(x: 0, y: 1, width: bounds.width, height: max(bounds.height - 1, 0))
    for view in subviews { view.frame = page }
  }
}

/// The content of a tab. It is hidden while another tab is selected, so that the views in it need
/// not be.
@MainActor
final class TabPage: View {
  var title: String
  let content: View
  /// The view that had the focus when the tab was last visible.
  weak var focused: View?

  init(_ title: String, _ content: View) {
    self.title = title
    self.content = content
    super.init()
    addSubview(content)
  }

  override func wantedExtent(in room: Size) -> Extent { content.extent(in: room) }
}

extension Reactive where Base: TabView {
  /// The index of the visible tab: the current one, then the one after each change by the user.
  @MainActor public var selectedIndex: ControlProperty<Int> {
    ControlProperty(
      of: base, changes: { $0.rDelegate.stream(\.tabViewDidChange).map { _ in } },
      get: { $0.selectedIndex }, set: { $0.selectedIndex = $1 })
  }
}
