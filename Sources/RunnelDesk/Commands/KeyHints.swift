import RunnelText

/// A row with the keys that can be used now, such as "F1 Help  Ctrl+N New  Ctrl+Q Quit".
///
///     let save = MenuItem("Save", key: "ctrl+s")
///     window.menuBar = MenuBar([Menu("File", [save])])
///     let hints = KeyHints()
///     window.content = StackView(.vertical, [list, hints])
///     hints.items = [save]  // Shows only this item, and the key that quits.
///
/// The hints come from the menu items of the front window and follow their changes. Hints that do
/// not fit are left out. The key that quits is always shown if there is room for one hint. A click
/// on a hint has the effect of its key.
@MainActor
public final class KeyHints: View {
  /// The items to show, the most important first; nil for all items that have a key: the item of F1,
  /// the command palette, and then the others in the order of the menus.
  public var items: [MenuItem]? {
    // The old items are released after the assignment.
    didSet { withExtendedLifetime(oldValue) { needsDisplay() } }
  }

  /// Creates a row of hints.
  public init(_ items: [MenuItem]? = nil) {
    self.items = items
  }

  /// The description for people who do not see the control: the keys, without those of buttons and
  /// the one that quits.
  override public var accessibility: Accessibility? {
    let texts = itemHints.filter { !$0.key.isEmpty }.map { "\($0.key) \($0.title)" }
    return Accessibility(.status, value: texts.joined(separator: ", "))
  }

  // The keys often change with the focus and the selection.
  override var readsChanges: Bool { false }

  override public func wantedExtent(in room: Size) -> Extent { Extent(height: 1) }

  override public func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    let hint = placedHints.first { $0.columns.contains(event.position.x) }?.hint
    return click(with: event) { hint?.run() }
  }

  // MARK: - Hints

  package struct Hint {
    package let key: String
    package let title: String
    let run: @MainActor () -> Void

    var width: Int { key.cellWidth.plus(title.cellWidth).plus(1) }
  }

  /// The hints that fit, and the columns that each of them occupies.
  package var placedHints: [(hint: Hint, columns: Range<Int>)] {
    let quit = quitHint
    let end = bounds.width - 1
    // The space for the key that quits is reserved.
    let limit = quit.map { end - $0.width - 2 } ?? end
    var placed: [(hint: Hint, columns: Range<Int>)] = []
    var start = 1
    for hint in hints where start.plus(hint.width) <= limit {
      placed.append((hint, start..<start + hint.width))
      start += hint.width + 2
    }
    if let quit, start + quit.width <= end { placed.append((quit, start..<start + quit.width)) }
    return placed
  }

  private var hints: [Hint] {
    guard let window = window?.application?.keyWindow else { return [] }
    // The items of a window behind a dialog cannot be used.
    let showsButtons = items == nil || window !== self.window
    return itemHints + (showsButtons ? buttonHints(in: window) : [])
  }

  /// The hints for menu items and for the command palette.
  private var itemHints: [Hint] {
    let bar = window?.application?.keyWindow?.menuBar
    let usable = bar?.usableItems ?? []
    if let items {
      return items.filter { item in usable.contains { $0 === item } }.map(hint)
    }
    let help = usable.filter { $0.keyEquivalent == KeyPress(.function(1)) }
    let others = usable.filter { $0.keyEquivalent != KeyPress(.function(1)) && !isQuit($0) }
    let palette = bar?.usablePaletteKey.map { key in
      Hint(key: key.label, title: "Commands") { [weak bar] in bar?.openPalette() }
    }
    return help.map(hint) + [palette].compactMap { $0 } + others.map(hint)
  }

  private func hint(for item: MenuItem) -> Hint {
    Hint(key: item.keyEquivalent?.label ?? "", title: item.title) { [weak item] in
      item?.activate()
    }
  }

  /// The hints for Return and Esc in a window with buttons for them, such as an alert.
  private func buttonHints(in window: Window) -> [Hint] {
    let bindings = window.application?.keyBindings
    func hint(_ button: Button?, _ command: Command) -> Hint? {
      guard let button, button.canBeUsed, let key = bindings?.key(for: command) else { return nil }
      return Hint(key: key.label, title: button.title) { [weak button] in button?.press() }
    }
    let focused = window.firstResponder
    // A control that handles Return gets it, otherwise the default button.
    let pressed = focused?.usesReturn == true ? focused as? Button : window.defaultButton
    return [hint(pressed, .insertNewline), hint(window.cancelButton, .cancel)].compactMap { $0 }
  }

  private var quitKey: KeyPress? { window?.application?.keyBindings.key(for: .quit) }

  private func isQuit(_ item: MenuItem) -> Bool { item.keyEquivalent == quitKey }

  /// The hint for the key that quits: the menu item with this key, or the application's command;
  /// nil if ``items`` contains the menu item.
  private var quitHint: Hint? {
    guard let application = window?.application, let key = quitKey else { return nil }
    guard let item = application.keyWindow?.menuBar?.usableItems.first(where: isQuit) else {
      return Hint(key: key.label, title: "Quit") { [weak application] in application?.terminate() }
    }
    return items?.contains { $0 === item } == true ? nil : hint(for: item)
  }
}
