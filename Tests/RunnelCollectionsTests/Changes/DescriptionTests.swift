import RunnelCollections
import Testing

/// Descriptions of collections, events and changesets.
@Suite struct DescriptionTests {
  @Test func listsPrintIndices() {
    let list = CollectionProperty(["a", "b", "c"])
    var log: [String] = []
    list.observe { log.append("\($0)") }
    list.append("d")
    list.batch {
      list[2] = "C"
      list.move(from: 3, to: 0)
      list.remove(at: 1)
      list.append("e")
    }
    list.replace(with: [])
    #expect(
      log == [
        #"["a", "b", "c"] (initial)"#,
        #"["a", "b", "c", "d"] (inserts [3])"#,
        #"["d", "b", "C", "e"] (updates [2], deletes [0], moves [3→0], inserts [3])"#,
        "[] (reset)",
      ])
  }

  @Test func dictionariesAndSetsPrintKeysAndMembers() {
    let ages = CollectionProperty(["Jim": 33])
    let tags = CollectionProperty(Set([1]))
    var log: [String] = []
    ages.observe { log.append("\($0.change)") }
    tags.observe { log.append("\($0)") }
    ages["Jim"] = 34
    ages.batch {
      ages["Jim"] = nil
      ages["Bones"] = 39
    }
    tags.batch {
      tags.remove(1)
      tags.insert(2)
    }
    #expect(
      log == [
        "initial", "[1] (initial)",
        #"updates ["Jim": 33→34]"#,
        #"deletes ["Jim": 34], inserts ["Bones": 39]"#,
        "[2] (deletes [1], inserts [2])",
      ])
  }

  @Test func sectionsPrintTheirItems() {
    let library = CollectionProperty(sections: [
      ListSection("Fiction", ["Emma"]), ListSection("Poems", ["Howl"]),
    ])
    var log: [String] = []
    library.observe { log.append("\($0.change)") }
    library.batch {
      library.insert(ListSection("New", []), at: 0)
      library.append("Dune", toSection: 1)
    }
    library.removeSection(at: 0)
    #expect(log == ["initial", "inserts [0], items of 1: inserts [1]", "deletes [0]"])
    #expect("\(library)" == #"["Fiction": ["Emma", "Dune"], "Poems": ["Howl"]]"#)
  }

  @Test func collectionsPrintTheirElements() {
    let list = CollectionProperty(["a"])
    #expect("\(list) \(list.live) \(list.map { $0.count })" == #"["a"] ["a"] [1]"#)
    #expect("\(CollectionProperty(["Jim": 33]))" == #"["Jim": 33]"#)
    #expect("\(CollectionProperty<Set<Int>>())" == "[]")
  }
}
