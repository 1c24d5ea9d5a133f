import RunnelText

/// An open menu. It covers the whole window, so that a click outside the menu closes it.
@MainActor
final class MenuPanel: View {
  let menu: Menu
  private weak var bar: MenuBar?
  /// The item that Return activates.
  weak var current: MenuItem?
  /// The number of items scrolled out at the top.
  var top = 0

  init(_ menu: Menu, of bar: MenuBar) {
    self.menu = menu
    self.bar = bar
  }

  // MARK: - The current item

  func goToFirst() { go(from: -1, by: 1) }

  /// Selects the next item that can be chosen, wrapping around at the ends.
  private func go(from start: Int?, by step: Int) {
    let items = menu.items
    guard !items.isEmpty else { return }
    let start = start ?? (step > 0 ? -1 : items.count)
    let candidates = (1...items.count).map { items[(start + step * $0).modulo(items.count)] }
    select(candidates.first(where: \.canBeChosen))
  }

  private func select(_ item: MenuItem?) {
    if item === current { return }
    current = item
    needsDisplay()
  }

  private var index: Int? { menu.items.firstIndex { $0 === current } }

  /// Selects the next item whose title begins with a text.
  private func find(_ text: String) {
    let start = (index ?? -1) + 1
    let items = menu.items
    let order = items.dropFirst(start) + items.prefix(start)
    let letters = text.lowercased()
    let found = order.first { $0.canBeChosen && $0.title.lowercased().hasPrefix(letters) }
    if let found { select(found) }
  }

  private func activateCurrent() {
    guard let current, current.canBeChosen, index != nil else { return }
    bar?.activate(current)
  }

  // MARK: - Keys and mouse

  override func keyDown(_ press: KeyPress) -> Bool {
    guard let bar else { return true }
    if press == bar.openKey {
      bar.close()
    } else if let command = window?.application?.keyBindings[press], perform(command) {
      // Movement in the menu takes precedence over key equivalents.
    } else if bar.performKeyEquivalent(press) {
      // The bar has closed the menu.
    } else if window?.application?.keyBindings[press] == .quit {
      window?.application?.terminate()
    } else if let text = press.text {
      if text == " " { activateCurrent() } else { find(String(text)) }
    }
    return true
  }

  override func perform(_ command: Command) -> Bool {
    switch command {
    case .move(.up): go(from: index, by: -1)
    case .move(.down): go(from: index, by: 1)
    case .move(.lineStart), .move(.start), .move(.pageUp): goToFirst()
    case .move(.lineEnd), .move(.end), .move(.pageDown): go(from: nil, by: -1)
    case .move(.left): bar?.openNeighbour(-1)
    case .move(.right): bar?.openNeighbour(1)
    case .insertNewline: activateCurrent()
    case .cancel: bar?.close()
    case .move(.wordLeft), .move(.wordRight), .extend, .insertTab, .insertBacktab, .complete,
      .selectAll, .delete, .undo, .redo, .cut, .copy, .paste, .quit:
      return false
    }
    return true
  }

  override func mouse(_ event: MouseEvent, clicks: Int) -> Bool {
    let title = bar?.menu(at: event.position)
    let item = item(at: event.position)
    switch event.action {
    case .press:
      if let title, title !== menu {
        bar?.open(title)
      } else if layout.box.contains(event.position) {
        select(item)
      } else {
        bar?.close()
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
    case .wheel(let direction):
      if direction == .up { go(from: index ?? menu.items.count, by: -1) }
      if direction == .down { go(from: index, by: 1) }
    }
    return true
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

  override var accessibility: Accessibility? {
    Accessibility(.menu, label: menu.title, value: itemDescription)
  }

  struct Layout {
    var box: Rect
    var keyWidth: Int
  }

  var layout: Layout {
    let titleWidth = menu.items.map(\.title.cellWidth).max() ?? 0
    let keyWidth = menu.items.compactMap { $0.keyEquivalent?.label.cellWidth }.max() ?? 0
    let width = 5 + titleWidth + (keyWidth > 0 ? keyWidth + 2 : 0)
    let start = bar?.place(of: menu).lowerBound ?? 0
    let height = min(menu.items.count + 2, max(bounds.height - 1, 0))
    let x = max(min(start, bounds.width - width), 0)
    return Layout(box: Rect(x: x, y: 1, width: width, height: height), keyWidth: keyWidth)
  }

  func scroll(toFit rows: Int) {
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
