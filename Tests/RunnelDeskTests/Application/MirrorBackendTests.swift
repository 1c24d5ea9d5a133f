import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Backends that have controls of their own propose what a person does: everything that can be refused can
/// be refused there too, and what their controls show is in the end what the application's say.
@MainActor
@Suite struct MirrorBackendTests {
  private typealias Veto = MirrorStage.Veto

  // MARK: Vetoes

  @Test(arguments: MirrorStage.vetoes)
  private func aDelegateMayRefuse(_ veto: Veto) {
    let stage = MirrorStage()
    veto.adopt(stage)
    let before = veto.outcome(stage)
    veto.act(stage)
    #expect(stage.refuser.log.take().contains { $0.hasSuffix("?") })
    #expect(veto.outcome(stage) == before)
    #expect(stage.backend.isTrue)
    // And it may agree, and is told then.
    stage.refuser.agrees = true
    veto.act(stage)
    let log = stage.refuser.log.take()
    #expect(veto.told.isEmpty || log.contains(veto.told), "\(log)")
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isTrue)
  }

  @Test(arguments: MirrorStage.vetoes)
  private func aHandlerMayRefuse(_ veto: Veto) {
    let stage = MirrorStage()
    if veto.told == "ended" { veto.adopt(stage) }
    stage.refuser.agrees = true
    var (count, agrees) = (0, false)
    let answer = veto.answer(stage) {
      count += 1
      return agrees
    }
    let before = veto.outcome(stage)
    veto.act(stage)
    #expect(count > 0 && veto.outcome(stage) == before)
    #expect(stage.backend.isTrue)
    agrees = true
    veto.act(stage)
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isTrue)
    answer.dispose()
  }

  /// Whoever refuses nothing lets all of it be.
  @Test(arguments: MirrorStage.vetoes)
  private func nobodyNeedsToAgree(_ veto: Veto) {
    let stage = MirrorStage()
    if veto.told == "ended" { veto.adopt(stage) }
    stage.refuser.agrees = true
    let before = veto.outcome(stage)
    veto.act(stage)
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isTrue)
  }

  // MARK: Re-entrancy

  private enum Meddling: CaseIterable {
    case again, remove, disable, otherState, otherDelegate, end, noRows
  }

  /// Who is asked does something else meanwhile, and then agrees, or does not.
  @Test(arguments: MirrorStage.vetoes, Meddling.allCases)
  private func whoIsAskedMayDoAnything(_ veto: Veto, _ meddling: Meddling) {
    for agrees in [true, false] {
      let stage = MirrorStage()
      veto.adopt(stage)
      stage.refuser.agrees = agrees
      stage.refuser.onAsk = { [weak stage] in
        guard let stage else { return }
        stage.refuser.onAsk = {}
        Self.meddle(meddling, veto, stage)
      }
      veto.act(stage)
      #expect(stage.backend.isTrue, "\(agrees)")
    }
  }

  private static func meddle(_ meddling: Meddling, _ veto: Veto, _ stage: MirrorStage) {
    let views: [View] = [stage.field, stage.editor, stage.checkbox, stage.table, stage.split]
    switch meddling {
    case .again: veto.act(stage)
    case .remove: for view in views { view.removeFromSuperview() }
    case .disable: for view in views { view.isEnabled = false }
    case .otherState:
      stage.field.text = "x"
      stage.editor.text = ""
      stage.checkbox.isOn = true
      stage.table.columns.removeFirst()
      stage.table.selectedRow = 0
      stage.table.sort = TableSort("b")
      stage.split.position = .cells(2)
    case .otherDelegate:
      stage.table.delegate = nil
      stage.field.delegate = nil
      stage.editor.delegate = nil
      stage.checkbox.delegate = nil
    case .end: stage.application.end()
    case .noRows: stage.table.dataSource = nil
    }
  }

  /// What the program sets while somebody is asked stays, whatever the answer is.
  @Test(arguments: [true, false])
  func whoIsAskedMaySetSomethingElse(_ agrees: Bool) {
    let stage = MirrorStage()
    let (table, refuser) = (stage.table, stage.refuser)
    refuser.agrees = agrees
    for veto in MirrorStage.vetoes where veto.told != "ended" { veto.adopt(stage) }

    refuser.onAsk = { stage.split.position = .cells(2) }
    #expect(!stage.split.moveDivider(to: 7) && stage.split.position == .cells(2))
    refuser.onAsk = { table.sort = TableSort("b") }
    #expect(!table.propose(sort: TableSort("a")) && table.sort == TableSort("b"))
    refuser.onAsk = { table.selectedRow = 2 }
    #expect(!table.propose(selectedRows: RangeSet(0..<1)) && table.selectedRow == 2)
    refuser.onAsk = { table.reloadData() }
    #expect(!table.beginEditing(row: 0))
    refuser.onAsk = { table.columns[1].width = .fixed(9) }
    #expect(!table.resizeColumn("a", to: 8) && table.columns[0].width == .fixed(6))
    refuser.onAsk = { stage.field.text = "other" }
    #expect(!stage.field.propose(text: "field!") && stage.field.text == "other")
    refuser.onAsk = { stage.checkbox.isOn = true }
    #expect(stage.checkbox.propose(isOn: true) && stage.checkbox.isOn)
    #expect(stage.backend.isTrue)
    // Nobody is told of what has not come of a proposal.
    let told = ["moved", "edits", "sorted", "resized", "changed", "ticked"]
    #expect(refuser.log.take().allSatisfy { !told.contains($0) })
  }

  /// Who is told that something has changed may change it again: that is what is shown, and the proposal
  /// was not what is so then.
  @Test func whoIsToldMayChangeItAgain() {
    let stage = MirrorStage()
    stage.checkbox.rDelegate.stream(\.checkboxDidChange).observeNext { $0.isOn = false }
    #expect(!stage.checkbox.propose(isOn: true))
    stage.field.rDelegate.stream(\.textFieldDidChangeText).observeNext {
      $0.text = $0.text.uppercased()
    }
    #expect(!stage.field.propose(text: "fields"))
    #expect(stage.field.text == "FIELDS")
    let table = stage.table
    table.rDelegate.stream(\.tableViewSelectionDidChange).observeNext {
      if $0.selectedRow == 1 { $0.selectedRow = 2 }
    }
    #expect(!table.propose(selectedRows: RangeSet(1..<2)))
    #expect(table.selectedRow == 2)
    table.rx.sort.changed.observeNext { if $0?.column == "a" { table.sort = TableSort("b") } }
    #expect(!table.propose(sort: TableSort("a")))
    #expect(table.sort == TableSort("b"))
    stage.split.rDelegate.stream(\.splitViewDidMoveDivider).observeNext { $0.position = .cells(3) }
    #expect(!stage.split.moveDivider(to: 7))
    #expect(stage.backend.isTrue)
  }

  // MARK: What proposals mean

  @Test func aProposalIsMadeIfNothingIsAgainstIt() {
    let stage = MirrorStage()
    #expect(stage.button.press())
    #expect(stage.checkbox.propose(isOn: true) && stage.checkbox.propose(isOn: true))
    #expect(stage.checkbox.toggle() && !stage.checkbox.isOn)
    #expect(stage.table.propose(sort: TableSort("a")) && stage.table.propose(sort: TableSort("a")))
    #expect(stage.table.activate(row: 2) && stage.table.beginEditing(row: 0))
    #expect(stage.table.resizeColumn("a", to: 8) && stage.table.resizeColumn("a", to: 8))
    #expect(stage.split.moveDivider(to: 9) && stage.split.moveDivider(to: 9))
    #expect(stage.field.propose(text: "fields") && stage.field.propose(text: "fields"))
    #expect(stage.field.propose(selection: TextSelection(1, 3)))
    #expect(stage.item.activate())
    #expect(stage.backend.isTrue)
  }

  @Test func whatCannotBeIsNotMade() {
    let stage = MirrorStage()
    let table = stage.table
    #expect(!table.activate(row: 3) && !table.activate(row: -1) && !table.beginEditing(row: 3))
    #expect(!table.propose(sort: TableSort("none")))
    table.columns[0].isSortable = false
    #expect(!table.propose(sort: TableSort("a")))
    #expect(!table.clickHeader(of: TableColumn("none", isSortable: true)))
    #expect(!table.resizeColumn("none", to: 3) && !table.fitColumn("none"))
    #expect(!table.resizeColumn("a", to: 1_000) && !stage.split.moveDivider(to: 1_000))
    #expect(!table.propose(selectedRows: RangeSet(2..<9)) && stage.table.selectedRow == 2)
    table.selectionMode = .single
    #expect(!table.propose(selectedRows: RangeSet(0..<2)))
    #expect(table.selectedRows.ranges.map { $0.count } == [1])
    table.selectionMode = .none
    #expect(!table.propose(selectedRows: RangeSet(0..<1)) && table.selectedRow == nil)
    // A line has no breaks.
    #expect(!stage.field.propose(text: "a\nb") && stage.field.text == "a b")
    stage.field.isEditable = false
    #expect(!stage.field.propose(text: "c") && stage.field.propose(selection: .start))
    #expect(!stage.field.propose(selection: TextSelection(0, 99)))
    #expect(!MenuItem.separator.activate())
    #expect(stage.backend.isTrue)
  }

  /// Places that there are not count as the nearest ones.
  @Test func anyRangeWillDo() {
    let stage = MirrorStage()
    let places = [-5, 0, 1, 3, 99].flatMap { line in
      [-5, 0, 2, 99].map { TextPosition(line: line, offset: $0) }
    }
    for control in [stage.field, stage.editor] as [any TextControl] {
      for start in places {
        for end in places where start <= end {
          control.text = "äöü"
          control.propose(replacing: start..<end, with: "x")
          control.propose(replacing: start..<end, with: "")
          control.propose(selection: TextSelection(anchor: end, head: start))
        }
      }
    }
    #expect(stage.backend.isTrue)
  }

  @Test func whatCannotBeUsedIsNotChanged() {
    let stage = MirrorStage()
    let (checkbox, field, table) = (Checkbox("loose"), TextField("loose"), TableView())
    #expect(
      !checkbox.toggle() && !field.propose(text: "x") && !table.propose(selectedRows: .init()))
    stage.window.content.isEnabled = false
    #expect(!stage.button.press() && !stage.checkbox.toggle() && !stage.table.activate(row: 0))
    #expect(!stage.editor.propose(text: "") && !stage.editor.propose(selection: .init(1, 2)))
    #expect(!stage.table.propose(selectedRows: RangeSet(0..<1)))
    #expect(!stage.table.propose(sort: TableSort("a")) && !stage.table.resizeColumn("a", to: 9))
    #expect(!stage.table.clickHeader(of: stage.table.columns[0]) && stage.table.sort == nil)
    #expect(!stage.split.moveDivider(to: 9))
    #expect(stage.backend.isTrue)
  }

  /// Typing that is proposed is undone as typing by keys is.
  @Test func whatIsProposedCanBeUndone() {
    let stage = MirrorStage()
    let field = stage.field
    for letter in " one" { field.propose(text: field.text + String(letter)) }
    for _ in 0..<2 { field.propose(text: String(field.text.dropLast())) }
    #expect(field.text == "field o")
    #expect(field.perform(.undo) && field.text == "field one")
    #expect(field.perform(.undo) && field.text == "field ")
    #expect(field.perform(.undo) && field.text == "field")
    #expect(field.perform(.redo) && field.text == "field ")
    #expect(stage.backend.isTrue)
  }

  /// Keys go on from the row that was proposed.
  @Test func keysGoOnFromWhatWasSelected() {
    let stage = MirrorStage()
    let table = stage.table
    table.propose(selectedRows: RangeSet(1..<2))
    _ = table.perform(.extend(.down))
    #expect(table.selectedRows == RangeSet(1..<3))
    table.propose(selectedRows: RangeSet())
    #expect(table.selectedRow == nil)
    _ = table.perform(.move(.up))
    #expect(table.selectedRow == 2)
    #expect(stage.backend.isTrue)
  }
}
