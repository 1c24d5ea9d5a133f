import RunnelProxies
import RunnelStreams
import RunnelText

/// The delegate of a ``Window``, which is notified of changes and can veto closing.
@Proxied
@MainActor
public protocol WindowDelegate: AnyObject {
  /// Called when the window begins to receive key presses.
  @Default func windowDidBecomeKey(_ window: Window)
  /// Called when another window begins to receive key presses.
  @Default func windowDidResignKey(_ window: Window)
  /// Returns true if the window may be closed.
  @Default(true) func windowShouldClose(_ window: Window) -> Bool
  /// Called when the window closes.
  @Default func windowWillClose(_ window: Window)
  /// Called when the focus moves to another view; nil if no view has the focus.
  @Default func window(_ window: Window, didMoveFocusTo view: View?)
}

/// A window: a tree of views, one of which has the focus, and a menu bar.
///
///     let window = Window(title: "Notes", content: list)
///     window.makeFirstResponder(list)
///     application.show(window)
@MainActor
public final class Window: ProxyHost {
  /// The part of the screen that the window occupies.
  public enum Style: Hashable, Sendable {
    /// The whole screen.
    case full
    /// The size of its content, centred, with a border.
    case dialog
  }

  /// The place of the menus in a window of a desktop. A terminal always shows a menu bar.
  public enum MenuStyle: Hashable, Sendable {
    /// A row of titles above the content.
    case menuBar
    /// A button in the title bar that opens all menus. The content also takes the row that a menu bar would have.
    case headerBar
  }

  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// The delegate that receives the window's notifications.
  public weak var delegate: (any WindowDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: WindowDelegateProxy { proxy(for: \.delegate) }

  /// The title of the window.
  public var title: String { didSet { needsDisplay() } }
  /// The part of the screen that the window occupies.
  public let style: Style
  /// The place of the menus in a window of a desktop. Traps if it is set while the window is shown.
  public var menuStyle = MenuStyle.menuBar {
    didSet { precondition(application == nil, "Set `menuStyle` before the window is shown.") }
  }
  /// The application that shows it.
  public internal(set) weak var application: Application?
  /// The view that receives key presses.
  public internal(set) weak var firstResponder: View?
  /// The view that fills the window.
  public var content: View {
    didSet {
      if content === oldValue { return }
      root.exchange(oldValue, for: content, at: root.searchField == nil ? 0 : 1)
    }
  }

  /// The menu bar above the content, if any.
  public var menuBar: MenuBar? {
    didSet {
      if menuBar === oldValue { return }
      root.exchange(oldValue, for: menuBar)
    }
  }

  /// The field in which the user searches what the window shows, if any. It is above the content. A
  /// window with ``MenuStyle/headerBar`` shows it in the title bar.
  ///
  ///     let search = TextField(placeholder: "Search")
  ///     window.searchField = search
  public var searchField: TextField? {
    didSet {
      if searchField === oldValue { return }
      root.exchange(oldValue, for: searchField, at: 0)
    }
  }

  /// The button that Return presses when no view handles the key.
  public weak var defaultButton: Button? { didSet { needsDisplay() } }
  /// The button that Esc presses when no view handles the key.
  public weak var cancelButton: Button?

  let root = RootView()
  package var rootView: View { root }
  /// The view that was last informed that it has the focus.
  weak var notifiedResponder: View?
  /// The focus order that was set explicitly; nil for the default order.
  var ownFocusOrder: [View]?

  /// Creates a window that shows a view.
  public init(title: String = "", style: Style = .full, content: View = View()) {
    self.title = title
    self.style = style
    self.content = content
    root.hostOfRoot = self
    root.addSubview(content)
  }

  /// True if the backend shows the menus in a header bar. There is no menu bar then.
  package var hasHeaderBar: Bool {
    style == .full && menuStyle == .headerBar && application?.backend.showsHeaderBars == true
  }

  /// True if the window shows a menu bar above its content.
  var showsMenuBar: Bool { style == .full && !hasHeaderBar && menuBar?.isHidden == false }

  /// True if the window receives key presses.
  public var isKey: Bool { application?.keyWindow === self }

  func needsDisplay() {
    application?.needsDisplay()
  }

  /// Closes the window if its delegate agrees. Closing the last window terminates the application,
  /// if its delegate agrees too.
  public func close() {
    guard let application else { return }
    if application.windows.count == 1 { return application.terminate() }
    if delegate?.windowShouldClose(self) == false { return }
    guard self.application === application else { return }
    // The delegate may have closed the other windows.
    if application.windows.count == 1 { return application.terminate() }
    application.remove(self)
    delegate?.windowWillClose(self)
  }

  func notifyDidBecomeKey() { delegate?.windowDidBecomeKey(self) }

  func notifyDidResignKey() {
    menuPanel?.close()
    delegate?.windowDidResignKey(self)
  }

  // MARK: - Keys and mouse

  /// A view above all others, such as an open menu. It covers the whole screen and receives all key
  /// presses and mouse events.
  package var overlay: View? {
    didSet {
      if overlay === oldValue { return }
      oldValue?.hostOfRoot = nil
      overlay?.hostOfRoot = self
      withExtendedLifetime(oldValue) { availabilityChanged() }
    }
  }

  /// The key press that the views receive now, and its command. It is nil after a nested `keyDown` or
  /// a change of the key bindings; then the bindings are asked.
  var currentPress: (press: KeyPress, command: Command?)?

  /// True while a key press with Shift is handled.
  var isShiftPressed: Bool { currentPress?.press.modifiers.contains(.shift) == true }

  /// Returns true if a view, a menu or a binding has used the key press.
  func keyDown(_ press: KeyPress) -> Bool {
    if let overlay { return overlay.keyDown(press) }
    currentPress = (press, application?.keyBindings[press])
    defer { currentPress = nil }
    // The focused view handles keys that type text before the menu bar does.
    let types = press.text != nil
    if !types && menuBar?.performKeyEquivalent(press) == true { return true }
    let chain = firstResponder.map { Array(sequence(first: $0, next: \.superview)) } ?? [root]
    for view in chain where view.keyDown(press) { return true }
    if types && menuBar?.performKeyEquivalent(press) == true { return true }
    if application?.contextMenuKeys.contains(press) == true, openContextMenu() { return true }
    guard let application else { return false }
    let command = command(for: press)
    let isUsed = command.map(perform) ?? false
    if !isUsed && menuBar?.openWithMnemonic(press) == true { return true }
    // The user may expect that Ctrl+C ends the program, as in a shell.
    guard press == KeyPress(.character("c"), .control), [nil, .copy].contains(command) else {
      return isUsed
    }
    application.explainQuitting()
    return true
  }

  /// Lets the focused view perform a command, or else the nearest of its superviews that can.
  /// Returns true if one of them did.
  @discardableResult
  public func tryToPerform(_ command: Command) -> Bool {
    firstResponder.map { Array(sequence(first: $0, next: \.superview)) }?
      .contains { $0.perform(command) } ?? false
  }

  /// Performs a command that no view has handled. Returns true if it means something here.
  private func perform(_ command: Command) -> Bool {
    switch command {
    case .insertTab: moveFocus(forward: true)
    case .insertBacktab: moveFocus(forward: false)
    case .insertNewline: return defaultButton?.press() ?? false
    case .cancel: return cancelButton?.press() ?? false
    case .quit: application?.terminate()
    case .move, .extend, .complete, .selectAll, .delete, .undo, .redo, .moveLinesUp, .moveLinesDown,
      .cut, .copy, .paste:
      return false
    }
    return true
  }

  /// Types a word into the focused view. Returns false if its keys should be handled one by one.
  func typeWord(_ word: Substring) -> Bool {
    guard overlay == nil, let firstResponder else { return false }
    return firstResponder.typeWord(String(word))
  }

  func paste(_ text: String) {
    guard overlay == nil, let view = firstResponder else { return }
    let text = text.withLineFeeds
    for view in sequence(first: view, next: \.superview) where view.insert(text) { return }
  }

  /// Returns the view at a position on the screen.
  package func view(at point: Point) -> View? {
    let inside = Point(x: point.x - root.frame.minX, y: point.y - root.frame.minY)
    if let overlay { return overlay.view(at: point) ?? overlay }
    return root.view(at: inside)
  }

  // MARK: - Layout

  package func layout(on screen: Size) {
    switch style {
    case .full:
      root.frame = Rect(origin: .zero, size: screen)
      root.margin = .zero
    case .dialog:
      // The border and one column of padding.
      root.margin = Size(width: 2, height: 1)
      let room = screen.shrunk(by: root.margin)
      var wanted = content.extent(in: room)
      if root.searchField != nil { wanted.height = wanted.height?.plus(1) }
      let titleWidth = title.isEmpty ? 0 : title.cellWidth + 2
      let width = max(wanted.width ?? room.width, titleWidth)
      let height = max(wanted.height ?? room.height, 0)
      let size = Size(
        width: min(width, room.width) + 2 * root.margin.width,
        height: min(height, room.height) + 2 * root.margin.height)
      root.frame = Rect(
        x: max(screen.width - size.width, 0) / 2, y: max(screen.height - size.height, 0) / 2,
        width: size.width, height: size.height)
    }
    root.layoutTree()
    overlay?.frame = Rect(origin: .zero, size: screen)
    overlay?.layoutTree()
  }
}

@MainActor
final class RootView: View {
  /// The number of cells left free on each side.
  var margin = Size.zero

  /// The search field of the window, if it is shown.
  var searchField: TextField? {
    window?.searchField.flatMap { $0.superview === self && !$0.isHidden ? $0 : nil }
  }

  override func layoutSubviews() {
    var room = bounds.inset(byX: margin.width, y: margin.height)
    func placeAbove(_ view: View, height: Int) {
      let height = min(height, room.height)
      view.frame = Rect(x: room.minX, y: room.minY, width: room.width, height: height)
      room.origin.y += height
      room.size.height -= height
    }
    if let bar = window?.menuBar { placeAbove(bar, height: window?.showsMenuBar == true ? 1 : 0) }
    if let searchField { placeAbove(searchField, height: 1) }
    window?.content.frame = room
  }
}

extension Size {
  fileprivate func shrunk(by margin: Size) -> Size {
    Size(width: max(width - 2 * margin.width, 0), height: max(height - 2 * margin.height, 0))
  }
}

extension Reactive where Base: Window {
  /// The title of the window.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}

extension Window: ViewHost {
  var hasFocus: Bool { isKey && application?.isActive != false }

  func command(for press: KeyPress) -> Command? {
    currentPress?.press == press ? currentPress?.command : application?.keyBindings[press]
  }
}

extension View {
  /// The window that contains the view.
  public var window: Window? { host as? Window }
}
