import RunnelProxies
import RunnelStreams

/// A part of a window: where it is, what is in it, and what it does with keys and the mouse.
///
///     let form = StackView(.vertical, [Label("Name"), nameField, saveButton])
///     window.content = form
///
/// A view keeps state and tells of it. It does not draw: a ``Backend`` shows it, and proposes what
/// the person in front of the screen does.
@MainActor
open class View: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// What it is in.
  public private(set) weak var superview: View?
  /// What is in it, from the back to the front.
  public private(set) var subviews: [View] = []
  /// The window whose outermost view it is.
  weak var windowOfRoot: Window?

  /// Where it is in ``superview``, in cells.
  public var frame = Rect.zero

  /// Whether it, and what is in it, is left out.
  public var isHidden = false {
    didSet { if isHidden != oldValue { availabilityChanged() } }
  }

  /// Whether it, and what is in it, can be used.
  public var isEnabled = true {
    didSet { if isEnabled != oldValue { availabilityChanged() } }
  }

  /// How wide it is to be, whatever it wants by itself.
  public var width: Int? { didSet { needsDisplay() } }
  /// How high it is to be, whatever it wants by itself.
  public var height: Int? { didSet { needsDisplay() } }

  /// An empty view.
  public init() {}

  // MARK: - For those who make views

  /// How much room it wants of what there is; nil for as much as it can get.
  open func wantedExtent(in room: Size) -> Extent { Extent() }

  /// Gives each subview its frame. Here, each gets all of the room.
  open func layoutSubviews() {
    for view in subviews { view.frame = bounds }
  }

  /// Whether it can have the focus.
  open var canBecomeFirstResponder: Bool { false }

  /// Asked before it gets the focus.
  open func shouldBecomeFirstResponder() -> Bool { true }

  /// Asked before it loses the focus to another view.
  open func shouldResignFirstResponder() -> Bool { true }

  /// Told when it has got the focus.
  open func didBecomeFirstResponder() {}

  /// Told when it has lost the focus.
  open func didResignFirstResponder() {}

  /// A key was pressed while it, or a view in it, has the focus. Returns whether it was of use;
  /// else ``superview`` is asked. Here, a key that the application's ``KeyBindings`` know is a
  /// command, and one that types something is text.
  open func keyDown(_ press: KeyPress) -> Bool {
    if let command = window?.application?.keyBindings[press], perform(command) { return true }
    guard let text = press.text else { return false }
    return insert(String(text))
  }

  /// Does what a command says. Returns whether it could.
  open func perform(_ command: Command) -> Bool { false }

  /// Takes text that was typed or pasted. Returns whether it could.
  open func insert(_ text: String) -> Bool { false }

  /// Something was done with the mouse in it, at a place in its own coordinates: for the
  /// how-manieth time in short order, if a button was pressed. Returns whether it was of use; else
  /// ``superview`` is asked.
  open func mouse(_ event: MouseEvent, clicks: Int) -> Bool { false }

  /// Says that it looks different now: the backend shows it soon.
  public func needsDisplay() {
    window?.needsDisplay()
  }
}

// MARK: - What is in it

extension View {
  /// Puts a view in front of the others in this one.
  public func addSubview(_ view: View) {
    insertSubview(view, at: subviews.count)
  }

  /// Puts a view in front of so many others. One that has the focus keeps it, unless it comes into
  /// another window.
  public func insertSubview(_ view: View, at index: Int) {
    exchange(nil, for: view, at: index)
  }

  /// Takes it out of what it is in.
  public func removeFromSuperview() {
    superview?.exchange(self, for: nil)
  }

  /// Takes a view out of this one, and puts another one in front of so many others. Who is told of
  /// it, such as a view that loses the focus, sees all views where they are then.
  func exchange(_ old: View?, for new: View?, at index: Int = .max) {
    precondition(
      new?.contains(self) != true,
      "A view cannot be put into itself or what is in it. Take it out of there first.")
    let former = new?.window
    // It may be elsewhere by now, in the new one even.
    if old?.superview === self { old?.leave() }
    if let new {
      new.leave()
      subviews.insert(new, at: min(max(index, 0), subviews.count))
      new.superview = self
    }
    if former !== window { former?.availabilityChanged() }
    availabilityChanged()
  }

  private func leave() {
    if let superview { superview.subviews = superview.subviews.filter { $0 !== self } }
    superview = nil
  }

  /// Whether a view is this one, or in it.
  public func contains(_ view: View) -> Bool {
    sequence(first: view, next: \.superview).contains { $0 === self }
  }

  /// The outermost view that it is in.
  private var root: View {
    var view = self
    while let next = view.superview { view = next }
    return view
  }

  /// The window that it is in.
  public var window: Window? { root.windowOfRoot }

  /// Its own room; the upper left corner is zero.
  public var bounds: Rect { Rect(origin: .zero, size: frame.size) }

  /// Where it is in the window.
  public var frameInWindow: Rect {
    sequence(first: self, next: \.superview).dropFirst().reduce(frame) { frame, view in
      frame.offset(byX: view.frame.minX, y: view.frame.minY)
    }
  }

  /// Whether it is what keys go to.
  public var isFirstResponder: Bool { window?.firstResponder === self }

  /// Whether it is what keys go to, and its window is the one in front of all.
  public var hasFocus: Bool {
    guard let window, window.firstResponder === self else { return false }
    return window.isKey && window.application?.isActive != false
  }

  /// Whether it, and all that it is in, is there and can be used.
  public var isAvailable: Bool {
    sequence(first: self, next: \.superview).allSatisfy { !$0.isHidden && $0.isEnabled }
  }

  /// Whether a person can do something with it.
  var canBeUsed: Bool { isAvailable && window != nil }

  /// Puts what is in it in order, and what is in that.
  func layoutTree() {
    layoutSubviews()
    for view in subviews where !view.isHidden { view.layoutTree() }
  }

  /// The foremost view at a place, in its own coordinates.
  func view(at point: Point) -> View? {
    guard !isHidden, bounds.contains(point) else { return nil }
    for view in subviews.reversed() {
      let inside = Point(x: point.x - view.frame.minX, y: point.y - view.frame.minY)
      if let found = view.view(at: inside) { return found }
    }
    return self
  }

  /// It and all that is in it, as one reads.
  var tree: [View] { [self] + subviews.flatMap(\.tree) }

  private func availabilityChanged() {
    window?.availabilityChanged()
  }
}

extension Reactive where Base: View {
  /// Whether the view is left out.
  @MainActor public var isHidden: Binder<Bool> { Binder(base) { $0.isHidden = $1 } }

  /// Whether the view can be used.
  @MainActor public var isEnabled: Binder<Bool> { Binder(base) { $0.isEnabled = $1 } }
}
