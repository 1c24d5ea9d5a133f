import RunnelCollections
import RunnelTesting
import Testing

/// Returns a description of the changes of a batch on "a", "b", "c", "d".
private func outcome(_ edits: (CollectionProperty<[String]>) -> Void) -> String {
  let list = CollectionProperty(["a", "b", "c", "d"])
  let validator = ListValidator(list)
  var texts: [String] = []
  let observation = list.observe { event in
    guard let changes = event.changes else { return }
    let parts = [
      "insert \(changes.inserts)", "update \(changes.updates)", "delete \(changes.deletes)",
      "move \(changes.moves.map { [$0.from, $0.to] })",
    ].filter { !$0.hasSuffix("[]") }
    texts.append(parts.joined(separator: " "))
  }
  list.batch { edits(list) }
  observation.dispose()
  #expect(validator.problems == [])
  return texts.joined(separator: "; ")
}

@Suite struct ListChangesTests {
  // MARK: - Single edits

  @Test func singleEditsReportTheirChange() {
    #expect(outcome { $0.append("x") } == "insert [4]")
    #expect(outcome { $0.insert("x", at: 1) } == "insert [1]")
    #expect(outcome { $0.insert(contentsOf: ["x", "y"], at: 1) } == "insert [1, 2]")
    #expect(outcome { $0.remove(at: 1) } == "delete [1]")
    #expect(outcome { $0.removeSubrange(1...2) } == "delete [1, 2]")
    #expect(outcome { $0.removeAll() } == "delete [0, 1, 2, 3]")
    #expect(outcome { $0.removeAll { $0 > "b" } } == "delete [2, 3]")
    #expect(outcome { $0[2] = "x" } == "update [2]")
    #expect(outcome { $0[2] = "c" } == "update [2]")
    #expect(outcome { $0.move(from: 0, to: 2) } == "move [[0, 2]]")
    #expect(outcome { $0.swapAt(0, 3) } == "move [[3, 0], [0, 3]]")
    #expect(outcome { $0.replaceSubrange(1..<2, with: ["x", "y"]) } == "insert [1, 2] delete [1]")
  }

  // MARK: - Several edits

  @Test func insertThenUpdateIsAnInsert() {
    #expect(
      outcome {
        $0.insert("x", at: 1); $0.remove(at: 1)
      } == "")
    #expect(
      outcome {
        $0.insert("x", at: 1); $0[1] = "y"
      } == "insert [1]")
    #expect(
      outcome {
        $0.insert("x", at: 1); $0.move(from: 1, to: 3)
      } == "insert [3]")
  }

  @Test func updateThenDeleteIsADelete() {
    #expect(
      outcome {
        $0[1] = "x"; $0[1] = "y"
      } == "update [1]")
    #expect(
      outcome {
        $0[1] = "x"; $0.remove(at: 1)
      } == "delete [1]")
  }

  @Test func updateAndMoveAreBothReported() {
    #expect(
      outcome {
        $0[0] = "x"; $0.move(from: 0, to: 2)
      } == "update [0] move [[0, 2]]")
    #expect(
      outcome {
        $0.move(from: 0, to: 2); $0[2] = "x"
      } == "update [0] move [[0, 2]]")
  }

  @Test func extentCountsAllChanges() {
    let list = CollectionProperty([1, 2, 3])
    var extents: [Int] = []
    list.observe { if let changes = $0.changes { extents.append(changes.extent) } }
    list.append(4)
    list.batch {
      list[0] = 9
      list.move(from: 0, to: 2)
    }
    list.batch {
      list.removeFirst(2)
      list[0] = 8
      list.insert(5, at: 0)
    }
    #expect(extents == [1, 2, 4])
  }

  @Test func moveThenDeleteUsesOldIndex() {
    #expect(
      outcome {
        $0.move(from: 0, to: 2); $0.remove(at: 2)
      } == "delete [0]")
    #expect(
      outcome {
        $0.move(from: 0, to: 2); $0.move(from: 2, to: 3)
      } == "move [[0, 3]]")
  }

  @Test func oppositeEditsCancelOut() {
    #expect(
      outcome {
        $0.move(from: 0, to: 2); $0.move(from: 2, to: 0)
      } == "")
    #expect(
      outcome {
        $0.swapAt(0, 3); $0.swapAt(0, 3)
      } == "")
    #expect(outcome { _ in } == "")
  }

  @Test func batchMayGrowAndShrinkRepeatedly() {
    let list = CollectionProperty(Array(0..<1_000))
    let validator = ListValidator(list)
    list.batch {
      for _ in 0..<3 {
        for index in stride(from: 1, to: 400, by: 2) { list.insert(-index, at: index) }
        list.append(7)
        list.removeSubrange(0..<900)
        list.append(contentsOf: 0..<900)
      }
    }
    #expect(validator.problems == [])
  }

  @Test func deleteAndInsertAtOneIndexAreBothReported() {
    #expect(
      outcome {
        $0.remove(at: 1); $0.insert("b", at: 1)
      } == "insert [1] delete [1]")
  }

  @Test func nestedBatchesSendOneEvent() {
    #expect(
      outcome { list in
        list.batch { list.append("x") }
        list.batch { list.batch { list.remove(at: 0) } }
      } == "insert [3] delete [0]")
  }

  // MARK: - Inverse, steps and splices

  @Test func inverseUndoesTheChange() {
    let list = CollectionProperty(["a", "b", "c", "d"])
    var done: [ListChanges<String>] = []
    list.observe { if let changes = $0.changes { done.append(changes) } }
    list.batch {
      list[3] = "x"
      list.move(from: 3, to: 0)
      list.remove(at: 2)
      list.append("y")
    }
    #expect(Array(list.value) == ["x", "a", "c", "y"])
    list.apply(done[0].inverse)
    #expect(Array(list.value) == ["a", "b", "c", "d"])
    list.apply(done[1].inverse)
    #expect(Array(list.value) == ["x", "a", "c", "y"])
  }

  @Test func stepsUseIndicesOfTheCurrentList() {
    let list = CollectionProperty(["a", "b", "c", "d"])
    var steps: [ListStep<String>] = []
    list.observe { steps += $0.changes?.steps ?? [] }
    list.batch {
      list[1] = "B"
      list.remove(at: 0)
      list.move(from: 2, to: 0)
      list.append("e")
    }
    #expect(
      steps == [.update(1, "B"), .delete(0..<1), .move(from: 2, to: 0), .insert(3, ["e"])])
  }

  @Test func adjacentDeleteAndInsertAreOneSplice() {
    let list = CollectionProperty(Array(0..<9))
    var splices: [[ListSplice<Int>]] = []
    list.observe { if let changes = $0.changes { splices.append(changes.splices) } }
    list.replaceSubrange(2..<5, with: [20, 30])
    list.batch {
      for index in 3..<6 { list[index] += 100 }
      list[7] = -1
    }
    list.move(from: 1, to: 2)
    list.batch {
      list.remove(at: 0)
      list.append(9)
    }
    #expect(
      splices.map { $0.map { "\($0.index) -\($0.removedCount) +\($0.added)" } } == [
        ["2 -3 +[20, 30]"], ["3 -3 +[130, 105, 106]", "7 -1 +[-1]"],
        ["1 -1 +[]", "2 -0 +[1]"], ["0 -1 +[]", "7 -0 +[9]"],
      ])
  }

  /// A quadratic algorithm would take seconds.
  @Test func stepsOfALargeShuffleAreFast() {
    let list = CollectionProperty(Array(0..<20_000))
    var random = SeededGenerator(seed: 5)
    var steps: [ListStep<Int>] = []
    list.observe { steps = $0.changes?.steps ?? [] }
    let before = list.value
    list.shuffle(using: &random)
    #expect(steps.count > 19_000)
    #expect(steps.reduce(into: before) { $1.apply(to: &$0) } == list.value)
  }

  /// Adjacent indices of any number form one range.
  @Test func millionAdjacentInsertsAreOneRange() {
    let list = CollectionProperty(Array(0..<1_000_000))
    var changes: [ListChanges<Int>] = []
    list.observe { if let change = $0.changes { changes.append(change) } }
    list.removeAll()
    list.append(contentsOf: 0..<1_000_000)
    #expect(changes[0].deletes.ranges == [0..<1_000_000])
    #expect(changes[1].inserts.ranges == [0..<1_000_000])
    #expect(changes[0].oldElements.count == 1_000_000)
  }
}
