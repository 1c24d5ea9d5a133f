import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct TableActingTests {
  private func stage() -> (TableStage, LoggingDelegate) {
    let stage = TableStage((0..<9).map { "row \($0)" }, height: 4)
    return (stage, stage.noted())
  }

  @Test func anyRowCanBeActivatedOrEdited() {
    let (stage, delegate) = stage()
    let activated = stage.table.rx.activated.record()
    #expect(stage.table.activate(row: 7) && stage.selected == [])
    #expect(activated.elements == [7] && delegate.take() == ["activate 7"])
    // An edited row is scrolled into view.
    #expect(stage.table.beginEditing(row: 8))
    #expect(delegate.take() == ["shouldEdit 8", "show 5..<9", "edit 8"])
    #expect(stage.table.frame(ofRow: 8, column: "name") != nil)
  }

  @Test func invalidRowsAreNeitherActivatedNorEdited() {
    let (stage, delegate) = stage()
    for row in [-1, 9, .max, .min] {
      #expect(!stage.table.activate(row: row) && !stage.table.beginEditing(row: row))
    }
    stage.table.removeFromSuperview()
    #expect(!stage.table.activate(row: 0) && !stage.table.beginEditing(row: 0))
    #expect(delegate.take() == [])
  }

  @Test func editingCanBeRefused() {
    let (stage, delegate) = stage()
    delegate.refusesEditing = true
    #expect(!stage.table.beginEditing(row: 8))
    #expect(delegate.take() == ["shouldEdit 8"] && stage.table.scrollPosition == 0)
    let answer = stage.table.rDelegate.answer(\.tableView_shouldEditRow) { _, row in row == 1 }
    #expect(stage.table.beginEditing(row: 1) && !stage.table.beginEditing(row: 2))
    answer.dispose()
    #expect(!stage.table.beginEditing(row: 1))
  }

  /// The row number may denote another row after the delegate's change.
  @Test(arguments: ["shouldEdit", "show"])
  func nothingIsEditedAfterTheRowsChange(_ word: String) {
    let (stage, delegate) = stage()
    delegate.reactions[word] = { [weak delegate] in
      delegate?.reactions = [:]
      stage.source.rows.removeFirst()
      stage.table.reloadData()
    }
    #expect(!stage.table.beginEditing(row: 8))
    #expect(!delegate.take().contains { $0.hasPrefix("edit") })
  }
}
