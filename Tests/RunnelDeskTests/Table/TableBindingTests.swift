import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

/// The elements of the bound tables.
struct Pet: Identifiable, Equatable {
  let id: Int
  var name: String
}

@MainActor
@Suite struct TableBindingTests {
  /// A table of pets, with a log of configured pets.
  @MainActor
  private final class Kennel {
    let stage: TableStage
    let pets: CollectionProperty<[Pet]>
    let rows: TableRows<Pet>
    private let configured: Property<[Int]>

    init(_ names: [String], height: Int = 4) {
      let configured = Property<[Int]>([])
      stage = TableStage(height: height, hasSource: false)
      pets = CollectionProperty(names.enumerated().map { Pet(id: $0, name: $1) })
      rows = stage.table.rx.rows(pets) { row, pet in
        configured.value.append(pet.id)
        row["name"].text = pet.name
      }
      self.configured = configured
    }

    var text: String { stage.backend.grid.lines.joined(separator: " ") }

    /// Returns the pets configured since the last call.
    func take() -> [Int] {
      defer { configured.value = [] }
      return configured.value
    }
  }

  @Test func onlyVisibleAndChangedRowsAreConfigured() {
    let kennel = Kennel((0..<9).map { "pet\($0)" })
    #expect(kennel.text == "pet0       █ pet1       │ pet2       │ pet3       │")
    #expect(kennel.take() == [0, 1, 2, 3])
    kennel.pets[1].name = "Rex"
    kennel.pets[7].name = "Tom"
    _ = kennel.text
    #expect(kennel.take() == [1])
    kennel.pets.insert(Pet(id: 20, name: "new"), at: 1)
    _ = kennel.text
    #expect(kennel.take() == [20])
    kennel.pets.remove(at: 0)
    _ = kennel.text
    #expect(kennel.take() == [3])
    kennel.pets.move(from: 0, to: 3)
    #expect(kennel.text.hasPrefix("Rex        █ pet2       │ pet3"))
    #expect(kennel.take() == [])
    kennel.stage.press("down", "down", "down", "down", "down")
    _ = kennel.text
    #expect(kennel.take() == [4])
    kennel.stage.table.reloadRows(kennel.stage.table.visibleRows)
    _ = kennel.text
    #expect(kennel.take().count == 4)
  }

  @Test func allColumnsOfARowAreConfiguredTogether() {
    let stage = TableStage(
      columns: [TableColumn("a"), TableColumn("b"), TableColumn("c")], height: 3, hasSource: false)
    var calls = 0
    let numbers = CollectionProperty([1, 2])
    stage.table.rx.rows(numbers) { row, number in
      calls += 1
      for column in ["a", "b", "c"] { row[column].text = "\(column)\(number)" }
    }
    #expect(stage.backend.text == "a1  b1  c1\na2  b2  c2\n" && calls == 2)
    stage.table.columns.swapAt(0, 2)
    #expect(stage.backend.text == "c1  b1  a1\nc2  b2  a2\n" && calls == 4)
  }

  @Test func theSelectionFollowsItsElements() {
    let kennel = Kennel((0..<9).map { "pet\($0)" })
    let table = kennel.stage.table
    table.selectedRows = RangeSet([2..<3, 5..<7])
    kennel.pets.insert(Pet(id: 20, name: "new"), at: 0)
    #expect(kennel.stage.selected == [3, 6, 7])
    kennel.pets.move(from: 6, to: 0)
    #expect(kennel.stage.selected == [0, 4, 7])
    kennel.pets.remove(at: 4)
    #expect(kennel.stage.selected == [0, 6])
    kennel.pets[6].name = "other"
    #expect(kennel.stage.selected == [0, 6])
    kennel.pets.batch {
      kennel.pets.removeFirst()
      kennel.pets.append(Pet(id: 30, name: "last"))
      kennel.pets.swapAt(0, 5)
    }
    #expect(kennel.stage.selected == [0])
    kennel.pets.removeAll()
    #expect(kennel.stage.selected == [] && table.selectedRow == nil)
  }

  @Test func theSelectionFollowsThroughFiltersAndSorts() {
    let stage = TableStage(height: 4, hasSource: false)
    let pets = CollectionProperty((0..<6).map { Pet(id: $0, name: "pet\($0)") })
    // Only the table retains the derived collections.
    stage.table.rx.rows(pets.filter { !$0.name.isEmpty }.sorted { $0.name < $1.name }) {
      $0["name"].text = $1.name
    }
    stage.table.selectedRow = 4
    pets[4].name = "a first"
    #expect(stage.selected == [0])
    #expect(stage.backend.text.hasPrefix("a first"))
    pets[4].name = ""
    #expect(stage.selected == [] && stage.table.rowCount == 5)
  }

  @Test func aResetSelectsElementsWithTheSameIDs() {
    let kennel = Kennel((0..<9).map { "pet\($0)" })
    kennel.stage.table.selectedRows = RangeSet([1..<3, 8..<9])
    let pets = (0..<9).reversed().map { Pet(id: $0, name: "new\($0)") }
    kennel.pets.replace(with: pets.filter { $0.id != 2 })
    #expect(kennel.stage.selected == [0, 6])
    #expect(kennel.text.contains("new8"))
    kennel.pets.replace(with: [])
    #expect(kennel.stage.selected == [])
    // Elements without ids are not recognised.
    let stage = TableStage(height: 4, hasSource: false)
    let numbers = CollectionProperty([1, 2, 3])
    stage.table.rx.rows(numbers) { $0["name"].text = "\($1)" }
    stage.table.selectedRow = 1
    numbers.replace(with: [2, 3, 4])
    #expect(stage.selected == [])
  }

  @Test func visibleRowsStayInPlace() {
    let kennel = Kennel((0..<20).map { "pet\($0)" })
    let table = kennel.stage.table
    table.scrollPosition = 5
    kennel.pets.insert(contentsOf: (30..<40).map { Pet(id: $0, name: "new") }, at: 2)
    #expect(kennel.text.hasPrefix("pet5"))
    kennel.pets.removeSubrange(0..<12)
    #expect(kennel.text.hasPrefix("pet5") && table.scrollPosition == 3)
    // The top row is removed; the next row takes its place.
    kennel.pets.remove(at: 3)
    #expect(kennel.text.hasPrefix("pet6"))
    // A visible selected row takes precedence over the top row.
    table.selectedRow = 5
    kennel.pets.move(from: 3, to: 12)
    #expect(kennel.stage.backend.grid.lines[2].hasPrefix("pet8"))
    // At the top of the table, new rows are shown.
    table.scrollPosition = 0
    kennel.pets.insert(Pet(id: 50, name: "first"), at: 0)
    #expect(kennel.text.hasPrefix("first"))
  }

  @Test func changesAfterInsertRowsRepairTheTable() {
    let kennel = Kennel(["a", "b", "c"])
    kennel.stage.table.insertRows(0..<2)
    #expect(kennel.stage.table.rowCount == 5 && kennel.rows.item(atRow: 0)?.name == "a")
    #expect(kennel.rows.item(atRow: 3) == nil)
    kennel.pets.append(Pet(id: 20, name: "d"))
    #expect(kennel.stage.table.rowCount == 4 && kennel.rows.item(atRow: 3)?.name == "d")
    kennel.rows.dispose()
    #expect(kennel.rows.item(atRow: 0) == nil)
  }

  // MARK: - Items

  @Test func selectedItemIsSentOnChangeOrUpdate() {
    let kennel = Kennel(["a", "b", "c", "d"])
    var items: [String?] = []
    let observation = kennel.rows.selectedItem.observeNext { items.append($0?.name) }
    kennel.stage.press("down", "down")
    kennel.pets.insert(Pet(id: 20, name: "new"), at: 0)
    kennel.pets.move(from: 2, to: 4)
    #expect(items == [nil, "a", "b"])
    kennel.pets[0].name = "x"
    kennel.pets[4].name = "B"
    #expect(items == [nil, "a", "b", "B"])
    #expect(kennel.rows.selectedItem.value == Pet(id: 1, name: "B"))
    kennel.pets.remove(at: 4)
    #expect(items == [nil, "a", "b", "B", nil])
    #expect(kennel.rows.select { $0.name == "d" } && !kennel.rows.select { $0.name == "z" })
    #expect(items.last == "d")
    observation.dispose()
    kennel.stage.press("up")
    #expect(items.last == "d" && kennel.rows.selectedItem.value?.name == "c")
  }

  @Test func selectedItemsAreSentOnChange() {
    let kennel = Kennel(["a", "b", "c", "d"])
    var items: [String] = []
    kennel.rows.selectedItems.observeNext { items.append($0.map(\.name).joined()) }
    kennel.stage.press("down", "shift+down")
    kennel.pets.insert(Pet(id: 20, name: "new"), at: 0)
    kennel.pets.move(from: 4, to: 0)
    #expect(items == ["", "a", "ab"])
    kennel.pets.swapAt(2, 3)
    #expect(items == ["", "a", "ab", "ba"])
    kennel.pets[2].name = "B"
    kennel.pets.remove(at: 3)
    #expect(items == ["", "a", "ab", "ba", "Ba", "B"])
    kennel.rows.dispose()
    #expect(items.last == "")
  }

  @Test func activatedItemsAreSent() {
    let kennel = Kennel(["a", "b"])
    var opened: [String] = []
    kennel.rows.activated.observeNext { opened.append($0.name) }
    kennel.stage.press("enter", "end", "enter")
    #expect(opened == ["b"])
  }

  // MARK: - Disposal

  @Test func disposalReturnsTheTableToItsDataSource() {
    let kennel = Kennel(["a", "b"])
    kennel.stage.table.dataSource = kennel.stage.source
    kennel.stage.source.rows = ["own"]
    #expect(kennel.text.hasPrefix("a"))
    kennel.stage.press("down")
    kennel.rows.dispose()
    #expect(kennel.text.hasPrefix("own") && kennel.stage.table.rowCount == 1)
    #expect(kennel.rows.item(atRow: 0) == nil && kennel.rows.selectedItem.value == nil)
    kennel.pets.removeAll()
    #expect(kennel.text.hasPrefix("own") && !kennel.pets.isObserved)
  }

  @Test func aNewBindingReplacesTheOld() {
    let kennel = Kennel(["a", "b"])
    kennel.stage.press("end")
    let others = CollectionProperty(["x", "y", "z"])
    kennel.stage.table.rx.rows(others) { $0["name"].text = $1 }
    #expect(kennel.text.hasPrefix("x") && kennel.rows.disposable.isDisposed)
    #expect(kennel.stage.selected == [] && !kennel.pets.isObserved)
    others.removeFirst()
    #expect(kennel.text.hasPrefix("y"))
  }

  @Test func ofTwoNestedBindingsOneRemains() {
    let kennel = Kennel(["a", "b"])
    let table = kennel.stage.table
    table.selectedRow = 0
    let (inner, outer) = (CollectionProperty(["inner"]), CollectionProperty(["outer"]))
    var isFirst = true
    table.rDelegate.stream(\.tableViewSelectionDidChange).observeNext { _ in
      guard isFirst else { return }
      isFirst = false
      table.rx.rows(inner) { $0["name"].text = $1 }
    }
    table.rx.rows(outer) { $0["name"].text = $1 }
    inner.append("more")
    outer.append("most")
    #expect(kennel.stage.backend.text == "outer\nmost\n\n" && !inner.isObserved)
  }

  @Test func theBindingRetainsTheCollectionOnly() {
    weak var list: LiveCollection<[Int]>?
    weak var table: TableView?
    weak var rows: TableRows<Int>?
    let source = CollectionProperty([3, 1, 2])
    var completions = 0
    do {
      let owner = TableView(columns: [TableColumn("a")])
      table = owner
      let sorted = source.sorted()
      list = sorted
      let bound = owner.rx.rows(sorted) { $0["a"].text = "\($1)" }
      rows = bound
      bound.selectedItem.stream.observe(next: { _ in }, completed: { completions += 1 })
      bound.selectedItems.stream.observe(next: { _ in }, completed: { completions += 1 })
      bound.activated.observe(next: { _ in }, completed: { completions += 1 })
    }
    #expect(table == nil && rows == nil && list == nil && completions == 3)
    #expect(!source.isObserved)
  }

  @Test func theCollectionLivesWhileTheTableShowsIt() {
    let stage = TableStage(height: 2, hasSource: false)
    weak var kept: CollectionProperty<[Int]>?
    do {
      let numbers = CollectionProperty([1, 2])
      kept = numbers
      stage.table.rx.rows(numbers) { $0["name"].text = "\($1)" }
    }
    kept?.append(3)
    #expect(stage.table.rowCount == 3)
  }

  // MARK: - Closures with side effects

  @Test func theCollectionMayChangeDuringConfiguration() {
    let stage = TableStage(height: 3, hasSource: false)
    let numbers = CollectionProperty(Array(0..<5))
    stage.table.rx.rows(numbers) { row, number in
      if number == 1 && numbers.count == 5 { numbers.removeSubrange(1..<5) }
      row["name"].text = "\(number)"
    }
    #expect(stage.backend.text.hasPrefix("0"))
    #expect(stage.backend.text == "0\n\n")
  }

  @Test func theBindingMayBeDisposedInAnyClosure() {
    for place in 0..<4 {
      let kennel = Kennel(["a", "b", "c"])
      let table = kennel.stage.table
      let dispose = { if kennel.pets.count == 3 { kennel.rows.dispose() } }
      switch place {
      case 0: kennel.rows.selectedItem.observeNext { if $0 != nil { dispose() } }
      case 1: kennel.rows.selectedItems.observeNext { if !$0.isEmpty { dispose() } }
      case 2: kennel.rows.activated.observeNext { _ in dispose() }
      default: table.rDelegate.stream(\.tableViewSelectionDidChange).observeNext { _ in dispose() }
      }
      kennel.stage.press("down", "enter")
      #expect(table.rowCount == 0 && table.selectedRow == nil, "\(place)")
      kennel.pets.removeFirst()
      _ = kennel.text
    }
  }

  @Test func aSelectionObserverMayChangeTheCollection() {
    let kennel = Kennel(["a", "b", "c", "d"])
    var items: [String?] = []
    kennel.rows.selectedItem.observeNext { item in
      items.append(item?.name)
      // The observer moves the selected pet to the end.
      if let item, let index = kennel.pets.value.firstIndex(of: item), index < 3 {
        kennel.pets.move(from: index, to: 3)
      }
    }
    kennel.stage.press("down")
    #expect(kennel.pets.map(\.name).value.joined() == "bcda" && kennel.stage.selected == [3])
    kennel.stage.press("home")
    #expect(kennel.pets.map(\.name).value.joined() == "cdab" && kennel.stage.selected == [3])
    #expect(items == [nil, "a", "b"])
    #expect(kennel.stage.isUpToDate)
  }

  // MARK: - From key to screen

  @Test func aKeyReachesTheScreenThroughTheModel() {
    let kennel = Kennel(["a", "b", "c"])
    let delegate = LoggingDelegate()
    kennel.stage.table.delegate = delegate
    let finished: EventStream<Int, Never> = kennel.stage.table.rDelegate
      .stream(\.tableView_didActivateRow).map { _, row in row }
    finished.filter { $0 > 0 }.observeNext { row in
      kennel.pets[row].name += " (done)"
      kennel.pets.move(from: row, to: 0)
    }
    #expect(kennel.text.hasPrefix("a"))
    _ = kennel.take()
    kennel.stage.press("down", "down", "enter")
    // The proxy notifies the delegate first. Then the screen shows the model's new row.
    #expect(delegate.take().contains("activate 1"))
    #expect(kennel.stage.backend.text == "b (done)\na\nc\n")
    #expect(kennel.stage.selected == [0] && kennel.take() == [1])
  }

  // MARK: Release

  /// The released item reads the items of the table.
  @Test(arguments: [true, false])
  func itemsAreReleasedAfterTheirRemoval(_ isDisposed: Bool) {
    let stage = TableStage(height: 4, hasSource: false)
    var answers: [Bool] = []
    var rows: TableRows<Releasing>?
    func release() { answers.append(rows?.item(atRow: 0) == nil) }
    var list: CollectionProperty<[Releasing]>? = CollectionProperty([Releasing { release() }])
    if let list { rows = stage.table.rx.rows(list) { _, _ in } }
    if isDisposed {
      list = nil
      rows?.dispose()
    } else {
      list?.removeAll()
    }
    #expect(answers == [true])
    rows = nil
  }
}
