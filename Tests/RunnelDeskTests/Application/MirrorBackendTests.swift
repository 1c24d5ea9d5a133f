import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Backends with native controls propose the user's changes. A delegate can refuse each proposal,
/// and in the end the native controls show the state of the application's controls.
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
    #expect(stage.backend.isInSync)
    // It can also agree, and is then notified.
    stage.refuser.agrees = true
    veto.act(stage)
    let log = stage.refuser.log.take()
    #expect(veto.notification.isEmpty || log.contains(veto.notification), "\(log)")
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isInSync)
  }

  @Test(arguments: MirrorStage.vetoes)
  private func aHandlerMayRefuse(_ veto: Veto) {
    let stage = MirrorStage()
    if veto.notification == "ended" { veto.adopt(stage) }
    stage.refuser.agrees = true
    var (count, agrees) = (0, false)
    let answer = veto.answer(stage) {
      count += 1
      return agrees
    }
    let before = veto.outcome(stage)
    veto.act(stage)
    #expect(count > 0 && veto.outcome(stage) == before)
    #expect(stage.backend.isInSync)
    agrees = true
    veto.act(stage)
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isInSync)
    answer.dispose()
  }

  /// Without a delegate, every proposal is accepted.
  @Test(arguments: MirrorStage.vetoes)
  private func withoutADelegateProposalsAreAccepted(_ veto: Veto) {
    let stage = MirrorStage()
    if veto.notification == "ended" { veto.adopt(stage) }
    stage.refuser.agrees = true
    let before = veto.outcome(stage)
    veto.act(stage)
    #expect(veto.outcome(stage) != before)
    #expect(stage.backend.isInSync)
  }

  // MARK: Reentrancy

  private enum Interference: CaseIterable {
    case again, remove, disable, otherState, otherDelegate, end, noRows
  }

  /// The delegate changes something else while it is asked, and then agrees or refuses.
  @Test(arguments: MirrorStage.vetoes, Interference.allCases)
  private func aDelegateMayInterfereWhileItIsAsked(_ veto: Veto, _ interference: Interference) {
    for agrees in [true, false] {
      let stage = MirrorStage()
      veto.adopt(stage)
      stage.refuser.agrees = agrees
      stage.refuser.onAsk = { [weak stage] in
        guard let stage else { return }
        stage.refuser.onAsk = {}
        Self.interfere(interference, veto, stage)
      }
      veto.act(stage)
      #expect(stage.backend.isInSync, "\(agrees)")
    }
  }

  private static func interfere(_ interference: Interference, _ veto: Veto, _ stage: MirrorStage) {
    let views: [View] =
      [stage.field, stage.editor, stage.checkbox, stage.table, stage.split] + stage.values
    switch interference {
    case .again: veto.act(stage)
    case .remove: for view in views { view.removeFromSuperview() }
    case .disable: for view in views { view.isEnabled = false }
    case .otherState:
      stage.field.text = "x"
      stage.editor.text = ""
      stage.checkbox.isOn = true
      stage.lamp.isOn = true
      stage.group.selectedIndex = 2
      stage.slider.value = 7
      stage.stepper.range = 5...9
      stage.popUp.selectedIndex = 2
      stage.combo.text = "c"
      stage.tabs.selectedIndex = 2
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

  /// A change by the program while a delegate is asked persists, whatever the answer is.
  @Test(arguments: [true, false])
  func aDelegateMaySetOtherStateWhileItIsAsked(_ agrees: Bool) {
    let stage = MirrorStage()
    let (table, refuser) = (stage.table, stage.refuser)
    refuser.agrees = agrees
    for veto in MirrorStage.vetoes where veto.notification != "ended" { veto.adopt(stage) }

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
    #expect(stage.backend.isInSync)
    // No delegate is notified of a proposal that had no effect.
    let notification = ["moved", "edits", "sorted", "resized", "changed", "ticked"]
    #expect(refuser.log.take().allSatisfy { !notification.contains($0) })
  }

  /// A delegate may change the state again when it is notified. That state is shown, and the
  /// proposal counts as refused.
  @Test func aDelegateMayChangeTheStateAgain() {
    let stage = MirrorStage()
    stage.checkbox.rDelegate.stream(\.checkboxDidChange).observeNext { $0.isOn = false }
    #expect(!stage.checkbox.propose(isOn: true))
    stage.field.rDelegate.stream(\.textField_didChangeText).observeNext { field, _ in
      field.text = field.text.uppercased()
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
    #expect(stage.backend.isInSync)
  }

  // MARK: Effects of proposals

  @Test func anUnopposedProposalIsAccepted() {
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
    #expect(stage.backend.isInSync)
  }

  @Test func anImpossibleProposalIsRefused() {
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
    // A single-line text has no line breaks.
    #expect(!stage.field.propose(text: "a\nb") && stage.field.text == "a b")
    stage.field.isEditable = false
    #expect(!stage.field.propose(text: "c") && stage.field.propose(selection: .start))
    #expect(!stage.field.propose(selection: TextSelection(0, 99)))
    #expect(!MenuItem.separator.activate())
    #expect(stage.backend.isInSync)
  }

  /// A choice that the delegate has made itself while it was asked is kept.
  @Test(arguments: MirrorStage.valueVetoes)
  private func aChangeByTheDelegateIsKept(_ veto: Veto) {
    let stage = MirrorStage()
    veto.adopt(stage)
    stage.refuser.agrees = true
    stage.refuser.onAsk = { [weak stage] in
      guard let stage else { return }
      stage.refuser.onAsk = {}
      Self.interfere(.otherState, veto, stage)
    }
    veto.act(stage)
    let kept = ["true", "2", "7.0", "5", "c", "cb", "bc"]
    #expect(kept.contains(veto.outcome(stage)), "\(veto.outcome(stage))")
    #expect(stage.backend.isInSync)
  }

  @Test func aNativeMenuTellsItsDelegate() {
    let stage = MirrorStage()
    let opened = stage.menu.rDelegate.stream(\.menuWillOpen).map { _ in }.record()
    let closed = stage.menu.rDelegate.stream(\.menuDidClose).map { _ in }.record()
    stage.field.contextMenu = stage.menu
    #expect(stage.field.nearestContextMenu === stage.menu)
    #expect(stage.editor.nearestContextMenu == nil)
    stage.window.content.contextMenu = stage.menu
    #expect(stage.editor.nearestContextMenu === stage.menu)
    stage.menu.willOpen()
    #expect(opened.elements.count == 1 && closed.elements.isEmpty)
    stage.menu.didClose()
    #expect(closed.elements.count == 1)
  }

  @Test func onlyAnswersOfTheAlertAreAccepted() {
    let stage = MirrorStage()
    var answers: [AlertButton?] = []
    let answer = stage.alert.ask(in: stage.application).observe(succeeded: { answers.append($0) })
    let window = stage.application.keyWindow
    #expect(window?.alert === stage.alert && stage.window.alert == nil)
    #expect(window?.propose(answer: .cancel("No")) == false)
    #expect(!stage.window.propose(answer: .default("OK")))
    #expect(window?.propose(answer: .default("OK")) == true)
    #expect(answers == [.default("OK")])
    // It is closed already.
    #expect(window?.propose(answer: .default("OK")) == false)
    answer.dispose()
  }

  /// Positions outside the text count as the nearest ones inside.
  @Test func anyRangeIsAccepted() {
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
    #expect(stage.backend.isInSync)
  }

  @Test func aDisabledControlIsNotChanged() {
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
    #expect(stage.backend.isInSync)
  }

  /// Proposed typing is undone like typing with keys.
  @Test func proposedTypingCanBeUndone() {
    let stage = MirrorStage()
    let field = stage.field
    for letter in " one" { field.propose(text: field.text + String(letter)) }
    for _ in 0..<2 { field.propose(text: String(field.text.dropLast())) }
    #expect(field.text == "field o")
    #expect(field.perform(.undo) && field.text == "field one")
    #expect(field.perform(.undo) && field.text == "field ")
    #expect(field.perform(.undo) && field.text == "field")
    #expect(field.perform(.redo) && field.text == "field ")
    #expect(stage.backend.isInSync)
  }

  /// Keys move from the row that was proposed.
  @Test func keysMoveFromTheProposedRow() {
    let stage = MirrorStage()
    let table = stage.table
    table.propose(selectedRows: RangeSet(1..<2))
    _ = table.perform(.extend(.down))
    #expect(table.selectedRows == RangeSet(1..<3))
    table.propose(selectedRows: RangeSet())
    #expect(table.selectedRow == nil)
    _ = table.perform(.move(.up))
    #expect(table.selectedRow == 2)
    #expect(stage.backend.isInSync)
  }
}
