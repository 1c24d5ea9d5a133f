import RunnelText

/// An open menu. It covers the whole screen, so that a click outside the menu closes it.
///
/// A menu bar opens it below the title of a menu, and other views open it at the mouse, the caret,
/// or below themselves.
@MainActor
package final class MenuPanel: View {
  package let menu: Menu
  /// The view that opened the menu. The menu closes when the view cannot be used any more.
  package private(set) weak var opener: View?
  /// Returns the cells of the screen that the menu opens below, or above if it does not fit below.
  private let anchor: () -> Rect
  private let choose: (MenuItem) -> Void
  /// The item that Return activates.
  package internal(set) weak var current: MenuItem?
  /// The number of items scrolled out at the top.
  package internal(set) var top = 0
  private let typed = TypeSelect()
  /// A closure that types a key into the text that the menu completes, and returns false for other keys. Tab chooses
  /// the current item then.
  var type: (@MainActor (KeyPress) -> Bool)?
  private var isClosed = false

  /// `choose` is called with the chosen item after the menu has closed.
  init(
    _ menu: Menu, openedBy opener: View, below anchor: @escaping () -> Rect,
    choose: @escaping (MenuItem) -> Void = { $0.activate() }
  ) {
    self.menu = menu
    self.opener = opener
    self.anchor = anchor
    self.choose = choose
  }

  private var bar: MenuBar? { opener as? MenuBar }

  // MARK: - Opening and closing

  package func close() {
    if let window, window.overlay === self { window.overlay = nil }
    finish()
  }

  /// Notifies the delegate that the menu has closed.
  func finish() {
    if isClosed { return }
    isClosed = true
    typed.forget()
    if menu.panel === self { menu.panel = nil }
    menu.didClose()
  }

  /// Closes the menu if its opener has been removed, hidden or disabled.
  func closeIfUnavailable() {
    if opener?.window === window && opener?.isAvailable == true { return }
    close()
  }

  // MARK: - The current item

  func goToFirst() { go(from: -1, by: 1) }

  /// Selects an item by its index.
  func go(to index: Int) { go(from: index - 1, by: 1) }

  /// Selects the next item that can be chosen, wrapping around at the ends.
  private func go(from start: Int?, by step: Int) {
    let items = menu.items
    guard !items.isEmpty else { return }
    let start = start ?? (step > 0 ? -1 : items.count)
    let candidates = (1...items.count).map { items[(start + step * $0).modulo(items.count)] }
    select(candidates.first(where: \.canBeChosen))
  }

  /// Makes an item the current one, if it can be chosen.
  package func select(_ item: MenuItem?) {
    let item = item?.canBeChosen == true ? item : nil
    if item === current { return }
    current = item
    needsDisplay()
  }

  /// Selects the neighbour of the current item, as a notch of the wheel does.
  package func turnWheel(_ direction: MouseEvent.Direction) {
    if direction == .up { go(from: index ?? menu.items.count, by: -1) }
    if direction == .down { go(from: index, by: 1) }
  }

  private var index: Int? { menu.items.firstIndex { $0 === current } }

  /// Selects the item that begins with the typed letters.
  private func find(_ character: Character) {
    let items = menu.items
    typed.add(character)
    let start = typed.start(from: index)
    let order = items.dropFirst(start) + items.prefix(start)
    if let found = order.first(where: { $0.canBeChosen && typed.matches($0.title) }) {
      select(found)
    }
    typed.forgetAfterPause(on: window?.application?.scheduler)
  }

  private func activateCurrent() {
    guard let current, index != nil else { return }
    activate(current)
  }

  /// Closes the menu and activates an item, if it can be chosen.
  package func activate(_ item: MenuItem) {
    guard item.canBeChosen else { return }
    close()
    choose(item)
  }

  // MARK: - Keys and mouse

  override package func keyDown(_ press: KeyPress) -> Bool {
    let application = window?.application
    let command = application?.keyBindings[press]
    if type != nil && command == .insertTab {
      activateCurrent()
    } else if type?(press) == true {
      // The menu has closed, and perhaps opened again with other items.
    } else if press == bar?.openKey {
      close()
    } else if let command, perform(command) {
      // Movement in the menu takes precedence over key equivalents.
    } else if let item = menu.items.first(where: { $0.keyEquivalent == press && $0.canBeChosen }) {
      activate(item)
    } else if bar?.performKeyEquivalent(press) == true {
      // The bar has closed the menu.
    } else if command == .quit {
      application?.terminate()
    } else if application?.contextMenuKeys.contains(press) == true {
      close()
    } else if bar?.openWithMnemonic(press) == true {
      // The bar has opened another menu.
    } else if let character = press.text {
      if character == " " && typed.isEmpty { activateCurrent() } else { find(character) }
    }
    return true
  }

  override package func perform(_ command: Command) -> Bool {
    switch command {
    case .move(.up): go(from: index, by: -1)
    case .move(.down): go(from: index, by: 1)
    case .move(.lineStart), .move(.start), .move(.pageUp): goToFirst()
    case .move(.lineEnd), .move(.end), .move(.pageDown): go(from: nil, by: -1)
    case .move(.left): bar?.openNeighbour(-1)
    case .move(.right): bar?.openNeighbour(1)
    case .insertNewline: activateCurrent()
    case .cancel: close()
    case .move(.wordLeft), .move(.wordRight), .extend, .insertTab, .insertBacktab, .complete,
      .selectAll, .delete, .undo, .redo, .moveLinesUp, .moveLinesDown, .cut, .copy, .paste, .quit:
      return false
    }
    return true
  }

  override package func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    let title = title(at: event.position)
    let item = item(at: event.position)
    switch event.action {
    case .press:
      if let title, title !== menu {
        bar?.open(title)
      } else if layout.box.contains(event.position) {
        select(item)
      } else {
        close()
      }
    case .drag, .move:
      if let title {
        bar?.open(title)
      } else if layout.box.contains(event.position) {
        select(item)
      }
    case .release:
      guard let item else { break }
      select(item)
      activateCurrent()
    case .wheel(let direction): turnWheel(direction)
    }
    return true
  }

  /// Returns the menu whose title in the bar is at a position.
  private func title(at point: Point) -> Menu? {
    guard let bar else { return nil }
    let frame = bar.frameInWindow
    return bar.menu(at: Point(x: point.x - frame.minX, y: point.y - frame.minY))
  }

  /// Returns the item at a position, if it can be chosen.
  private func item(at point: Point) -> MenuItem? {
    let rows = layout.box.inset(byX: 1, y: 1)
    guard rows.contains(point) else { return nil }
    let index = top + point.y - rows.minY
    guard menu.items.indices.contains(index) else { return nil }
    return menu.items[index].canBeChosen ? menu.items[index] : nil
  }

  // MARK: - Appearance

  override package var accessibility: Accessibility? {
    Accessibility(.menu, label: menu.title, value: itemDescription)
  }

  /// The cells of the screen that the menu opens below, or above.
  package var anchorRect: Rect { anchor() }

  package struct Layout {
    package var box: Rect
    var keyWidth: Int
  }

  package var layout: Layout {
    let titleWidth = menu.items.map(\.title.cellWidth).max() ?? 0
    let keyWidth = menu.items.compactMap { $0.keyEquivalent?.label.cellWidth }.max() ?? 0
    let anchor = anchor()
    let width = max(5 + titleWidth + (keyWidth > 0 ? keyWidth + 2 : 0), anchor.width)
    // The anchor may be scrolled out.
    let start = min(max(anchor.minY, 0), bounds.height)
    let end = min(max(anchor.maxY, 0), bounds.height)
    let below = bounds.height - end
    let isBelow = menu.items.count + 2 <= below || below >= start
    let height = min(menu.items.count + 2, isBelow ? below : start)
    let frame = Rect(
      x: max(min(anchor.minX, bounds.width - width), 0),
      y: isBelow ? end : start - height, width: width, height: height)
    return Layout(box: frame, keyWidth: keyWidth)
  }

  package func scroll(toFit rows: Int) {
    if let index { top = min(max(top, index - rows + 1), index) }
    top = max(min(top, menu.items.count - rows), 0)
  }
}

extension Int {
  /// Returns the remainder of the division, which is never negative.
  fileprivate func modulo(_ divisor: Int) -> Int {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
