import RunnelStreams

/// An entry of a ``Menu``, activated with Return, the mouse, or its key equivalent from anywhere in
/// the window. A menu of the menu bar and a context menu may have the same items.
///
///     let bold = MenuItem("Bold", key: "ctrl+b")
///     bold.rx.activate.observeNext { [weak bold] in bold?.isChecked.toggle() }
@MainActor
public final class MenuItem: LifetimeOwner {
  /// The lifetime of the item, for `rx.deallocated()`.
  public let lifetime = Lifetime()

  /// The text of the item.
  public var title: String { didSet { needsDisplay() } }
  /// The key that activates the item while its menu is closed; nil for none.
  public var keyEquivalent: KeyPress? { didSet { needsDisplay() } }
  /// True if a ``TextView`` with the focus gets the key instead, for example Alt+Up, with which it moves lines.
  public var leavesKeyToText = false
  /// True if the item can be chosen.
  public var isEnabled = true { didSet { needsDisplay() } }
  /// True if the item shows a check mark.
  public var isChecked = false { didSet { needsDisplay() } }
  /// True if the item is a line between other items.
  public let isSeparator: Bool
  /// The command that the focused view performs when the item is activated; nil for none.
  public let command: Command?
  /// The menu that contains the item: the last one that it was added to.
  public internal(set) weak var menu: Menu?

  let activations = PushStream<Void>()

  /// Creates an item; the key is named as in "ctrl+s". Traps if the name is invalid. If there is a
  /// command, the item lets the focused view of its window perform it, as in
  /// `MenuItem("Copy", key: "ctrl+c", command: .copy)`.
  public init(_ title: String, key: String? = nil, command: Command? = nil) {
    self.title = title
    self.command = command
    keyEquivalent = key.map { KeyPress(named: $0) }
    isSeparator = false
  }

  private init() {
    title = ""
    command = nil
    isSeparator = true
  }

  /// A new separator line.
  public static var separator: MenuItem { MenuItem() }

  /// Activates the item as the user would: if it can be chosen and the delegate of its menu agrees.
  /// Returns true if it was activated.
  @discardableResult
  public func activate() -> Bool {
    guard canBeChosen else { return false }
    if let menu, menu.delegate?.menu(menu, shouldActivate: self) == false { return false }
    let window = menu?.bar?.window ?? menu?.panel?.window
    activations.next(())
    if let command { window?.tryToPerform(command) }
    return true
  }

  var canBeChosen: Bool { isEnabled && !isSeparator }

  private func needsDisplay() { menu?.needsDisplay() }
}

extension Reactive where Base: MenuItem {
  /// Sends an element when the item is activated.
  @MainActor public var activate: ControlEvent<Void> { ControlEvent(base.activations, of: base) }

  /// The text of the item.
  @MainActor public var title: Binder<String> { Binder(base) { $0.title = $1 } }

  /// True if the item can be chosen.
  @MainActor public var isEnabled: Binder<Bool> { Binder(base) { $0.isEnabled = $1 } }

  /// True if the item shows a check mark.
  @MainActor public var isChecked: Binder<Bool> { Binder(base) { $0.isChecked = $1 } }
}
