import RunnelDesk
import Testing

@MainActor
@Suite struct TableMovingTests {
  private func stage(_ count: Int = 10, mode: TableView.SelectionMode = .multiple) -> TableStage {
    TableStage((0..<count).map { "row \($0)" }, height: 4, selectionMode: mode)
  }

  @Test func keysMoveTheSelection() {
    let stage = stage()
    var path: [Int?] = []
    for key in [
      "down", "down", "up", "pagedown", "pagedown", "end", "down", "pageup", "home", "up",
    ] {
      stage.press(key)
      path.append(stage.table.selectedRow)
      #expect(stage.selected.count == 1)
    }
    #expect(path == [0, 1, 0, 3, 6, 9, 9, 6, 0, 0])
    #expect(stage.table.scrollPosition == 0)
  }

  @Test func withoutSelectionKeysStartAtTheEnds() {
    for (key, row) in [("down", 0), ("up", 9), ("end", 9), ("home", 0), ("ctrl+end", 9)] {
      let stage = stage()
      stage.press(key)
      #expect(stage.selected == [row], "\(key)")
    }
  }

  @Test func shiftExtendsFromTheAnchor() {
    let stage = stage()
    stage.press("down", "down", "shift+down", "shift+down")
    #expect(stage.selected == [1, 2, 3])
    stage.press("shift+up", "shift+home")
    #expect(stage.selected == [0, 1])
    stage.press("shift+end")
    #expect(stage.selected == Array(1...9) && stage.table.scrollPosition == 6)
    stage.press("up")
    #expect(stage.selected == [8])
  }

  @Test func allRowsCanBeSelected() {
    let stage = stage()
    stage.press("ctrl+a")
    #expect(stage.selected == Array(0...9))
    let single = self.stage(mode: .single)
    single.press("down", "ctrl+a", "shift+down")
    #expect(single.selected == [1])
  }

  @Test func withoutSelectionModeKeysScroll() {
    let stage = stage(mode: .none)
    var path: [Int] = []
    for key in ["down", "pagedown", "up", "end", "pageup", "home"] {
      stage.press(key)
      path.append(stage.table.scrollPosition)
    }
    #expect(path == [1, 4, 3, 6, 3, 0] && stage.selected.isEmpty)
  }

  @Test func keysSkipRowsThatCannotBeSelected() {
    let stage = stage(6)
    let delegate = LoggingDelegate()
    delegate.refusedRows = [0, 2, 3, 5]
    stage.table.delegate = delegate
    var path: [Int?] = []
    for key in ["down", "down", "down", "up", "up", "end", "home"] {
      stage.press(key)
      path.append(stage.table.selectedRow)
    }
    #expect(path == [1, 4, 4, 1, 1, 4, 1])
    delegate.refusedRows = Set(0..<6)
    stage.press("down", "pagedown", "home")
    #expect(stage.selected == [1])
  }

  @Test func keysContinueFromARemovedRow() {
    let stage = stage(6)
    stage.table.selectedRow = 3
    stage.source.rows.remove(at: 3)
    stage.table.removeRows(3..<4)
    #expect(stage.selected.isEmpty)
    stage.press("down")
    #expect(stage.selected == [3])
    stage.press("down")
    #expect(stage.selected == [4])
  }

  @Test func keysSkipHeadings() {
    let stage = TableStage(
      sections: [("A", ["1", "2"]), ("B", ["3"]), ("C", []), ("D", ["4", "5"])], height: 3)
    stage.press("down", "down", "down")
    #expect(stage.selected == [2])
    #expect(stage.backend.grid.lines.map { $0.prefix(1) } == ["2", "B", "3"])
    stage.press("down", "pageup")
    #expect(stage.table.selectedRow == 2)
    stage.press("pagedown", "pagedown")
    #expect(stage.table.selectedRow == 4)
    stage.press("home")
    #expect(stage.backend.grid.lines.first?.hasPrefix("A") == true)
  }
}
