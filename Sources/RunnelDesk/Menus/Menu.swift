import RunnelProxies
import RunnelStreams

/// The delegate of a ``Menu``, which is notified of changes and can veto the activation of items.
@Proxied
@MainActor
public protocol MenuDelegate: AnyObject {
  /// Called before the menu opens: update its items here. Key equivalents work without opening the
  /// menu.
  @Default func menuWillOpen(_ menu: Menu)
  /// Called after the menu has closed.
  @Default func menuDidClose(_ menu: Menu)
  /// Returns true if the item may be activated.
  @Default(true) func menu(_ menu: Menu, shouldActivate item: MenuItem) -> Bool
}

/// A list of items that a ``MenuBar`` opens, or a view as its ``View/contextMenu``.
///
///     let quit = MenuItem("Quit", key: "ctrl+q")
///     let file = Menu("File", [MenuItem("New", key: "ctrl+n"), .separator, quit])
///     quit.rx.activate.observeNext { application.terminate() }
///     window.menuBar = MenuBar([file])
@MainActor
public final class Menu: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// The delegate that receives the menu's notifications.
  public weak var delegate: (any MenuDelegate)? { didSet { keepProxy(for: \.delegate) } }

  /// The proxy of ``delegate``.
  public var rDelegate: MenuDelegateProxy { proxy(for: \.delegate) }

  /// The title in the menu bar.
  public var title: String { didSet { needsDisplay() } }

  /// The letter that opens the menu in a menu bar together with Alt; nil for a letter of the title. See
  /// ``MenuBar/mnemonic(of:)``.
  public var mnemonic: Character? { didSet { needsDisplay() } }

  /// The items from top to bottom.
  public var items: [MenuItem] {
    didSet {
      for item in oldValue where item.menu === self { item.menu = nil }
      adoptItems()
    }
  }

  /// The menu bar that contains the menu.
  public internal(set) weak var bar: MenuBar?

  /// The panel that shows the menu while it is open.
  weak var panel: MenuPanel?

  /// Creates a menu.
  public init(_ title: String, _ items: [MenuItem] = []) {
    self.title = title
    self.items = items
    adoptItems()
  }

  /// Notifies the delegate before the menu opens, so that it can update the items. A backend with
  /// native menus calls it.
  package func willOpen() { delegate?.menuWillOpen(self) }

  /// Notifies the delegate after the menu has closed.
  package func didClose() { delegate?.menuDidClose(self) }

  private func adoptItems() {
    for item in items { item.menu = self }
    needsDisplay()
  }

  func needsDisplay() {
    bar?.needsDisplay()
    panel?.needsDisplay()
    // A context menu may have the same items.
    bar?.window?.menuPanel?.needsDisplay()
  }
}
