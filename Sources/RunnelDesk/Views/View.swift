import RunnelProxies
import RunnelStreams

/// A rectangular part of a window that can contain other views and handle input.
///
///     let form = StackView(.vertical, [Label("Name"), nameField, saveButton])
///     window.content = form
///
/// A view holds state and reports its changes. It does not draw itself: a ``Backend`` displays it
/// and reports the user's input.
@MainActor
open class View: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// The view that contains this view.
  public private(set) weak var superview: View?
  /// The views in this view, from back to front.
  public private(set) var subviews: [View] = []
  /// The window that shows this view as its root.
  weak var hostOfRoot: (any ViewHost)?

  /// The position and size in ``superview``, in cells.
  public var frame = Rect.zero

  /// True if the view and its subviews are not shown.
  public var isHidden = false {
    didSet { if isHidden != oldValue { availabilityChanged() } }
  }

  /// True if the user can use the view. Disabling a view disables its subviews too.
  public var isEnabled = true {
    didSet { if isEnabled != oldValue { availabilityChanged() } }
  }

  /// A fixed width that replaces the requested one; nil for none.
  public var width: Int? { didSet { needsDisplay() } }
  /// A fixed height that replaces the requested one; nil for none.
  public var height: Int? { didSet { needsDisplay() } }

  /// The text that says what is wrong with the value of the view; nil if nothing is. A ``Form`` shows
  /// it below the view, and a ``TextField`` elsewhere shows it at its end.
  public var validationMessage: String? {
    didSet { if validationMessage != oldValue { needsDisplay() } }
  }

  /// A short explanation that appears when the mouse rests on the view; nil for that of
  /// ``superview``. While the view, or a view in it, has the focus, a status bar without text shows
  /// it.
  public var toolTip: String? { didSet { if toolTip != oldValue { needsDisplay() } } }

  /// The context menu, as an object that only the folder of menus knows.
  var storedContextMenu: AnyObject?

  /// The choices that replace the context menu, for what is at the caret; none to open the menu.
  var contextChoices: [ContextChoice] { [] }

  /// The name of the view for people who do not see it. It replaces the label in
  /// ``accessibility``, for example for a field with a label next to it; nil for none.
  public var accessibilityLabel: String? { didSet { needsDisplay() } }

  /// Creates an empty view.
  public init() {}

  // MARK: - Overridable methods

  /// Returns the extent that the view requests of the available space; nil for all of it.
  open func wantedExtent(in room: Size) -> Extent { Extent() }

  /// Sets the frames of the subviews. The default gives each subview the whole bounds.
  open func layoutSubviews() {
    for view in subviews { view.frame = bounds }
  }

  /// True if the view can have the focus.
  open var canBecomeFirstResponder: Bool { false }

  /// Returns true if the view accepts the focus. Called before it gets the focus.
  open func shouldBecomeFirstResponder() -> Bool { true }

  /// Returns true if the view gives up the focus. Called before another view gets the focus.
  open func shouldResignFirstResponder() -> Bool { true }

  /// Called when the view has got the focus.
  open func didBecomeFirstResponder() {}

  /// Called when the view has lost the focus.
  open func didResignFirstResponder() {}

  /// Called before ``didBecomeFirstResponder()`` if the focus has moved along the focus order of the
  /// window, for example because Tab was pressed. It must not call out.
  func focusEntersInOrder() {}

  /// True if the view gets the keys that menu items leave to a text.
  var getsLeftKeys: Bool { false }

  /// The part of the view, in its own coordinates, next to which a key opens the context menu. The
  /// default is the first row.
  open var contextMenuAnchor: Rect {
    Rect(x: 0, y: 0, width: bounds.width, height: min(bounds.height, 1))
  }

  /// Handles a key press while this view or a view in it has the focus. Returns true if the key
  /// press was handled; otherwise `superview` receives it.
  ///
  /// The default performs the command that the application's ``KeyBindings`` assign to the key, or
  /// inserts the text that the key types.
  open func keyDown(_ press: KeyPress) -> Bool {
    if let command = host?.command(for: press), perform(command) { return true }
    guard let text = press.text else { return false }
    return insert(String(text))
  }

  /// Performs a command. Returns true if the command was handled.
  open func perform(_ command: Command) -> Bool { false }

  /// Inserts typed or pasted text. Returns true if the text was handled.
  open func insert(_ text: String) -> Bool { false }

  /// Inserts a word with the spaces after it, as if its keys were pressed one by one. Returns false,
  /// and changes nothing, if the keys should be handled one by one.
  func typeWord(_ word: String) -> Bool { false }

  /// Handles a mouse event at a position in the view's own coordinates. Returns true if the event
  /// was handled; otherwise `superview` receives it.
  ///
  /// `clicks` is the click count of a press, drag or release: 2 for a double click.
  open func mouse(_ event: MouseEvent, clicks: Int) -> Bool { false }

  /// The description of the view for people who do not see it; nil for a view that only contains
  /// others.
  open var accessibility: Accessibility? { nil }

  /// True if a change of ``accessibility`` is read aloud, and not only its first value.
  var readsChanges: Bool { true }

  /// True if the view handles Return itself while it has the focus.
  var usesReturn: Bool { false }

  /// Requests a redraw by the backend.
  public func needsDisplay() {
    host?.needsDisplay()
  }
}

// MARK: - View hierarchy

extension View {
  /// Adds a view in front of the other subviews.
  public func addSubview(_ view: View) {
    insertSubview(view, at: subviews.count)
  }

  /// Inserts a view at an index of the subviews. A focused view keeps the focus, unless it moves to
  /// another window.
  public func insertSubview(_ view: View, at index: Int) {
    exchange(nil, for: view, at: index)
  }

  /// Removes the view from its superview.
  public func removeFromSuperview() {
    superview?.exchange(self, for: nil)
  }

  /// Removes one subview and inserts another at an index. Callbacks, for example of a view that
  /// loses the focus, run after the hierarchy has changed.
  func exchange(_ old: View?, for new: View?, at index: Int = .max) {
    precondition(
      new?.contains(self) != true,
      "A view cannot be inserted into itself or its subviews. Remove it from there first.")
    let former = new?.host
    // The old view may be elsewhere by now, even in the new one.
    if old?.superview === self { old?.leave() }
    if let new {
      new.leave()
      subviews.insert(new, at: min(max(index, 0), subviews.count))
      new.superview = self
    }
    if former !== host { former?.availabilityChanged() }
    availabilityChanged()
  }

  private func leave() {
    if let superview { superview.subviews = superview.subviews.filter { $0 !== self } }
    superview = nil
  }

  /// Returns true if a view is this view or inside it.
  public func contains(_ view: View) -> Bool {
    sequence(first: view, next: \.superview).contains { $0 === self }
  }

  private var root: View {
    var view = self
    while let next = view.superview { view = next }
    return view
  }

  /// The window that contains the view, as far as views know it.
  var host: (any ViewHost)? { root.hostOfRoot }

  /// The view's own rectangle; its origin is zero.
  public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// The position and size in the window.
  public var frameInWindow: Rect {
    sequence(first: self, next: \.superview).dropFirst().reduce(frame) { frame, view in
      frame.offset(byX: view.frame.minX, y: view.frame.minY)
    }
  }

  /// True if the view is the first responder of its window.
  public var isFirstResponder: Bool { host?.firstResponder === self }

  /// True if the view is the first responder of the key window, and the application is active.
  public var hasFocus: Bool {
    guard let host, host.firstResponder === self else { return false }
    return host.hasFocus
  }

  /// True if neither the view nor an ancestor is hidden or disabled.
  public var isAvailable: Bool {
    sequence(first: self, next: \.superview).allSatisfy { !$0.isHidden && $0.isEnabled }
  }

  /// True if the user can use the view: it is available and in a window.
  var canBeUsed: Bool { isAvailable && host != nil }

  func layoutTree() {
    layoutSubviews()
    for view in subviews where !view.isHidden { view.layoutTree() }
  }

  /// Returns the frontmost view at a position in the view's own coordinates.
  func view(at point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      let inside = Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
      if let found = view.view(at: inside) { return found }
    }
    return self
  }

  /// The view and all views in it, in reading order.
  var tree: [View] { [self] + subviews.flatMap(\.tree) }

  private func availabilityChanged() {
    host?.availabilityChanged()
  }
}

extension Reactive where Base: View {
  /// True if the view is not shown.
  @MainActor public var isHidden: Binder<Bool> { Binder(base) { $0.isHidden = $1 } }

  /// True if the user can use the view.
  @MainActor public var isEnabled: Binder<Bool> { Binder(base) { $0.isEnabled = $1 } }

  /// The text that says what is wrong with the value; nil if nothing is.
  @MainActor public var validationMessage: Binder<String?> {
    Binder(base) { $0.validationMessage = $1 }
  }

  /// The explanation that appears when the mouse rests on the view.
  @MainActor public var toolTip: Binder<String?> { Binder(base) { $0.toolTip = $1 } }
}
