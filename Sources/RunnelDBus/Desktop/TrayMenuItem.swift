/// An item of the menu of a ``DesktopTrayItem``.
///
///     var muted = TrayMenuItem("Muted") { show("changes") }
///     muted.isChecked = true
public struct TrayMenuItem {
  /// The text. An underscore before a letter makes it the key of the item.
  public var title: String
  /// The name of an icon in the theme. It may be empty.
  public var icon = ""
  /// False if the item cannot be chosen.
  public var isEnabled = true
  /// The state of a check mark; nil for an item without one.
  public var isChecked: Bool?
  /// The items of the submenu. An item with a submenu has no action.
  public var submenu: [TrayMenuItem] = []
  /// Performed when the user chooses the item.
  public var action: () -> Void
  private(set) var isSeparator = false

  /// Creates an item.
  public init(_ title: String, action: @escaping () -> Void = {}) {
    self.title = title
    self.action = action
  }

  /// A line between groups of items.
  public static var separator: TrayMenuItem {
    var item = TrayMenuItem("")
    item.isSeparator = true
    return item
  }

  /// The properties that differ from the defaults of the interface.
  var values: [String: Variant] {
    if isSeparator { return ["type": Variant("separator")] }
    var values = ["label": Variant(title)]
    if !icon.isEmpty { values["icon-name"] = Variant(icon) }
    if !isEnabled { values["enabled"] = Variant(false) }
    if let isChecked {
      values["toggle-type"] = Variant("checkmark")
      values["toggle-state"] = Variant(Int32(isChecked ? 1 : 0))
    }
    if !submenu.isEmpty { values["children-display"] = Variant("submenu") }
    return values
  }
}
