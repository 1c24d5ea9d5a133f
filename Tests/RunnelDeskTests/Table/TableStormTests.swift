import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// Random edits of a collection, with random keys and clicks, compared with a simple model.
@MainActor
@Suite struct TableStormTests {
  private let keys = [
    "down", "up", "home", "end", "pagedown", "pageup", "shift+down", "shift+up", "shift+end",
    "shift+home", "ctrl+a", "space", "ctrl+space", "enter", "f2", "p", "left", "right", "escape",
  ]

  @Test(arguments: seeds(4) as Range<UInt64>)
  func randomEditsKeepListAndTableEqual(seed: UInt64) {
    let dice = Dice(seed)
    let stage = TableStage(
      width: 14, height: 6, showsHeader: dice.below(2) == 0, hasSource: false)
    let pets = CollectionProperty(
      (0..<dice.below(13)).map { Pet(id: $0, name: "pet \($0)") })
    let rows = stage.table.rx.rows(pets) { row, pet in
      row["name"].text = pet.name
    }
    var receivedItems: [Pet] = []
    rows.selectedItems.observeNext { receivedItems = $0 }
    var receivedItem: Pet?
    rows.selectedItem.observeNext { receivedItem = $0 }
    for _ in 0..<120 {
      let before = rows.selectedItems.value.map(\.id)
      if dice.below(2) == 0 {
        pets.batch {
          for _ in 0..<dice.below(4) + 1 {
            edit(pets, dice)
          }
        }
        let left = Set(pets.map(\.id).value)
        #expect(
          Set(rows.selectedItems.value.map(\.id)) == left.intersection(before), "seed \(seed)")
      } else {
        act(stage, dice)
      }
      #expect((0..<stage.table.rowCount).map { rows.item(atRow: $0) } == Array(pets.value))
      #expect(stage.selected.allSatisfy { $0 < pets.count })
      #expect(receivedItems == rows.selectedItems.value, "seed \(seed)")
      #expect(receivedItem == rows.selectedItem.value, "seed \(seed)")
      #expect(stage.isUpToDate, "seed \(seed)")
    }
  }

  private func edit(
    _ pets: CollectionProperty<[Pet]>, _ dice: Dice
  ) {
    let count = pets.count
    let index = count > 0 ? dice.below(count) : 0
    switch dice.below(12) {
    case 0...3:
      pets.insert(dice.pet(), at: index)
    case 4...5 where count > 0: pets.remove(at: index)
    case 6...7 where count > 0: pets[index].name += "!"
    case 8...9 where count > 0:
      pets.move(from: index, to: dice.below(count))
    case 10: pets.replace(with: pets.value.shuffled(using: &dice.generator))
    case 11 where count > 3: pets.removeSubrange(index..<min(index + 3, count))
    default: break
    }
  }

  private func act(_ stage: TableStage, _ dice: Dice) {
    let point = Point(
      x: dice.below(14), y: dice.below(6))
    switch dice.below(20) {
    case 0: stage.backend.click(point)
    case 1: stage.backend.click(point, .control)
    case 2: stage.backend.click(point, .shift)
    case 3:
      let wheel = MouseEvent.Action.wheel(dice.below(2) == 0 ? .up : .down)
      stage.backend.send(.mouse(MouseEvent(wheel, at: point)))
    case 4:
      let height = dice.below(10)
      stage.backend.send(.resize(Size(width: 14, height: height)))
    case 5:
      stage.table.selectedRows = RangeSet(
        (0..<3).map { _ in
          let row = dice.below(20)
          return row..<row + 1
        })
    case 6: stage.table.scrollPosition = dice.below(23) - 2
    default: stage.press(keys[dice.below(keys.count)])
    }
  }

  @Test(arguments: seeds(4) as Range<UInt64>)
  func randomEditsKeepSectionsAndTableEqual(seed: UInt64) {
    let dice = Dice(seed)
    let stage = TableStage(width: 14, height: 7, hasSource: false)
    func section() -> ListSection<String, Pet> {
      let pets = (0..<dice.below(5)).map { _ in dice.pet() }
      return ListSection("section \(dice.below(99))", pets)
    }
    let sections = CollectionProperty(sections: [section(), section(), section()])
    let rows = stage.table.rx.rows(sections: sections, title: { $0 }) {
      $0["name"].text = $1.name
    }
    var receivedItems: [Pet] = []
    rows.selectedItems.observeNext { receivedItems = $0 }
    for _ in 0..<80 {
      let before = rows.selectedItems.value.map(\.id)
      if dice.below(2) == 0 {
        // An item that moves to another section counts as a new item.
        var movedItems: Set<Int> = []
        sections.batch {
          for _ in 0..<dice.below(4) + 1 {
            let count = sections.count
            let index = count > 0 ? dice.below(count) : 0
            let size = count > 0 ? sections[index].items.count : 0
            let path = ItemPath(
              section: index, item: size > 0 ? dice.below(size) : 0)
            switch dice.below(12) {
            case 0: sections.insert(section(), at: index)
            case 1 where count > 0: sections.removeSection(at: index)
            case 2 where count > 0:
              sections.moveSection(from: index, to: dice.below(count))
            case 3 where count > 0: sections.setHeader("title \(dice.below(99))", ofSection: index)
            case 4...5 where count > 0: sections.insert(dice.pet(), at: path)
            case 6 where size > 0: sections.remove(at: path)
            case 7 where size > 0: sections[path].name += "!"
            case 8...9 where size > 0:
              let item = dice.below(size)
              sections.move(from: path, to: ItemPath(section: index, item: item))
            case 10 where size > 0 && count > 1:
              let other = (index + 1) % count
              movedItems.insert(sections[path].id)
              sections.move(from: path, to: ItemPath(section: other, item: 0))
            case 11: sections.replace(with: sections.value.reversed())
            default: break
            }
          }
        }
        let left = Set(sections.value.flatMap { $0.items.map(\.id) })
        let selected = Set(rows.selectedItems.value.map(\.id))
        #expect(
          selected.subtracting(movedItems) == left.intersection(before).subtracting(movedItems),
          "seed \(seed)")
      } else {
        act(stage, dice)
      }
      let items = sections.value.flatMap { Array($0.items) }
      #expect((0..<stage.table.rowCount).map { rows.item(atRow: $0) } == items, "seed \(seed)")
      #expect(receivedItems == rows.selectedItems.value, "seed \(seed)")
      #expect(stage.isUpToDate, "seed \(seed)")
    }
  }

  /// Delegates and closures call random operations.
  @Test(arguments: seeds(4) as Range<UInt64>)
  func reentrantDelegatesKeepTheTableConsistent(seed: UInt64) {
    let dice = Dice(seed)
    let stage = TableStage(width: 14, height: 6, showsHeader: true, hasSource: false)
    let pets = CollectionProperty((0..<9).map { Pet(id: $0, name: "pet \($0)") })
    let delegate = LoggingDelegate()
    stage.table.delegate = delegate
    let chaos = {
      guard dice.below(4) == 0 else { return }
      switch dice.below(8) {
      case 0: stage.table.selectedRow = dice.below(12)
      case 1: stage.table.removeFromSuperview()
      case 2: stage.table.selectionMode = [.none, .single, .multiple][dice.below(3)]
      case 3: stage.table.reloadData()
      case 4: stage.table.columns = [TableColumn("name"), TableColumn("\(dice.below(99))")]
      case 5: stage.table.scrollPosition = dice.below(12)
      default: edit(pets, dice)
      }
    }
    for word in [
      "should", "shouldChange", "will", "did", "activate", "shouldEdit", "edit", "show", "header",
      "shouldSort", "sort", "shouldResize", "resize",
    ] {
      delegate.reactions[word] = chaos
    }
    let rows = stage.table.rx.rows(pets) { row, pet in
      row["name"].text = pet.name
      chaos()
    }
    rows.selectedItem.observeNext { _ in chaos() }
    stage.table.rx.selectedRow.observeNext { _ in chaos() }
    let stack = StackView(.vertical)
    stage.window.content = stack
    for _ in 0..<80 {
      if stage.table.window == nil { stack.addSubview(stage.table) }
      stage.window.makeFirstResponder(stage.table)
      act(stage, dice)
      #expect(stage.selected.allSatisfy { $0 < stage.table.rowCount }, "seed \(seed)")
      #expect(stage.table.rowCount == pets.count, "seed \(seed)")
    }
    delegate.reactions = [:]
    rows.dispose()
    stage.table.rx.rows(pets) { $0["name"].text = $1.name }
    #expect(stage.isUpToDate, "seed \(seed)")
  }
}

/// Random numbers and new pets.
private final class Dice {
  var generator: SeededGenerator
  private var next = 100

  init(_ seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  func pet() -> Pet {
    next += 1
    return Pet(id: next, name: "pet \(next)")
  }
}
