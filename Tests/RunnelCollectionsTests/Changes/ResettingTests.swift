import RunnelCollections
import RunnelStreams
import Testing

@Suite struct ResettingTests {
  @Test func largeChangeBecomesAReset() {
    let list = CollectionProperty([1, 2])
    var log: [String] = []
    list.stream.resetting(past: 3).observeNext { event in
      switch event.change {
      case .initial: log.append("initial \(event.collection)")
      case .reset: log.append("reset \(event.collection)")
      case .changes(let changes): log.append("+\(changes.inserts) -\(changes.deletes)")
      }
    }
    list.append(contentsOf: [3, 4, 5])
    list.batch {
      list.removeLast()
      list[0] = 9
      list.swapAt(1, 2)
      list.append(6)
    }
    list.batch {
      list.removeLast()
      list[0] = 7
      list.move(from: 1, to: 2)
    }
    list.removeAll()
    list.replace(with: [1])
    #expect(
      log == [
        "initial [1, 2]", "+[2, 3, 4] -[]", "reset [9, 3, 2, 4, 6]", "+[] -[4]", "reset []",
        "reset [1]",
      ])
  }

  @Test func updateWithMoveCountsAsTwoChanges() {
    let list = CollectionProperty([1, 2, 3])
    var resets = 0
    list.sorted().stream.resetting(past: 1).observeNext {
      if case .reset = $0.change { resets += 1 }
    }
    list[0] = 9
    #expect(resets == 1)
  }

  @Test func limitZeroTurnsAllChangesIntoResets() {
    let list = CollectionProperty([1])
    var resets = 0
    list.stream.resetting(past: 0).observeNext { event in
      if case .reset = event.change { resets += 1 }
    }
    list.append(2)
    list.batch {}
    #expect(resets == 1)
  }

  @Test func largeChangeOfSectionsBecomesAReset() {
    let library = CollectionProperty(sections: [ListSection("A", [1]), ListSection("B", [2])])
    var resets: [Bool] = []
    library.stream.resetting(past: 3).observeNext { event in
      if case .reset = event.change { resets.append(true) } else { resets.append(false) }
    }
    library.batch {
      library.append(3, toSection: 0)
      library.setHeader("C", ofSection: 0)
      library.append(ListSection("D", [4, 5, 6, 7]))
    }
    library.batch {
      library.replaceItems(0..<2, ofSection: 0, with: [7])
      library.moveSection(from: 0, to: 2)
    }
    #expect(resets == [false, false, true])
  }

  @Test func negativeLimitTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = CollectionProperty([1]).stream.resetting(past: -1)
    }
  }
}
