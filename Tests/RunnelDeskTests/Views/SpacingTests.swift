import RunnelCollections
import Testing

@testable import RunnelDesk

/// Spaces with a meaning, as a terminal measures them.
@Suite @MainActor
struct SpacingTests {
  @Test("A meaning is at most one cell", arguments: [Axis.horizontal, .vertical])
  func meaningsAreFewCells(_ axis: Axis) {
    #expect(Spacing.related.cells(along: axis) == (axis == .horizontal ? 1 : 0))
    #expect(Spacing.section.cells(along: axis) == 1)
    #expect(Spacing.edge.cells(along: axis) == 0)
    #expect(Spacing.cells(3).cells(along: axis) == 3)
    #expect(Spacing.cells(1) == 1 && Spacing.cells(1) != .section && Spacing.section != .edge)
  }

  @Test func stacksAndInsetsTakeMeanings() {
    let views = (0..<2).map { _ in Button("OK") }
    let stack = StackView(.horizontal, spacing: .related, padding: .edge, views)
    let desk = Desk(StackView(.vertical, spacing: .section, [stack, View()]), width: 20, height: 4)
    _ = desk.text
    #expect(views[0].frame.minX == 0 && views[1].frame.minX == views[0].frame.maxX + 1)
    stack.padding = .related
    _ = desk.text
    #expect(views.map(\.frame.minX)[0] == 1)
    #expect(Insets.related == Insets(horizontal: .related, vertical: .related))
    #expect(Insets.zero.cells.size == .zero && Insets.edge.cells.size == .zero)
    #expect(Insets.section.cells.size == Size(width: 2, height: 2))
    #expect(Insets(top: -3, left: 2).cells.size == Size(width: 2, height: 0))
  }

  @Test func layoutsMeasureWithTheirOwnUnits() {
    let stack = StackView(.vertical, spacing: .section, padding: Insets(horizontal: .edge))
    let layout = stack.layout { spacing, _ in spacing == .section ? 12 : spacing == .edge ? 18 : 0 }
    let extents = [Extent(width: 50, height: 34), Extent(height: 34), Extent()]
    #expect(layout.wanted(Array(extents.prefix(1))) == Extent(width: 86, height: 34))
    #expect(layout.wanted(extents) == Extent())
    let places = layout.places(of: extents, in: Rect(x: 0, y: 0, width: 200, height: 300))
    #expect(
      places == [
        Rect(x: 18, y: 0, width: 164, height: 34), Rect(x: 18, y: 46, width: 164, height: 34),
        Rect(x: 18, y: 92, width: 164, height: 208),
      ])
  }

  @Test func aMeasuredHeightLimitsTheLinesOfATable() {
    let table = TableView(columns: [TableColumn("a", title: "A")])
    let list = CollectionProperty((1...20).map(String.init))
    let rows = table.rx.rows(list) { row, text in row["a"] = TableCell(text) }
    let desk = Desk(table, width: 20, height: 10)
    _ = desk.text
    #expect(table.visibleRows == 0..<9)
    table.scrollToRow(19)
    table.measuredHeight = 6
    _ = desk.text
    #expect(table.visibleRows.count == 5)
    table.scrollToRow(19)
    #expect(table.visibleRows == 15..<20)
    table.measuredHeight = 30
    _ = desk.text
    #expect(table.visibleRows == 0..<20, "A window may have room for more rows than its cells.")
    table.measuredHeight = nil
    _ = desk.text
    #expect(table.visibleRows == 0..<9)
    withExtendedLifetime(rows) {}
  }
}
