import RunnelProxies

/// A delegate that can refuse to expand and collapse rows, and is notified when the user has done
/// so. It is not notified of changes by the program.
///
///     let outline = OutlineView(columns: [TableColumn("name")])
///     outline.rDelegate.answer(\.outlineView_shouldExpandRow) { _, row in row != 0 }
@Proxied
@MainActor
public protocol OutlineViewDelegate: AnyObject {
  /// Returns true if the user may expand a row.
  @Default(true) func outlineView(_ outline: OutlineView, shouldExpandRow row: Int) -> Bool
  /// Returns true if the user may collapse a row.
  @Default(true) func outlineView(_ outline: OutlineView, shouldCollapseRow row: Int) -> Bool
  /// Called after the user has expanded a row.
  @Default func outlineView(_ outline: OutlineView, didExpandRow row: Int)
  /// Called after the user has collapsed a row.
  @Default func outlineView(_ outline: OutlineView, didCollapseRow row: Int)
}
