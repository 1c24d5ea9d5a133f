import RunnelTesting
import Testing

@testable import RunnelCollections

@Suite struct HandleListTests {
  @Test func emptyListHasNoHandles() {
    let list = HandleList()
    #expect(list.count == 0)
    #expect(!list.contains(0))
    #expect(!list.contains(-1))
    #expect(Array(list) == [])
  }

  @Test func removedHandlesCanBeInsertedAgain() {
    var list = HandleList([4, 0, 9])
    #expect(list.remove(0) == 1)
    #expect(!list.contains(0))
    list.insert(0, at: 2)
    #expect(Array(list) == [4, 9, 0])
    #expect([4, 9, 0].map(list.index) == [0, 1, 2])
  }

  /// Compares a handle with one in the same chunk, with one in another chunk, and with itself.
  @Test(arguments: [1, 10, 3_000]) func comparesPositionsOfHandles(_ count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    let handles = (0..<Int32(count)).shuffled(using: &random)
    let list = HandleList(handles)
    for index in stride(from: 0, to: count, by: max(1, count / 40)) {
      let positions = [list.position(at: index), list.position(of: handles[index])]
      for position in positions {
        let before = handles.map { list.isHandle($0, before: position) }
        #expect(before == handles.indices.map { $0 < index }, "index \(index), seed \(count)")
      }
    }
  }

  @Test func copiesAreIndependent() {
    var list = HandleList(0..<3000)
    let copy = list
    list.remove(1500)
    list.remove(at: 20)
    list.insert(3000, at: 0)
    list.removeSubrange(100..<2900)
    #expect(Array(copy) == Array(0..<3000))
    #expect((0..<3000).allSatisfy { copy.index(of: $0) == Int($0) })
  }

  /// Edits at one end, at one place or anywhere have the same result as those of an array.
  @Test func agreesWithAnArray() {
    for seed in UInt64(1)...6 {
      var random = SeededGenerator(seed: seed)
      let start = (0..<Int32.random(in: 0...3000, using: &random)).shuffled(using: &random)
      var pair = Pair(list: HandleList(start), model: start, unused: (3000..<9000).reversed())
      for _ in 0..<8 {
        // Each phase is long enough to split and merge many chunks.
        let phase = Phase.allCases.randomElement(using: &random) ?? .mixed
        for _ in 0..<400 {
          pair.change(in: phase, using: &random)
          pair.checkSomewhere(seed: seed, using: &random)
        }
        pair.checkAll(seed: seed)
      }
    }
  }
}

private enum Phase: CaseIterable { case growing, shrinking, mixed, appending, prepending, bulk }

/// A list, and the array that it is compared with.
private struct Pair {
  var list: HandleList
  var model: [Int32]
  /// The handles to use next, in reverse order.
  var unused: [Int32]

  mutating func change(in phase: Phase, using random: inout SeededGenerator) {
    let index = Int.random(in: 0...model.count, using: &random)
    switch phase {
    case .growing: insert(at: index)
    case .shrinking: remove(at: index, byHandle: Bool.random(using: &random))
    case .appending: insert(at: model.count)
    case .prepending: insert(at: 0)
    case .mixed where Bool.random(using: &random): insert(at: index)
    case .mixed: remove(at: index, byHandle: Bool.random(using: &random))
    case .bulk:
      let length = Int.random(in: 0...Int.random(in: 0...1500, using: &random), using: &random)
      if Bool.random(using: &random) {
        let handles = Array(unused.suffix(length)).shuffled(using: &random)
        unused.removeLast(handles.count)
        list.insert(contentsOf: handles, at: index)
        model.insert(contentsOf: handles, at: index)
      } else {
        let range = index..<min(index + length, model.count)
        list.removeSubrange(range)
        unused += model[range]
        model.removeSubrange(range)
      }
    }
  }

  private mutating func insert(at index: Int) {
    guard let handle = unused.popLast() else { return }
    list.insert(handle, at: index)
    model.insert(handle, at: index)
  }

  private mutating func remove(at index: Int, byHandle: Bool) {
    guard index < model.count else { return }
    let handle = model.remove(at: index)
    unused.append(handle)
    if byHandle {
      #expect(list.remove(handle) == index)
    } else {
      #expect(list.remove(at: index) == handle)
    }
    #expect(!list.contains(handle))
  }

  func checkSomewhere(seed: UInt64, using random: inout SeededGenerator) {
    guard let index = model.indices.randomElement(using: &random), list.count == model.count
    else { return #expect(list.count == model.count, "seed \(seed)") }
    // The macro is slow, and this check runs thousands of times.
    if list[index] != model[index] { Issue.record("\(index) is wrong, seed \(seed)") }
    if list.index(of: model[index]) != index {
      Issue.record("\(index) has another index, seed \(seed)")
    }
  }

  func checkAll(seed: UInt64) {
    #expect(Array(list) == model, "seed \(seed)")
    #expect(model.indices.allSatisfy { list[$0] == model[$0] }, "seed \(seed)")
    #expect(model.indices.allSatisfy { list.index(of: model[$0]) == $0 }, "seed \(seed)")
    #expect(unused.allSatisfy { !list.contains($0) }, "seed \(seed)")
  }
}
