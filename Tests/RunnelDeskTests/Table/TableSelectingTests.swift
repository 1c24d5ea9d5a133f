import RunnelDesk
import RunnelStreams
import Testing

@MainActor
@Suite struct TableSelectingTests {
  private func stage() -> (TableStage, LoggingDelegate) {
    let stage = TableStage((0..<6).map { "row \($0)" }, height: 6)
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    return (stage, delegate)
  }

  @Test func theDelegateIsAskedAboutUserSelections() {
    let (stage, delegate) = stage()
    _ = stage.backend.text
    #expect(delegate.take() == ["show 0..<6"])
    stage.press("down")
    #expect(delegate.take() == ["should 0", "shouldChange [0]", "will [0]", "did [0]"])
    stage.press("shift+down")
    #expect(delegate.take() == ["should 1", "shouldChange [0, 1]", "will [0, 1]", "did [0, 1]"])
    stage.press("up", "up")
    #expect(
      delegate.take() == [
        "should 0", "shouldChange [0]", "will [0]", "did [0]", "should 0",
      ])
  }

  @Test func theDelegateIsNotifiedOfProgramSelections() {
    let (stage, delegate) = stage()
    delegate.refusedRows = [3]
    delegate.refusesSelection = true
    stage.table.selectedRow = 3
    #expect(delegate.take() == ["will [3]", "did [3]"])
    stage.table.selectedRows = RangeSet([1..<3, 5..<9])
    #expect(stage.selected == [1, 2, 5] && stage.table.selectedRow == 5)
    #expect(delegate.take() == ["will [1, 2, 5]", "did [1, 2, 5]"])
    stage.table.selectedRows = RangeSet([1..<3, 5..<6])
    stage.table.selectionMode = .single
    #expect(stage.selected == [5])
    stage.table.selectionMode = .none
    stage.table.selectedRow = 1
    #expect(stage.selected == [])
    #expect(delegate.take() == ["will [5]", "did [5]", "will []", "did []"])
  }

  /// The selection mode does not affect the position of the keyboard.
  @Test func keysKeepTheirPositionInAnotherMode() {
    let (stage, _) = stage()
    stage.press("down", "down", "down", "ctrl+space")
    #expect(stage.selected == [])
    stage.table.selectionMode = .single
    stage.press("down")
    #expect(stage.selected == [2])
    stage.table.selectionMode = .none
    #expect(stage.selected == [])
    stage.table.selectionMode = .multiple
    stage.press("down", "shift+down")
    #expect(stage.selected == [2, 3])
    stage.table.selectionMode = .single
    stage.press("down")
    #expect(stage.selected == [4])
  }

  @Test func clearingTheSelectionResetsTheKeys() {
    let (stage, _) = stage()
    stage.press("down", "down", "down")
    #expect(stage.selected == [2])
    stage.table.selectedRow = nil
    stage.press("down")
    #expect(stage.selected == [0])
    stage.table.selectedRow = nil
    stage.press("up")
    #expect(stage.selected == [5])
  }

  @Test func aDelegateMayRefuse() {
    let (stage, delegate) = stage()
    stage.press("down")
    delegate.refusesSelection = true
    stage.press("down", "shift+down", "ctrl+a", "space")
    stage.backend.click("row 4")
    #expect(stage.selected == [0])
    delegate.refusesSelection = false
    delegate.refusedRows = [1, 3]
    stage.backend.click("row 3")
    #expect(stage.selected == [0])
    stage.press("ctrl+a")
    #expect(stage.selected == [0, 2, 4, 5])
    delegate.refusedRows = Set(0..<6)
    stage.press("home", "ctrl+a", "shift+end")
    stage.backend.type("row 2")
    #expect(stage.selected == [0, 2, 4, 5])
  }

  @Test func aHandlerMayRefuse() {
    let stage = TableStage((0..<6).map { "row \($0)" }, height: 6)
    let proxy = stage.table.rDelegate
    let rows = proxy.answer(\.tableView_shouldSelectRow) { _, row in row != 1 }
    stage.press("down", "down")
    #expect(stage.selected == [2])
    let all = proxy.answer(\.tableView_shouldChangeSelectionTo) { _, rows in !rows.contains(3) }
    stage.press("down")
    #expect(stage.selected == [2])
    all.dispose()
    rows.dispose()
    stage.press("down", "home", "down")
    #expect(stage.selected == [1])
  }

  @Test func aStreamClosureMayRefuseAndSend() {
    let stage = TableStage((0..<6).map { "row \($0)" }, height: 6)
    var asked: [Int] = []
    let observation = stage.table.rDelegate.stream(\.tableView_shouldSelectRow) {
      (push: PushStream<Int>, _, row) in
      push.next(row)
      return row > 2
    }.observeNext { asked.append($0) }
    stage.press("down")
    #expect(stage.selected == [3] && asked == [0, 1, 2, 3])
    observation.dispose()
    stage.press("home")
    #expect(stage.selected == [0] && asked == [0, 1, 2, 3])
  }

  @Test func theProxyForwardsToTheDelegate() {
    let (stage, delegate) = stage()
    delegate.refusedRows = [0]
    var notifiedRows: [Int] = []
    stage.table.rDelegate.stream(\.tableView_didActivateRow).observeNext { notifiedRows.append($1) }
    stage.press("down", "enter")
    #expect(stage.selected == [1] && notifiedRows == [1] && delegate.take().contains("activate 1"))
  }

  @Test func spaceTogglesTheSelection() {
    let (stage, _) = stage()
    stage.press("down", "shift+down", "space")
    #expect(stage.selected == [0])
    stage.press("space")
    #expect(stage.selected == [0, 1])
    stage.press("ctrl+space", "ctrl+space")
    #expect(stage.selected == [0, 1])
  }

  /// Ctrl+Space may leave nothing selected. The space bar alone is often a mistake.
  @Test func spaceKeepsTheOnlySelectedRow() {
    let (stage, _) = stage()
    stage.press("down", "space")
    #expect(stage.selected == [0])
    stage.press("ctrl+space")
    #expect(stage.selected == [])
    stage.press("space")
    #expect(stage.selected == [0])
  }

  // MARK: - Delegates with side effects

  @Test func aDelegateMaySelectAnotherRow() {
    for word in ["should", "shouldChange", "will"] {
      let (stage, delegate) = stage()
      delegate.reactions[word] = { [weak delegate] in
        delegate?.reactions = [:]
        stage.table.selectedRow = 5
      }
      stage.press("down")
      #expect(stage.selected == [5], "\(word)")
    }
    let (stage, delegate) = stage()
    delegate.reactions["did"] = { if stage.selected == [0] { stage.table.selectedRow = 5 } }
    stage.press("down")
    #expect(stage.selected == [5])
    #expect(delegate.take().suffix(4) == ["will [0]", "did [0]", "will [5]", "did [5]"])
  }

  @Test func aDelegateMayRemoveAllRowsOrTheTable() {
    let words = [
      "should", "shouldChange", "will", "did", "activate", "shouldEdit", "edit", "header",
      "shouldSort", "sort", "show",
    ]
    let columns = [TableColumn("name", title: "Name", isSortable: true)]
    for word in words {
      for isRemoved in [false, true] {
        let stage = TableStage(
          (0..<9).map { "row \($0)" }, columns: columns, height: 4, showsHeader: true)
        let delegate = LoggingDelegate()
        stage.table.delegate = delegate
        delegate.reactions[word] = {
          stage.source.rows = []
          if isRemoved { stage.table.removeFromSuperview() } else { stage.table.reloadData() }
        }
        for key in [
          "down", "shift+down", "pagedown", "shift+end", "ctrl+a", "space", "r", "enter", "f2",
          "right", "enter", "home",
        ] {
          stage.press(key)
        }
        stage.backend.click(Point(x: 1, y: 0))
        stage.backend.click(Point(x: 1, y: 2))
        stage.backend.click(Point(x: 1, y: 2))
        _ = stage.backend.text
        if !isRemoved { #expect(stage.selected == [], "\(word)") }
      }
    }
  }
}
