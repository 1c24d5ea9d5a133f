// The value of a menu in its accessibility description.
extension MenuPanel {
  /// The current item with its key.
  var itemDescription: String {
    let items = menu.items.filter { !$0.isSeparator }
    guard let current, let index = items.firstIndex(where: { $0 === current }) else { return "" }
    var parts = [current.title]
    if current.isChecked { parts.append("checked") }
    if let key = current.keyEquivalent { parts.append(key.label) }
    parts.append("item \(index + 1) of \(items.count)")
    return parts.joined(separator: ", ")
  }
}
