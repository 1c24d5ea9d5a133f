import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct RearrangingTests {
  /// An edited list of handles, and the runs that describe the edits.
  private struct Edited {
    var handles: [Int32]
    var updated: Set<Int32> = []
    var runs = RunList()

    init(count: Int, edits: Int, using random: inout SeededGenerator) {
      handles = Array(0..<Int32(count))
      runs.begin(count: count)
      for number in 0..<edits {
        let index = Int.random(in: 0..<max(1, handles.count), using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let length = number % 7 == 0 ? 20 : 1
          let new = (0..<length).map { Int32(count + number * 20 + $0) }
          let place = min(index, handles.count)
          handles.insert(contentsOf: new, at: place)
          runs.insert(RunList.Run(origin: RunList.Run.new, count: length), at: place)
        case 2 where index < handles.count:
          let end = min(handles.count, index + (number % 5 == 0 ? 30 : 1))
          handles.removeSubrange(index..<end)
          _ = runs.remove(index..<end)
        case 3 where index < handles.count:
          if runs.update(at: index).origin >= 0 { updated.insert(handles[index]) }
        case 4 where index < handles.count:
          let handle = handles.remove(at: index)
          var run = runs.remove(at: index)
          run.isMoved = !run.isNew
          let place = Int.random(in: 0...handles.count, using: &random)
          handles.insert(handle, at: place)
          runs.insert(run, at: place)
        default: break
        }
      }
    }
  }

  /// Few edits are made one by one, many all at once. Both lead to the list that the runs describe.
  @Test(arguments: [0, 1, 600, 3_000], 0..<6) func rearrangedListMatchesTheRuns(
    _ count: Int, _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for edits in [0, 1, 2, 12, 60, 500] {
      var edited = Edited(count: count, edits: edits, using: &random)
      let runs = edited.runs.finish()
      let gaps = runs.gaps(in: count)
      let expected = edited.handles.map { edited.updated.contains($0) ? -$0 : $0 }
      var (fresh, handles): ([Int32], [Int32]) = ([], [])
      var index = 0
      for run in runs {
        let elements = expected[index..<index + run.count]
        if run.isNew { handles += elements }
        if run.isNew || run.isUpdated { fresh += elements }
        index += run.count
      }

      var array = SharedArray(0..<Int32(count))
      let before = array
      array.rearrange(runs, gaps: gaps, fresh)
      #expect(Array(array) == expected, "seed \(seed), \(edits) edits")
      #expect(Array(before) == Array(0..<Int32(count)), "seed \(seed), \(edits) edits")

      var list = HandleList(0..<Int32(count))
      list.rearrange(runs, gaps: gaps, handles)
      #expect(Array(list) == edited.handles, "seed \(seed), \(edits) edits")
      let places = edited.handles.map { list.index(of: $0) }
      #expect(places == Array(edited.handles.indices), "seed \(seed), \(edits) edits")

      let left = Set(edited.handles)
      let gone = (0..<count).filter { !left.contains(Int32($0)) }
      #expect(Array(runs.departures(of: gaps).joined()) == gone, "seed \(seed), \(edits) edits")
    }
  }

  /// Elements that were inserted at once are handed on as an array, unless another edit follows.
  @Test func freshElementsMatchTheFinalList() throws {
    let edits: [(String, (ListEditor<Int>) -> Void, [Int])] = [
      ("nothing", { _ in }, [100, 101]),
      ("update", { $0.update(5, to: 200) }, [200, 101]),
      ("updates", { $0.update(5..<7, to: [200, 201]) }, [200, 201]),
      ("insertion", { $0.insert(200, at: 6) }, [100, 200, 101]),
      ("insertions", { $0.insert(contentsOf: [200, 201], at: 0) }, [200, 201, 100, 101]),
      ("removal", { $0.remove(at: 5) }, [101]),
      ("removals", { $0.remove(4..<6) }, [101]),
      ("move", { $0.move(from: 5, to: 11) }, [101, 100]),
      ("moved update", { $0.drop($0.lift(6), as: 200, at: 0) }, [200, 100]),
      ("moved block", { $0.drop($0.lift(5..<7), at: 0) }, [100, 101]),
    ]
    for (name, edit, expected) in edits {
      let editor = ListEditor(SharedArray(0..<10))
      // In the second iteration the editor has sent changes before.
      for _ in 0..<2 {
        let count = editor.elements.count
        let new = RunList.Run(origin: RunList.Run.new, count: 2)
        let runs: Arrangement = [
          RunList.Run(origin: 0, count: 5), new, RunList.Run(origin: 5, count: count - 5),
        ]
        editor.rearrange(runs, gaps: runs.gaps(in: count), [100, 101])
        edit(editor)
        let changes = try #require(editor.finish())
        guard case .many(let changes) = changes.contents else {
          Issue.record("The change is a single edit after \(name).")
          continue
        }
        #expect(changes.fresh == (name == "nothing" ? [100, 101] : nil), "\(name)")
        var elements: [Int] = []
        changes.runs.forEachRun { run, places in
          guard run.isFresh else { return }
          changes.forEachElement(at: places, number: elements.count) { elements.append($0) }
        }
        #expect(elements == expected, "\(name)")
      }
    }
  }

  /// The elements are so few that they are moved one by one.
  @Test func fewOfManyElementsAreUpdatedAndMoved() {
    let list = CollectionProperty(Array(0..<1_000))
    let negated = list.map { -$0 }
    let validator = ListValidator(negated)
    list.batch {
      for index in 0..<10 {
        list[index] = 2_000 + index
        list.move(from: index, to: 900 + index)
      }
    }
    #expect(Array(negated.value) == list.value.map { -$0 })
    #expect(validator.problems == [])
  }

  @Test func manyChangesApplyToAnEditedList() {
    let source = CollectionProperty(Array(0..<40))
    let target = CollectionProperty(Array(0..<40))
    let validator = ListValidator(target)
    var made: [ListChanges<Int>] = []
    source.observe { if let changes = $0.changes { made.append(changes) } }
    source.batch { for index in 0..<20 { source[index * 2] = 100 + index } }
    target.batch {
      target[1] = 77
      for changes in made { target.apply(changes) }
    }
    #expect(target[1] == 77 && target[2] == 101)
    #expect(validator.problems == [] && validator.eventCount == 2)
  }

  @Test func resetDiscardsFreshElements() {
    let editor = ListEditor(SharedArray(0..<3))
    let runs: Arrangement = [RunList.Run(origin: RunList.Run.new, count: 2)]
    editor.rearrange(runs, gaps: runs.gaps(in: 3), [100, 101])
    editor.reset(to: SharedArray(5..<9))
    #expect(editor.fresh == nil)
  }
}
