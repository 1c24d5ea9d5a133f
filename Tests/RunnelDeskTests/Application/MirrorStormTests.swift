import RunnelDesk
import RunnelTesting
import Testing

/// Proposals of every kind in random order, while delegates refuse or interfere. Nothing may trap,
/// and a backend's native controls always show the state of the application's controls.
@MainActor
@Suite struct MirrorStormTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func randomProposalsKeepTheBackendInSync(_ seed: UInt64) {
    var stage = MirrorStage()
    var random = SeededGenerator(seed: seed)
    for step in 0..<1_500 {
      if stage.application.isTerminated || stage.window.application == nil { stage = MirrorStage() }
      adopt(stage)
      let (isAgreed, die) = (Bool.random(using: &random), Int.random(in: 0..<4, using: &random))
      let other = Int.random(in: 0..<9, using: &random)
      stage.refuser.agrees = isAgreed
      stage.refuser.onAsk = { [weak stage] in
        guard let stage, die == 0 else { return }
        stage.refuser.onAsk = {}
        Self.interfere(other, stage)
      }
      act(on: stage, &random)
      stage.refuser.onAsk = {}
      #expect(stage.backend.outdatedCopies == [], "seed \(seed), step \(step)")
      #expect(isSound(stage), "seed \(seed), step \(step)")
    }
  }

  private func adopt(_ stage: MirrorStage) {
    for veto in MirrorStage.vetoes where veto.notification != "ended" { veto.adopt(stage) }
  }

  private func act(on stage: MirrorStage, _ random: inout SeededGenerator) {
    let rows = RangeSet((0..<4).filter { _ in Bool.random(using: &random) }.map { $0..<$0 + 1 })
    let number = Int.random(in: -1...12, using: &random)
    let text = ["", "x", "x\ny", "é世", "one two"].randomElement(using: &random) ?? ""
    let places = (0..<2).map { _ in
      TextPosition(
        line: .random(in: 0...2, using: &random), offset: .random(in: 0...6, using: &random))
    }.sorted()
    switch Int.random(in: 0..<12, using: &random) {
    case 0: stage.backend.select(rows, in: stage.table)
    case 1: stage.backend.enter(text, in: stage.field)
    case 2: stage.backend.enter(text, in: stage.editor)
    case 3: stage.editor.propose(replacing: places[0]..<places[1], with: text)
    case 4: stage.backend.select(TextSelection(places[0]..<places[1]), in: stage.editor)
    case 5: stage.backend.resize(0, of: stage.table, to: number)
    case 6: stage.backend.move(stage.split, to: number)
    case 7: _ = stage.editor.perform([.undo, .redo, .selectAll][max(number, 0) % 3])
    case 8: stage.table.selectionMode = [.none, .single, .multiple][max(number, 0) % 3]
    default: (MirrorStage.vetoes.randomElement(using: &random))?.act(stage)
    }
  }

  private static func interfere(_ kind: Int, _ stage: MirrorStage) {
    switch kind {
    case 0: stage.table.reloadData()
    case 1: stage.table.selectedRow = 1
    case 2: stage.editor.text = "other\ntext"
    case 3: stage.field.selection = .start
    case 4: stage.table.sort = nil
    case 5: stage.window.makeFirstResponder(stage.checkbox)
    case 6: stage.checkbox.toggle()
    case 7: stage.field.text = ""
    default: stage.table.propose(selectedRows: RangeSet(0..<2))
    }
  }

  /// Returns true if only existing rows and text are selected.
  private func isSound(_ stage: MirrorStage) -> Bool {
    let (table, editor) = (stage.table, stage.editor)
    let count = table.selectedRows.ranges.reduce(0) { $0 + $1.count }
    let most =
      switch table.selectionMode {
      case .none: 0
      case .single: 1
      case .multiple: table.rowCount
      }
    return count <= most && (table.selectedRows.ranges.last?.upperBound ?? 0) <= table.rowCount
      && editor.selection.range.upperBound <= editor.document.end
  }
}
