import RunnelCollections
import RunnelTesting
import Testing

/// Updates of a range of elements, combined with other edits before and after in the same batch.
@Suite struct NeighbourUpdateTests {
  @Test func updateThenDeleteReportsTheOldElement() {
    let list = LiveCollection<[Int]>(ListEditor(SharedArray(0..<20)))
    var old: [SharedArray<Int>] = []
    var deletes: [[Int]] = []
    list.observe { event in
      guard let changes = event.changes else { return }
      old.append(changes.oldElements)
      deletes.append(Array(changes.deletes))
    }
    list.edit { editor in
      editor.update(2..<16, to: Array(102..<116))
      editor.remove(at: 4)
      editor.remove(0..<3)
      editor.update(0..<10, to: Array(200..<210))
    }
    #expect(old == [SharedArray(0..<20)] && deletes == [[0, 1, 2, 4]])
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let list = LiveCollection<[Int]>(ListEditor(SharedArray(0..<40)))
    let validator = ListValidator(list)
    var model = Array(0..<40)
    for batch in 0..<500 {
      list.edit { editor in
        for _ in 0..<number(below: 8) {
          let (one, other) = (number(below: model.count), number(below: model.count))
          let range = min(one, other)..<max(one, other) + 1
          switch number(below: 6) {
          case 0..<3:
            let new = range.map { _ in number(below: 1_000) }
            editor.update(range, to: new)
            model.replaceSubrange(range, with: new)
          case 3:
            editor.move(from: one, to: other)
            model.insert(model.remove(at: one), at: other)
          case 4 where model.count - range.count > 10:
            editor.remove(range)
            model.removeSubrange(range)
          default:
            let new = (0..<number(below: 20)).map { _ in number(below: 1_000) }
            guard model.count < 80 else { continue }
            editor.insert(contentsOf: new, at: one)
            model.insert(contentsOf: new, at: one)
          }
        }
      }
      let isRight = Array(list.value) == model && validator.problems == []
      #expect(isRight, "seed \(seed), batch \(batch): \(validator.problems)")
      if !isRight { return }
    }
  }
}
