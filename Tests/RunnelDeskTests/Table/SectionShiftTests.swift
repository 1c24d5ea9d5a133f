import RunnelCollections
import RunnelDesk
import Testing

@MainActor
@Suite struct SectionShiftTests {
  private let stage = TableStage(height: 8, hasSource: false)
  private let sections = CollectionProperty(sections: [
    ListSection("A", ["a1", "a2"]), ListSection("B", ["b1", "b2", "b3"]), ListSection("C", ["c1"]),
  ])

  private func bind(_ configured: @escaping (String) -> Void = { _ in }) -> TableRows<String> {
    stage.table.rx.rows(sections: sections, title: { "-- \($0)" }) { row, name in
      configured(name)
      row["name"].text = name
    }
  }

  @Test func sectionsAppearBelowTheirHeadings() {
    _ = bind()
    #expect(
      stage.backend.grid.lines.map { $0.prefix(4) } == [
        "-- A", "a1  ", "a2  ", "-- B", "b1  ", "b2  ", "b3  ", "-- C",
      ])
    stage.press("down", "down", "down", "shift+down")
    #expect(stage.selected == [2, 3])
    sections.removeAll()
    stage.table.placeholder = "none"
    #expect(stage.backend.text.contains("none") && stage.selected == [])
  }

  @Test func theSelectionFollowsItems() {
    let rows = bind()
    stage.table.selectedRows = RangeSet([1..<2, 3..<4, 5..<6])
    #expect(rows.selectedItems.value == ["a2", "b2", "c1"])
    sections.moveSection(from: 1, to: 0)
    #expect(rows.selectedItems.value == ["b2", "a2", "c1"] && stage.selected == [1, 4, 5])
    sections.batch {
      sections.insert("b0", at: ItemPath(section: 0, item: 0))
      sections.move(from: ItemPath(section: 0, item: 2), to: ItemPath(section: 0, item: 0))
      sections.moveSection(from: 0, to: 2)
      sections.append(ListSection("D", ["d1"]))
      sections.setHeader("A!", ofSection: 0)
    }
    #expect(rows.selectedItems.value == ["a2", "c1", "b2"] && stage.selected == [1, 2, 3])
    // An item that moves to another section counts as a new item.
    sections.move(from: ItemPath(section: 0, item: 1), to: ItemPath(section: 3, item: 0))
    #expect(rows.selectedItems.value == ["c1", "b2"])
    sections.removeSection(at: 1)
    #expect(rows.selectedItems.value == ["b2"])
    #expect(stage.backend.grid.lines.first?.hasPrefix("-- A!") == true && stage.isUpToDate)
  }

  @Test func onlyVisibleAndChangedItemsAreConfigured() {
    var configured: [String] = []
    _ = bind { configured.append($0) }
    _ = stage.backend.text
    #expect(configured == ["a1", "a2", "b1", "b2", "b3"])
    configured = []
    sections.moveSection(from: 1, to: 0)
    sections[ItemPath(section: 0, item: 1)] = "B2"
    sections.setHeader("bb", ofSection: 0)
    _ = stage.backend.text
    #expect(configured == ["B2"])
  }

  @Test func aResetSelectsItemsWithTheSameIDs() {
    let pets = CollectionProperty(sections: [
      ListSection("old", [Pet(id: 1, name: "a"), Pet(id: 2, name: "b")]),
      ListSection("older", [Pet(id: 3, name: "c")]),
    ])
    let rows = stage.table.rx.rows(sections: pets, title: { $0 }) { $0["name"].text = $1.name }
    stage.table.selectedRows = RangeSet([0..<1, 2..<3])
    pets.replace(with: [
      ListSection("new", [Pet(id: 3, name: "C")]), ListSection("newer", [Pet(id: 1, name: "A")]),
    ])
    #expect(rows.selectedItems.value.map(\.name) == ["C", "A"] && stage.selected == [0, 1])
    #expect(stage.backend.text.hasPrefix("new\nC\nnewer\nA"))
  }

  @Test func changesAfterInsertRowsRepairTheTable() {
    let rows = bind()
    stage.table.insertRows(0..<2, inSection: 1)
    stage.table.removeRows(0..<2)
    #expect(rows.item(atRow: 0) == "a1")
    sections.removeSection(at: 1)
    #expect(stage.table.rowCount == 3 && rows.item(atRow: 2) == "c1")
  }

  @Test func derivedSectionsFollowTheirList() {
    let words = CollectionProperty(["fig", "apple", "pear", "kiwi"])
    let rows = stage.table.rx.rows(
      sections: words.sectioned { $0.count }, title: { "\($0) letters" }
    ) { $0["name"].text = $1 }
    stage.table.selectedRow = 3
    #expect(rows.selectedItem.value == "apple")
    words.append("banana")
    words.insert("date", at: 0)
    words.remove(at: 1)
    #expect(rows.selectedItem.value == "apple" && stage.selected == [3])
    #expect(
      stage.backend.text == "4 letters\ndate\npear\nkiwi\n5 letters\napple\n6 letters\nbanana")
  }
}
