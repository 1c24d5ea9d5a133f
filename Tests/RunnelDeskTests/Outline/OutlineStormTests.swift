import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Random changes of a tree, with random keys and clicks, compared with a simple model.
@MainActor
@Suite struct OutlineStormTests {
  /// Random numbers, folders, and the ids of the expanded folders.
  private final class Model {
    var generator: SeededGenerator
    private var next = 0
    var expanded: Set<Int> = []

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

    func folder(depth: Int = 0) -> Folder {
      next += 1
      let id = next
      let count = depth < 3 ? below(4) : 0
      return Folder(id, "f\(id)", (0..<count).map { _ in folder(depth: depth + 1) })
    }

    /// The names of the visible folders, indented.
    func lines(_ folders: CollectionProperty<[Folder]>, depth: Int = 0) -> [String] {
      folders.value.flatMap { folder in
        ["\(depth) \(folder.name)"]
          + (expanded.contains(folder.id) ? lines(folder.folders, depth: depth + 1) : [])
      }
    }

    /// All lists of the tree.
    func lists(_ folders: CollectionProperty<[Folder]>) -> [CollectionProperty<[Folder]>] {
      [folders] + folders.value.flatMap { lists($0.folders) }
    }
  }

  @Test(arguments: seeds(6) as Range<UInt64>)
  func randomChangesKeepTreeAndRowsEqual(seed: UInt64) {
    let model = Model(seed)
    let stage = OutlineStage(
      (0..<4).map { _ in model.folder() }, selectionMode: .multiple)
    let outline = stage.outline
    func state() -> [String] {
      (0..<outline.table.rowCount).map {
        "\(outline.depth(ofRow: $0)) \(stage.rows.item(atRow: $0)?.name ?? "none")"
      }
    }
    for step in 0..<150 {
      let before = Set(stage.rows.selectedItems.value.map(\.id))
      if model.below(2) == 0 {
        let lists = model.lists(stage.top)
        let list = lists[model.below(lists.count)]
        list.batch { for _ in 0...model.below(3) { edit(list, model) } }
        let shown = Set((0..<outline.table.rowCount).compactMap { stage.rows.item(atRow: $0)?.id })
        let after = Set(stage.rows.selectedItems.value.map(\.id))
        #expect(after == before.intersection(shown), "seed \(seed), step \(step)")
      } else {
        act(stage, model)
      }
      #expect(state() == model.lines(stage.top), "seed \(seed), step \(step)")
      for row in 0..<outline.table.rowCount {
        let parent = (0..<row).last { outline.depth(ofRow: $0) < outline.depth(ofRow: row) }
        #expect(outline.parent(ofRow: row) == parent, "seed \(seed), step \(step)")
      }
      // A collapsed folder may have got its first child, or have lost its last one.
      outline.needsDisplay()
      let shown = stage.text
      outline.table.reloadRows(0..<outline.table.rowCount)
      #expect(stage.text == shown, "seed \(seed), step \(step)")
    }
  }

  /// Delegates and observers change the tree while it reports a change.
  @Test(arguments: seeds(4) as Range<UInt64>)
  func reentrantChangesKeepTreeAndRowsEqual(seed: UInt64) {
    let model = Model(seed)
    let stage = OutlineStage((0..<4).map { _ in model.folder() })
    let outline = stage.outline
    var depth = 0
    let chaos = {
      guard depth < 3, model.below(3) == 0 else { return }
      depth += 1
      defer { depth -= 1 }
      let row = model.below(12)
      switch model.below(4) {
      case 0: outline.expand(row: row)
      case 1: outline.collapse(row: row)
      case 2: outline.table.selectedRow = row
      default:
        let lists = model.lists(stage.top)
        edit(lists[model.below(lists.count)], model)
      }
    }
    stage.rows.selectedItem.observeNext { _ in chaos() }
    outline.rDelegate.stream(\.outlineView_didExpandRow).observeNext { _ in chaos() }
    outline.rDelegate.answer(\.outlineView_shouldCollapseRow) { _, _ in
      chaos()
      return true
    }
    outline.table.rDelegate.stream(\.tableView_didShowRows).observeNext { _ in chaos() }
    for step in 0..<120 {
      if model.below(2) == 0 { edit(stage.top, model) } else { act(stage, model) }
      depth = 3
      _ = stage.text
      act(stage, model)
      depth = 0
      let rows = (0..<outline.table.rowCount).map {
        "\(outline.depth(ofRow: $0)) \(stage.rows.item(atRow: $0)?.name ?? "none")"
      }
      #expect(rows == model.lines(stage.top), "seed \(seed), step \(step)")
    }
  }

  private func edit(_ list: CollectionProperty<[Folder]>, _ model: Model) {
    let count = list.count
    let index = count > 0 ? model.below(count) : 0
    switch model.below(8) {
    case 0...1: list.insert(model.folder(depth: 2), at: index)
    case 2 where count > 0: list.remove(at: index)
    case 3...4 where count > 0: list.move(from: index, to: model.below(count))
    case 5 where count > 0:
      list[index].name += "!"
      list[index] = list[index]
    case 6: list.replace(with: list.value.shuffled(using: &model.generator))
    default: break
    }
  }

  private func act(_ stage: OutlineStage, _ model: Model) {
    let count = stage.outline.table.rowCount
    guard count > 0 else { return }
    let row = model.below(count)
    switch model.below(5) {
    case 0, 1:
      let isExpanded = model.below(3) > 0
      stage.outline.propose(row: row, isExpanded: isExpanded)
    case 2: stage.desk.click(model.below(16), model.below(8))
    case 3: stage.outline.table.scrollPosition = row
    default: stage.desk.press(["left", "right", "up", "down", "shift+down"][model.below(5)])
    }
    // The rows tell which folders the user has expanded or collapsed.
    for row in 0..<stage.outline.table.rowCount {
      guard let id = stage.rows.item(atRow: row)?.id else { continue }
      if stage.outline.isExpanded(row: row) {
        model.expanded.insert(id)
      } else {
        model.expanded.remove(id)
      }
    }
  }
}
