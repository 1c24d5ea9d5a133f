import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct ArrangementTests {
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

  @Test(arguments: [0, 1, 600, 3_000], 0..<6) func rearrangedListMatchesTheRuns(
    _ count: Int, _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    for edits in [0, 1, 2, 12, 60, 500] {
      var edited = Edited(count: count, edits: edits, using: &random)
      let runs = edited.runs.finish()
      let expected = edited.handles.map { edited.updated.contains($0) ? -$0 : $0 }
      var fresh: [Int32] = []
      var index = 0
      for run in runs {
        let elements = expected[index..<index + run.count]
        if run.isNew || run.isUpdated { fresh += elements }
        index += run.count
      }

      var array = SharedArray(0..<Int32(count))
      let before = array
      array.rearrange(runs, fresh: fresh)
      #expect(Array(array) == expected, "seed \(seed), \(edits) edits")
      #expect(Array(before) == Array(0..<Int32(count)), "seed \(seed), \(edits) edits")
    }
  }

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
}
