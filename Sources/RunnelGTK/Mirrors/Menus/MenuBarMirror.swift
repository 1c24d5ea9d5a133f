#if GTK
import CGTK
import RunnelDesk

/// The titles of the menus.
final class MenuBarMirror: ViewMirror {
  private let bar: MenuBar
  private let body = Container(name: "menubar", role: GTK_ACCESSIBLE_ROLE_MENU_BAR)
  private var titles: [Widget] = []
  /// The titles as shown, with the marks of their mnemonics.
  private var marked: [String] = []
  private var actions: [WidgetActions] = []

  init(_ bar: MenuBar, in window: WindowMirror) {
    self.bar = bar
    super.init(bar, in: window, body: body)
    // Safety: `Container.end()` releases the closure before this object is released.
    body.place = { [unowned self] _, _ in placeTitles() }
  }

  override func update() {
    super.update()
    gtk_widget_set_visible(container.widget, (!window.window.hasHeaderBar).gboolean)
    while titles.count > bar.menus.count {
      marked.removeLast()
      actions.removeLast().end()
      gtk_widget_unparent(titles.removeLast())
    }
    while titles.count < bar.menus.count {
      let title = made(
        runnel_new_widget(gtk_label_get_type(), "item", GTK_ACCESSIBLE_ROLE_MENU_ITEM))
      body.add(title)
      let index = titles.count
      actions.append(
        WidgetActions("item", of: title, ["activate": { [weak self] in self?.open(at: index) }]))
      titles.append(title)
      marked.append("")
    }
    for (index, (title, menu)) in zip(titles, bar.menus).enumerated() {
      let text = Self.marked(menu.title, bar.mnemonic(of: menu))
      // GTK underlines the letter while Alt is held.
      if text != marked[index] { gtk_label_set_text_with_mnemonic(cast(title), text) }
      marked[index] = text
      title.setState(GTK_STATE_FLAG_SELECTED, menu === bar.openMenu)
    }
    gtk_widget_queue_allocate(body.widget)
  }

  /// Returns a title with an underscore before its mnemonic.
  private static func marked(_ title: String, _ mnemonic: Character?) -> String {
    let place = mnemonic.flatMap { letter in
      title.firstIndex { $0.lowercased() == String(letter) }
    }
    guard let place else { return title.escapingMnemonics }
    return String(title[..<place]).escapingMnemonics + "_"
      + String(title[place...]).escapingMnemonics
  }

  private func open(at index: Int) {
    if bar.menus.indices.contains(index) { bar.open(bar.menus[index]) }
  }

  private func placeTitles() {
    for (title, menu) in zip(titles, bar.menus) {
      let columns = bar.place(of: menu)
      let cells = Rect(x: columns.lowerBound, y: 0, width: columns.count, height: 1)
      Container.give(pixels(of: cells), to: title)
    }
  }

  override func texts() -> [(cell: Point, text: String)] {
    bar.menus.map { (Point(x: bar.place(of: $0).lowerBound + 1, y: 0), $0.title) }
  }

  override func end() {
    for action in actions { action.end() }
    super.end()
  }
}

extension Widget {
  @MainActor
  func setState(_ state: GtkStateFlags, _ isSet: Bool) {
    if isSet {
      gtk_widget_set_state_flags(self, state, 0)
    } else {
      gtk_widget_unset_state_flags(self, state)
    }
  }
}
#endif
