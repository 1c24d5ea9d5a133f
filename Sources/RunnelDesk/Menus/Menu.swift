import RunnelProxies
import RunnelStreams

/// What is told and asked when a menu is used.
@Proxied
@MainActor
public protocol MenuDelegate: AnyObject {
  /// It is about to be seen: the time to bring its items up to date. The key of an item works
  /// without.
  @Default func menuWillOpen(_ menu: Menu)
  /// It is not seen any more.
  @Default func menuDidClose(_ menu: Menu)
  /// Whether an item of it may do what it is for.
  @Default(true) func menu(_ menu: Menu, shouldActivate item: MenuItem) -> Bool
}

/// A list of things to do, which a ``MenuBar`` opens.
///
///     let quit = MenuItem("Quit", key: "ctrl+q")
///     let file = Menu("File", [MenuItem("New", key: "ctrl+n"), .separator, quit])
///     quit.rx.activate.observeNext { application.terminate() }
///     window.menuBar = MenuBar([file])
@MainActor
public final class Menu: ProxyHost {
  /// The proxies of its delegates.
  public let proxies = ProxyStore()

  /// Who is told and asked when it is used.
  public weak var delegate: (any MenuDelegate)?

  /// The proxy of ``delegate``.
  public var rDelegate: MenuDelegateProxy { proxy(for: \.delegate) }

  /// What stands in the bar.
  public var title: String { didSet { needsDisplay() } }

  /// What there is to choose, from above to below.
  public var items: [MenuItem] {
    didSet {
      for item in oldValue where item.menu === self { item.menu = nil }
      adoptItems()
    }
  }

  /// The bar that it is in.
  public internal(set) weak var bar: MenuBar?

  /// A menu.
  public init(_ title: String, _ items: [MenuItem] = []) {
    self.title = title
    self.items = items
    adoptItems()
  }

  private func adoptItems() {
    for item in items { item.menu = self }
    needsDisplay()
  }

  func needsDisplay() { bar?.needsDisplay() }
}
