import RunnelCollections
import RunnelDesk
import RunnelStreams
import RunnelTesting
import Testing

@MainActor
@Suite struct OutlineBindingTests {
  private struct Number: Identifiable {
    let id: Int
  }

  @Test func onlyExpandedItemsAreAskedForChildren() {
    var asked: [Int] = []
    var configured = 0
    var lists: [Int: CollectionProperty<[Number]>] = [:]
    let outline = OutlineView(columns: [TableColumn("name")])
    let top = CollectionProperty((0..<1_000).map { Number(id: $0) })
    let rows = outline.rx.rows(
      top,
      children: { number in
        asked.append(number.id)
        let list = CollectionProperty((0..<1_000).map { Number(id: number.id * 1_000 + $0) })
        lists[number.id] = list
        return list
      }
    ) { row, number in
      configured += 1
      row["name"].text = "\(number.id)"
    }
    let desk = Desk(outline, height: 6)
    _ = desk.text
    #expect(asked == [] && configured == 5)
    outline.expand(row: 0)
    outline.expand(row: 1_500)
    #expect(asked == [0, 500] && outline.table.rowCount == 3_000)
    #expect(rows.item(atRow: 1_501)?.id == 500_000)
    _ = desk.text
    #expect(configured == 9)
    outline.collapse(row: 0)
    #expect(lists[0]?.isObserved == false && lists[500]?.isObserved == true)
    #expect(rows.item(atRow: 501)?.id == 500_000)
    #expect(asked == [0, 500] && outline.table.rowCount == 2_000)
  }

  @Test func changesKeepExpansionSelectionAndScrolling() {
    let stage = OutlineStage.sample()
    stage.rows.select(path: [1, 11, 111])
    stage.top.move(from: 0, to: 2)
    #expect(stage.names == ["Notes", "Photos", "Music", "Bach", "Fugues", "Cash"])
    #expect(stage.selected == "Fugues")
    stage.top[2].folders.insert(Folder(10, "Abba"), at: 0)
    stage.top[2].folders.move(from: 1, to: 2)
    #expect(stage.names == ["Notes", "Photos", "Music", "Abba", "Cash", "Bach", "Fugues"])
    #expect(stage.selected == "Fugues")
    stage.top.remove(at: 2)
    #expect(stage.names == ["Notes", "Photos"] && stage.selected == nil)
    #expect(stage.text == "  Notes\n▸ Photos")
  }

  @Test func resetKeepsTheNodesOfKnownIDs() {
    let stage = OutlineStage.sample()
    stage.rows.select(path: [1, 11])
    let other = Folder(1, "Sound", [Folder(11, "J. S. Bach"), Folder(13, "Dylan")])
    stage.top.replace(with: [stage.top[2], other])
    #expect(stage.names == ["Photos", "Sound", "J. S. Bach", "Dylan"])
    #expect(stage.selected == "J. S. Bach")
    #expect(stage.text == "▸ Photos\n▾ Sound\n    J. S. Bach\n    Dylan")
    stage.top[1] = Folder(1, "None")
    #expect(stage.text == "▸ Photos\n▾ None")
    #expect(!other.folders.isObserved)
  }

  @Test func selectingAPathStopsAtAMissingItem() {
    let stage = OutlineStage.sample()
    #expect(!stage.rows.select(path: [1, 12, 5]))
    #expect(stage.names == ["Music", "Bach", "Cash", "Notes", "Photos"] && stage.selected == nil)
    #expect(!stage.rows.select(path: []))
    #expect(stage.rows.select(path: [2]) && stage.selected == "Notes")
  }

  @Test func disposalEndsAllObservations() {
    let stage = OutlineStage.sample()
    stage.outline.expand(row: 0)
    let folder = stage.top[0]
    #expect(folder.folders.isObserved)
    stage.rows.dispose()
    #expect(!folder.folders.isObserved && !stage.top.isObserved)
    #expect(stage.text == "" && !stage.outline.isExpanded(row: 0))
    #expect(!stage.rows.select(path: [1]))
  }

  @Test func outlineIsReleasedWithItsBinding() {
    let folders = CollectionProperty([Folder(1, "a", [Folder(2, "b")])])
    weak var released: OutlineView?
    do {
      let outline = OutlineView(columns: [TableColumn("name")])
      outline.rx.rows(folders, children: { $0.folders }) { $0["name"].text = $1.name }
      outline.expand(row: 0)
      released = outline
    }
    #expect(released == nil)
    #expect(!folders.isObserved && !folders[0].folders.isObserved)
  }
}
