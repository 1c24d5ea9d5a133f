import RunnelProxies
import RunnelStreams
import RunnelText

/// What is told and asked when something happens to a window.
@Proxied
@MainActor
public protocol WindowDelegate: AnyObject {
  /// Keys go to it, from now on.
  @Default func windowDidBecomeKey(_ window: Window)
  /// Keys go to another window, from now on.
  @Default func windowDidResignKey(_ window: Window)
  /// Whether it may be closed.
  @Default(true) func windowShouldClose(_ window: Window) -> Bool
  /// It is closed.
  @Default func windowWillClose(_ window: Window)
  /// Another view has the focus; nil for none.
  @Default func window(_ window: Window, didMoveFocusTo view: View?)
}

/// A window: a view with all that is in it, of which one has the focus, and a menu bar.
///
///     let window = Window(title: "Notes", content: list)
///     window.makeFirstResponder(list)
///     application.show(window)
@MainActor
public final class Window: ProxyHost {
  /// How much of the screen it takes.
  public enum Style: Hashable, Sendable {
    /// All of it.
    case full
    /// What its content wants, in the middle, with a border.
    case dialog
  }

  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// Who is told and asked what happens to it.
  public weak var delegate: (any WindowDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: WindowDelegateProxy { proxy(for: \.delegate) }

  /// What stands above it.
  public var title: String { didSet { needsDisplay() } }
  /// How much of the screen it takes.
  public let style: Style
  /// The application that shows it.
  public internal(set) weak var application: Application?
  /// What keys go to.
  public internal(set) weak var firstResponder: View?
  /// What is in it.
  public var content: View {
    didSet {
      if content === oldValue { return }
      root.exchange(oldValue, for: content, at: 0)
    }
  }

  /// What stands above the content; nil if nothing does.
  public var menuBar: MenuBar? {
    didSet {
      if menuBar === oldValue { return }
      root.exchange(oldValue, for: menuBar)
      oldValue?.close()
    }
  }

  /// The button that Return presses, where nothing else takes it.
  public weak var defaultButton: Button? { didSet { needsDisplay() } }
  /// The button that Esc presses, where nothing else takes it.
  public weak var cancelButton: Button?

  /// Its outermost view.
  let root = RootView()
  /// The view that was last told that it has the focus.
  weak var toldResponder: View?
  /// The order of the focus, if it was set.
  var ownFocusOrder: [View]?

  /// A window with something in it.
  public init(title: String = "", style: Style = .full, content: View = View()) {
    self.title = title
    self.style = style
    self.content = content
    root.windowOfRoot = self
    root.addSubview(content)
  }

  /// Whether keys go to it.
  public var isKey: Bool { application?.keyWindow === self }

  func needsDisplay() {
    application?.needsDisplay()
  }

  /// Closes it, if its delegate agrees. With its last window the application ends, if it agrees to that.
  public func close() {
    guard let application else { return }
    if application.windows.count == 1 { return application.terminate() }
    if delegate?.windowShouldClose(self) == false { return }
    guard self.application === application else { return }
    // The others may have gone while it was asked.
    if application.windows.count == 1 { return application.terminate() }
    application.remove(self)
    delegate?.windowWillClose(self)
  }

  func tellDidBecomeKey() { delegate?.windowDidBecomeKey(self) }

  func tellDidResignKey() {
    menuBar?.close()
    delegate?.windowDidResignKey(self)
  }

  // MARK: - Keys and mouse

  /// What is over the rest, such as an open menu: it gets all keys and hears of every click.
  var overlay: View? {
    didSet {
      if overlay === oldValue { return }
      root.exchange(oldValue, for: overlay)
    }
  }

  func keyDown(_ press: KeyPress) {
    if let overlay {
      _ = overlay.keyDown(press)
      return
    }
    // A key that types something is first of all for who has the focus.
    let types = press.text != nil
    if !types && menuBar?.performKeyEquivalent(press) == true { return }
    let chain = firstResponder.map { Array(sequence(first: $0, next: \.superview)) } ?? [root]
    for view in chain where view.keyDown(press) { return }
    if types && menuBar?.performKeyEquivalent(press) == true { return }
    if let command = application?.keyBindings[press] { perform(command) }
  }

  /// Does what a command says where no view has use for it.
  private func perform(_ command: Command) {
    switch command {
    case .insertTab: moveFocus(forward: true)
    case .insertBacktab: moveFocus(forward: false)
    case .insertNewline: defaultButton?.press()
    case .cancel: cancelButton?.press()
    case .quit: application?.terminate()
    case .move, .extend, .complete, .selectAll, .delete, .undo, .redo, .cut, .copy, .paste: break
    }
  }

  func paste(_ text: String) {
    guard overlay == nil, let view = firstResponder else { return }
    for view in sequence(first: view, next: \.superview) where view.insert(text) { return }
  }

  /// The view at a place of the screen.
  func view(at point: Point) -> View? {
    let inside = Point(x: point.x - root.frame.minX, y: point.y - root.frame.minY)
    if let overlay { return overlay.view(at: inside) ?? overlay }
    return root.view(at: inside)
  }

  // MARK: - Layout

  /// Gives it, and all that is in it, its place on a screen.
  func layout(on screen: Size) {
    switch style {
    case .full:
      root.frame = Rect(origin: .zero, size: screen)
      root.margin = .zero
    case .dialog:
      // The border, and a column beside it.
      root.margin = Size(width: 2, height: 1)
      let room = screen.shrunk(by: root.margin)
      let wanted = content.extent(in: room)
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
  }
}

/// What all views of a window are in.
@MainActor
final class RootView: View {
  /// How many cells are left free on each side.
  var margin = Size.zero

  override func layoutSubviews() {
    var room = bounds.inset(byX: margin.width, y: margin.height)
    if let bar = window?.menuBar {
      // In a dialog there is no room for it.
      let height = bar.isHidden || window?.style == .dialog ? 0 : min(1, room.height)
      bar.frame = Rect(x: room.minX, y: room.minY, width: room.width, height: height)
      room = Rect(x: room.minX, y: bar.frame.maxY, width: room.width, height: room.height - height)
    }
    for view in subviews where view !== window?.menuBar {
      view.frame = view === window?.overlay ? bounds : room
    }
  }
}

extension Size {
  /// What is left when so many cells are taken off on each side.
  fileprivate func shrunk(by margin: Size) -> Size {
    Size(width: max(width - 2 * margin.width, 0), height: max(height - 2 * margin.height, 0))
  }
}

extension Reactive where Base: Window {
  /// What the window is called.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }
}
