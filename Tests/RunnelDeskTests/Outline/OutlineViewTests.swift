import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct OutlineViewTests {
  private final class Delegate: OutlineViewDelegate {
    let log = Log()
    var agrees = true
    var onAsk: () -> Void = {}

    func outlineView(_ outline: OutlineView, shouldExpandRow row: Int) -> Bool {
      log.add("expand \(row)?")
      onAsk()
      return agrees
    }
    func outlineView(_ outline: OutlineView, shouldCollapseRow row: Int) -> Bool {
      log.add("collapse \(row)?")
      onAsk()
      return agrees
    }
    func outlineView(_ outline: OutlineView, didExpandRow row: Int) { log.add("expanded \(row)") }
    func outlineView(_ outline: OutlineView, didCollapseRow row: Int) {
      log.add("collapsed \(row)")
    }
  }

  private let stage = OutlineStage.sample()
  private let delegate = Delegate()

  init() { stage.outline.delegate = delegate }

  // MARK: Keys and mouse

  @Test func contextMenuActsOnTheRowOfAPressedTriangle() {
    stage.desk.press("down")
    #expect(stage.selected == "Music")
    stage.desk.mouse(.press(.right), x: 0, y: 2)
    #expect(stage.selected == "Photos")
  }

  @Test func arrowKeysExpandCollapseAndWalkTheTree() {
    let desk = stage.desk
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    desk.press("down", "right")
    #expect(stage.text == "▾ Music\n  ▸ Bach\n    Cash\n  Notes\n▸ Photos")
    #expect(stage.selected == "Music")
    desk.press("right", "right", "right")
    #expect(stage.selected == "Fugues")
    desk.press("right")
    #expect(stage.selected == "Fugues")
    desk.press("left")
    #expect(stage.selected == "Bach")
    desk.press("left")
    #expect(stage.text == "▾ Music\n  ▸ Bach\n    Cash\n  Notes\n▸ Photos")
    desk.press("left", "left")
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    #expect(stage.selected == "Music")
    #expect(
      delegate.log.take() == [
        "expand 0?", "expanded 0", "expand 1?", "expanded 1", "collapse 1?", "collapsed 1",
        "collapse 0?", "collapsed 0",
      ])
  }

  @Test func clickOnTriangleExpandsWithoutSelecting() {
    let expanded = stage.outline.rx.expanded.record()
    let collapsed = stage.outline.rx.collapsed.record()
    stage.desk.click(0, 2)
    #expect(stage.text == "▸ Music\n  Notes\n▾ Photos\n    Rome")
    #expect(stage.selected == nil)
    stage.desk.click(4, 3)
    #expect(stage.selected == "Rome")
    // The place of the triangle of a row without children belongs to the row.
    stage.desk.click(0, 1)
    #expect(stage.selected == "Notes")
    stage.desk.click(1, 2)
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    #expect(expanded.elements == [2] && collapsed.elements == [2])
  }

  @Test func returnAndDoubleClickActivateTheItem() {
    let activated = stage.rows.activated.map(\.name).record()
    stage.desk.press("down", "enter")
    stage.desk.click(4, 2, times: 2)
    #expect(activated.elements == ["Music", "Photos"])
  }

  @Test func typedLettersSelectByTheText() {
    stage.outline.expand(row: 0)
    stage.desk.backend.type("ca")
    #expect(stage.selected == "Cash")
  }

  @Test func collapsingOverTheSelectionSelectsTheRow() {
    stage.rows.select(path: [1, 11, 111])
    #expect(stage.selected == "Fugues")
    stage.desk.click(0, 0)
    #expect(stage.selected == "Music")
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    // The descendants are expanded again.
    stage.desk.press("right")
    #expect(stage.names == ["Music", "Bach", "Fugues", "Cash", "Notes", "Photos"])
  }

  // MARK: Delegates

  @Test func delegateRefusesToExpandAndCollapse() {
    delegate.agrees = false
    stage.desk.press("down", "right")
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    stage.outline.expand(row: 0)
    #expect(!stage.outline.propose(row: 0, isExpanded: false))
    #expect(stage.outline.propose(row: 0, isExpanded: true))
    #expect(delegate.log.take() == ["expand 0?", "collapse 0?"])
  }

  @Test func selectionDelegateOfTheTableRefusesRows() {
    stage.outline.table.rDelegate.answer(\.tableView_shouldSelectRow) { _, row in row != 1 }
    stage.desk.press("down", "right", "right")
    #expect(stage.selected == "Music")
    stage.desk.press("down")
    #expect(stage.selected == "Cash")
  }

  @Test func delegateMayChangeTheTreeWhileAsked() {
    delegate.onAsk = { [stage] in stage.top.remove(at: 0) }
    #expect(!stage.outline.propose(row: 0, isExpanded: true))
    #expect(stage.text == "  Notes\n▸ Photos")
    delegate.onAsk = { [stage] in stage.outline.expand(row: 1) }
    #expect(!stage.outline.propose(row: 1, isExpanded: true))
    #expect(stage.text == "  Notes\n▾ Photos\n    Rome")
    delegate.onAsk = { [stage] in stage.outline.removeFromSuperview() }
    stage.outline.propose(row: 1, isExpanded: false)
    #expect(stage.text == "")
    #expect(!delegate.log.entries.contains { $0.hasPrefix("expanded") })
  }

  @Test(arguments: [-1, 1, 99])
  func rowsThatCannotBeExpandedStay(row: Int) {
    #expect(!stage.outline.propose(row: row, isExpanded: true))
    if row != 1 { stage.outline.expand(row: row) }
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
    #expect(stage.outline.parent(ofRow: row) == nil && stage.outline.depth(ofRow: row) == 0)
  }

  @Test func disabledOutlineKeepsItsRows() {
    stage.outline.isEnabled = false
    stage.desk.click(0, 0)
    #expect(!stage.outline.propose(row: 0, isExpanded: true))
    #expect(stage.text == "▸ Music\n  Notes\n▸ Photos")
  }

  // MARK: Geometry

  @Test(arguments: [0, 1, 2, 3, 5, 9])
  func narrowOutlinesShowDeepRows(width: Int) {
    let stage = OutlineStage(
      [Folder(1, "漢字", [Folder(2, "漢字", [Folder(3, "漢字", [Folder(4, "x")])])])],
      width: width, height: 3)
    for row in 0..<3 { stage.outline.expand(row: row) }
    let lines = stage.desk.lines
    #expect(lines.allSatisfy { $0.count <= width })
    if width == 9 { #expect(lines == ["▾ 漢字  █", "  ▾ 漢字█", "    ▾ … │"]) }
    for x in 0..<width { stage.desk.click(x, 1) }
  }

  @Test func editingFieldStandsBehindTheTriangle() {
    stage.outline.expand(row: 0)
    _ = stage.text
    #expect(
      stage.outline.table.frame(ofRow: 1, column: "name")
        == Rect(x: 4, y: 1, width: 12, height: 1))
  }
}
