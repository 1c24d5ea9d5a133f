#if GTK
import CGTK
import RunnelDesk

/// The menus of a menu bar as a menu of GTK: a submenu for each of them.
@MainActor
final class NativeMenu {
  /// The description of the menus, which refers to actions of the group "menu".
  let model: OpaquePointer
  private let actions = made(g_simple_action_group_new())
  let signals = Signals()

  init(_ menus: [Menu]) {
    model = made(g_menu_new())
    for (index, menu) in menus.enumerated() {
      let items = made(g_menu_new())
      for (part, section) in menu.items.split(whereSeparator: \.isSeparator).enumerated() {
        let list = made(g_menu_new())
        for (row, item) in section.enumerated() {
          append(item, to: list, action: "item-\(index)-\(part)-\(row)")
        }
        g_menu_append_section(items, nil, cast(list))
        g_object_unref(UnsafeMutableRawPointer(list))
      }
      g_menu_append_submenu(model, menu.title.escapingMnemonics, cast(items))
      g_object_unref(UnsafeMutableRawPointer(items))
    }
  }

  /// Lets a widget and the popovers below it perform the items.
  func insertActions(in widget: Widget) {
    gtk_widget_insert_action_group(widget, "menu", OpaquePointer(actions))
  }

  private func append(_ item: MenuItem, to list: OpaquePointer, action name: String) {
    // Only a state shows a check mark.
    let action = made(
      item.isChecked
        ? g_simple_action_new_stateful(name, nil, g_variant_new_boolean(1))
        : g_simple_action_new(name, nil))
    g_simple_action_set_enabled(action, item.isEnabled.gboolean)
    // The item may be removed while the menus are open.
    signals.connect(action, "activate") { [weak menu = item.menu] _ in
      if item.menu === menu { item.activate() }
    }
    g_action_map_add_action(OpaquePointer(actions), action)
    g_object_unref(UnsafeMutableRawPointer(action))
    let entry = made(g_menu_item_new(item.title.escapingMnemonics, "menu.\(name)"))
    if let key = item.keyEquivalent?.accelerator {
      g_menu_item_set_attribute_value(entry, "accel", g_variant_new_string(key))
    }
    g_menu_append_item(list, entry)
    g_object_unref(UnsafeMutableRawPointer(entry))
  }

  /// Releases the items. Popovers that still show them do nothing.
  func end() {
    signals.disconnectAll()
    g_object_unref(UnsafeMutableRawPointer(model))
    g_object_unref(UnsafeMutableRawPointer(actions))
  }
}

extension String {
  /// The text with two underscores for each, for widgets that take one for the mark of a mnemonic.
  var escapingMnemonics: String {
    split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
  }
}
#endif
