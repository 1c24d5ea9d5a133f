import RunnelDesk
import Testing

@MainActor
@Suite struct TableMouseTests {
  private func stage(
    _ count: Int = 10, showsHeader: Bool = false, mode: TableView.SelectionMode = .multiple
  ) -> TableStage {
    TableStage(
      (0..<count).map { "row \($0)" }, columns: [TableColumn("name", isSortable: true)],
      height: 6, showsHeader: showsHeader, selectionMode: mode)
  }

  @Test func clicksSelectToggleOrExtend() {
    let stage = stage()
    stage.backend.click("row 2")
    #expect(stage.selected == [2])
    stage.backend.click("row 4", .control)
    stage.backend.click("row 0", .control)
    #expect(stage.selected == [0, 2, 4])
    stage.backend.click("row 2", .control)
    #expect(stage.selected == [0, 4])
    stage.backend.click("row 5", .shift)
    #expect(stage.selected == [2, 3, 4, 5])
    stage.backend.click("row 1", .shift)
    #expect(stage.selected == [1, 2])
    stage.backend.click("row 3")
    #expect(stage.selected == [3])
  }

  @Test func singleModeSelectsOneRow() {
    let stage = stage(mode: .single)
    stage.backend.click("row 2")
    stage.backend.click("row 4", .shift)
    #expect(stage.selected == [4])
    stage.backend.click("row 1", .control)
    #expect(stage.selected == [1])
    stage.backend.click("row 1", .control)
    #expect(stage.selected == [])
    let none = self.stage(mode: .none)
    none.backend.click("row 2")
    none.backend.click("row 3", .control)
    #expect(none.selected == [])
  }

  @Test func aClickBelowTheRowsDeselects() {
    let stage = stage(3)
    stage.backend.click("row 2")
    stage.backend.click(Point(x: 1, y: 5), .control)
    #expect(stage.selected == [2])
    let refusal = stage.table.rDelegate.answer(\.tableView_shouldChangeSelectionTo) { !$1.isEmpty }
    stage.backend.click(Point(x: 1, y: 5))
    #expect(stage.selected == [2])
    refusal.dispose()
    stage.backend.click(Point(x: 1, y: 5))
    #expect(stage.selected == [])
  }

  @Test func aDoubleClickActivates() {
    let stage = stage()
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    let activations = { delegate.take().filter { $0.hasPrefix("activate") } }
    stage.backend.click("row 2")
    #expect(activations() == [])
    stage.backend.click("row 2")
    #expect(activations() == ["activate 2"])
    stage.backend.click("row 2")
    #expect(activations() == [])
    stage.backend.click("row 3")
    stage.scheduler.advance(by: .seconds(1))
    stage.backend.click("row 3")
    #expect(activations() == [])
  }

  @Test func draggingSelectsARange() {
    let stage = stage()
    let drag = { (y: Int) in
      stage.backend.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 1, y: y))))
    }
    stage.backend.send(.mouse(MouseEvent(.press(.left), at: Point(x: 1, y: 3))))
    drag(5)
    #expect(stage.selected == [3, 4, 5])
    drag(1)
    #expect(stage.selected == [1, 2, 3])
    // Below the table, a drag scrolls.
    drag(7)
    #expect(stage.selected == Array(3...7) && stage.table.scrollPosition == 2)
    drag(99)
    #expect(stage.selected == Array(3...9) && stage.table.scrollPosition == 4)
    stage.backend.send(.mouse(MouseEvent(.release(.left), at: Point(x: 1, y: 0))))
    drag(0)
    #expect(stage.selected == Array(3...9))
  }

  @Test func theWheelScrolls() {
    let stage = stage()
    let turn = { (direction: MouseEvent.Direction) in
      stage.backend.send(.mouse(MouseEvent(.wheel(direction), at: Point(x: 1, y: 1))))
    }
    turn(.down)
    #expect(stage.table.scrollPosition == 3 && stage.selected == [])
    turn(.down)
    #expect(stage.table.scrollPosition == 4)
    turn(.up)
    turn(.up)
    turn(.left)
    #expect(stage.table.scrollPosition == 0)
  }

  @Test func theScrollIndicatorScrolls() {
    let stage = stage(60)
    stage.backend.click(Point(x: 11, y: 5))
    #expect(stage.table.scrollPosition == 54 && stage.selected == [])
    stage.backend.send(.mouse(MouseEvent(.press(.left), at: Point(x: 11, y: 3))))
    #expect((20...40).contains(stage.table.scrollPosition))
    stage.backend.send(.mouse(MouseEvent(.drag(.left), at: Point(x: 3, y: -4))))
    #expect(stage.table.scrollPosition == 0 && stage.selected == [])
  }

  @Test func aTitleIsClickedOnReleaseOverIt() {
    let stage = stage(showsHeader: true)
    var clicks: [String] = []
    stage.table.rx.headerClicked.observeNext { clicks.append($0.identifier) }
    stage.backend.click(Point(x: 2, y: 0))
    #expect(clicks == ["name"] && stage.selected == [])
    stage.backend.send(.mouse(MouseEvent(.press(.left), at: Point(x: 2, y: 0))))
    stage.backend.send(.mouse(MouseEvent(.release(.left), at: Point(x: 2, y: 2))))
    #expect(clicks == ["name"] && stage.selected == [])
  }
}
