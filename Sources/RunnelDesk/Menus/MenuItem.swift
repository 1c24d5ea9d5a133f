import RunnelStreams

/// Something to choose in a ``Menu``: with Return, with the mouse, or with its key from anywhere in
/// the window.
///
///     let bold = MenuItem("Bold", key: "ctrl+b")
///     bold.rx.activate.observeNext { [weak bold] in bold?.isChecked.toggle() }
@MainActor
public final class MenuItem: LifetimeOwner {
  /// Its life: `rx.deallocated()`.
  public let lifetime = Lifetime()

  /// What it says.
  public var title: String { didSet { needsDisplay() } }
  /// The key that activates it where its menu is not open; nil if there is none.
  public var keyEquivalent: KeyPress? { didSet { needsDisplay() } }
  /// Whether it can be chosen.
  public var isEnabled = true { didSet { needsDisplay() } }
  /// Whether a mark stands before it.
  public var isChecked = false { didSet { needsDisplay() } }
  /// Whether it is a line between others, and nothing to choose.
  public let isSeparator: Bool
  /// The menu that it is in.
  public internal(set) weak var menu: Menu?

  let activations = PushStream<Void>()

  /// Something to choose; the key by its name, such as "ctrl+s". Traps where that names no key.
  public init(_ title: String, key: String? = nil) {
    self.title = title
    keyEquivalent = key.map { KeyPress(named: $0) }
    isSeparator = false
  }

  private init() {
    title = ""
    isSeparator = true
  }

  /// A new line between others.
  public static var separator: MenuItem { MenuItem() }

  /// Activates it, as a person does: where it can be chosen, and the delegate of its menu agrees.
  /// Returns whether it was activated.
  @discardableResult
  public func activate() -> Bool {
    guard canBeChosen else { return false }
    if let menu, menu.delegate?.menu(menu, shouldActivate: self) == false { return false }
    activations.next(())
    return true
  }

  var canBeChosen: Bool { isEnabled && !isSeparator }

  private func needsDisplay() { menu?.needsDisplay() }
}

extension Reactive where Base: MenuItem {
  /// Sends when the item is activated.
  @MainActor public var activate: ControlEvent<Void> { ControlEvent(base.activations, of: base) }

  /// What the item says.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }

  /// Whether it can be chosen.
  @MainActor public var isEnabled: Binder<Bool> { Binder(base) { $0.isEnabled = $1 } }

  /// Whether a mark stands before it.
  @MainActor public var isChecked: Binder<Bool> { Binder(base) { $0.isChecked = $1 } }
}
