import RunnelCollections
import RunnelTesting
import Testing

@Suite struct ListDifferenceTests {
  // MARK: - All small lists

  @Test func allPairsOfShortLists() {
    let words = (0...5).flatMap(words(ofLength:))
    // Only old words whose numbers first occur in the order 0, 1, 2: all others are renamings.
    for old in words where old.indices.allSatisfy({ old[$0] <= Set(old[..<$0]).count }) {
      for new in words {
        let difference = ListDifference(from: old, to: new)
        if let fault = fault(in: difference, from: old, to: new) {
          Issue.record("\(old) → \(new): \(fault)")
        }
        if ListOrigins(from: old, to: new, by: { $0 }).origins != origins(from: old, to: new) {
          Issue.record("\(old) → \(new): occurrences are mismatched")
        }
      }
    }
  }

  @Test func equalHashesDoNotMatchElements() {
    struct Clash: Hashable {
      let number: Int

      func hash(into hasher: inout Hasher) {}
    }
    let difference = ListDifference(
      from: [1, 2, 3, 4].map { Clash(number: $0) }, to: [4, 1, 5, 3].map { Clash(number: $0) })
    #expect(Array(difference.deletes) == [1] && Array(difference.inserts) == [2])
    #expect(difference.moves == [ListMove(from: 3, to: 0)])
  }

  @Test func movesAreMinimal() {
    for length in 0...6 {
      let old = Array(0..<length)
      for new in permutations(of: old) {
        let difference = ListDifference(from: old, to: new)
        #expect(difference.moves.count == length - longestAscent(in: new), "\(new)")
        #expect(fault(in: difference, from: old, to: new) == nil, "\(new)")
      }
    }
  }

  // MARK: - Identifiable elements

  private struct Item: Identifiable, Equatable {
    var id: Int
    var text = ""
  }

  private struct HashableItem: Identifiable, Hashable {
    var id: Int
    var text = ""
  }

  @Test func unequalElementsWithTheSameIdAreUpdated() {
    let old = [Item(id: 1), Item(id: 2), Item(id: 3), Item(id: 4)]
    let new = [Item(id: 4, text: "new"), Item(id: 1, text: "new"), Item(id: 3), Item(id: 5)]
    let difference = ListDifference(from: old, to: new)
    #expect(difference.updates == [0, 3])
    #expect(Array(difference.deletes) == [1])
    #expect(Array(difference.inserts) == [3])
    #expect(difference.moves == [ListMove(from: 3, to: 0)])
  }

  /// Elements match by id if they are identifiable, otherwise by equality, or as the caller
  /// specifies.
  @Test func idTakesPrecedenceOverEquality() {
    let old = [HashableItem(id: 1), HashableItem(id: 2)]
    let new = [HashableItem(id: 1), HashableItem(id: 2, text: "new")]
    #expect(ListDifference(from: old, to: new).updates == [1])
    #expect(ListDifference(from: old, to: new).inserts.isEmpty)
    let byText = ListDifference(from: old, to: new) { $0.text }
    #expect(Array(byText.inserts) == [1])
    #expect(Array(byText.deletes) == [1])
  }

  @Test func identifiableElementsNeedNoEquality() {
    struct Named: Identifiable { let id: String }
    let difference = ListDifference(
      from: [Named(id: "a"), Named(id: "b")], to: [Named(id: "b"), Named(id: "a")])
    #expect(difference.moves == [ListMove(from: 1, to: 0)])
    #expect(difference.updates == [])
  }

  /// This includes collections with expensive index access, and with indices that do not start at
  /// 0.
  @Test func anyRandomAccessCollection() {
    let old = Array(0..<50)[10...]
    let new = (0..<50).lazy.map { 49 - $0 }.reversed().dropFirst(12)
    let difference = ListDifference(from: old, to: new)
    #expect(difference.deletes.ranges == [0..<2])
    #expect(difference.moves.isEmpty)
    #expect(difference.inserts.isEmpty)
    #expect("\(ListMove(from: 3, to: 0))" == "3→0")
  }

  @Test func equalIdsMatchInOrder() {
    let old = [Item(id: 2), Item(id: 1, text: "first")]
    let new = [Item(id: 1, text: "first"), Item(id: 2), Item(id: 1, text: "second")]
    let difference = ListDifference(from: old, to: new)
    #expect(Array(difference.inserts) == [2])
    #expect(difference.updates == [])
    #expect(difference.moves.count == 1)
  }

  // MARK: - Large and empty lists

  @Test func emptyAndReversedLists() {
    #expect(ListDifference(from: [Int](), to: []).isEmpty)
    #expect(ListDifference(from: 0..<9, to: 0..<9).isEmpty)
    #expect(ListDifference(from: [], to: 0..<100_000).inserts.ranges == [0..<100_000])
    #expect(ListDifference(from: 0..<100_000, to: []).deletes.ranges == [0..<100_000])
    let reversed = ListDifference(from: 0..<10_000, to: (0..<10_000).reversed())
    #expect(reversed.moves.count == 9999)
  }

  @Test func fewChangesInALargeList() {
    for seed in UInt64(1)...3 {
      var random = SeededGenerator(seed: seed)
      let old = Array(0..<20_000)
      let new = changed(old, deleted: 200, inserted: 200, moved: 40, using: &random)
      let difference = ListDifference(from: old, to: new)
      #expect(fault(in: difference, from: old, to: new) == nil, "seed \(seed)")
      #expect(difference.deletes.count == 200, "seed \(seed)")
      #expect(difference.inserts.count == 200, "seed \(seed)")
      #expect(difference.moves.count <= 40, "seed \(seed)")
    }
  }

  @Test func randomListsAreDiffed() {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let greatest = Int.random(in: 1...300, using: &random)
      func list() -> [Int] {
        (0..<Int.random(in: 0...200, using: &random)).map { _ in
          Int.random(in: 0...greatest, using: &random)
        }
      }
      let (old, new) = (list(), list())
      let difference = ListDifference(from: old, to: new)
      if let fault = fault(in: difference, from: old, to: new) {
        Issue.record("\(fault), seed \(seed)")
      }
      if ListOrigins(from: old, to: new, by: { $0 }).origins != origins(from: old, to: new) {
        Issue.record("Occurrences are mismatched, seed \(seed)")
      }
    }
  }

  // MARK: - Inconsistent elements

  /// An element with a random `==` and hash.
  private struct InconsistentElement: Hashable {
    final class Mood {
      var random: SeededGenerator
      var hashes: UInt64
      init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        hashes = seed % 4
      }
    }

    let mood: Mood
    let number: Int

    static func == (left: InconsistentElement, right: InconsistentElement) -> Bool {
      Int.random(in: 0...2, using: &left.mood.random) == 0
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(UInt64.random(in: 0...mood.hashes, using: &mood.random))
    }
  }

  @Test func inconsistentElementsAreTolerated() {
    for seed in UInt64(1)...1000 {
      let mood = InconsistentElement.Mood(seed: seed)
      var random = SeededGenerator(seed: seed)
      let old = (0..<Int.random(in: 0...40, using: &random)).map {
        InconsistentElement(mood: mood, number: $0)
      }
      let new = old.shuffled(using: &random).dropFirst(3) + old.prefix(5)
      let difference = ListDifference(from: old, to: new, by: { $0 })
      // The numbers of matches differ, because each run answers differently. The indices must be
      // sound.
      let fault = fault(
        in: difference, from: Array(repeating: 0, count: old.count),
        to: Array(repeating: 0, count: new.count))
      if let fault { Issue.record("\(fault), seed \(seed)") }
    }
  }
}

/// Returns what is wrong with a difference, or nil.
private func fault(in difference: ListDifference, from old: [Int], to new: [Int]) -> String? {
  let gone = Array(difference.deletes) + difference.moves.map(\.from)
  let come = Array(difference.inserts) + difference.moves.map(\.to)
  guard Set(gone).count == gone.count, Set(come).count == come.count else {
    return "an index occurs twice"
  }
  guard Set(gone).isSubset(of: old.indices), Set(come).isSubset(of: new.indices),
    Set(difference.updates).isSubset(of: old.indices)
  else { return "an index is out of range" }
  let (goneSet, comeSet) = (Set(gone), Set(come))
  let stayed = old.indices.filter { !goneSet.contains($0) }.map { old[$0] }
  let kept = new.indices.filter { !comeSet.contains($0) }.map { new[$0] }
  guard stayed == kept else { return "the unmoved elements differ" }
  let sources = difference.moves.map { old[$0.from] }
  guard sources == difference.moves.map({ new[$0.to] }) else { return "another element moved" }
  guard difference.moves.map(\.to) == difference.moves.map(\.to).sorted() else {
    return "the moves are not in order"
  }
  return nil
}

/// Returns the expected origins by a slow and simple algorithm.
private func origins(from old: [Int], to new: [Int]) -> [Int32] {
  var places = Dictionary(grouping: old.indices.reversed()) { old[$0] }
  return new.map { places[$0]?.popLast().map(Int32.init) ?? -1 }
}

private func words(ofLength length: Int) -> [[Int]] {
  length == 0 ? [[]] : words(ofLength: length - 1).flatMap { word in (0..<3).map { word + [$0] } }
}

private func permutations(of list: [Int]) -> [[Int]] {
  list.isEmpty
    ? [[]]
    : list.flatMap { first in permutations(of: list.filter { $0 != first }).map { [first] + $0 } }
}

/// Returns the length of the longest ascending subsequence by trying all.
private func longestAscent(in list: [Int], above least: Int = -1) -> Int {
  guard let first = list.first else { return 0 }
  let without = longestAscent(in: Array(list.dropFirst()), above: least)
  guard first > least else { return without }
  return max(without, 1 + longestAscent(in: Array(list.dropFirst()), above: first))
}

private func changed(
  _ list: [Int], deleted: Int, inserted: Int, moved: Int, using random: inout SeededGenerator
) -> [Int] {
  var list = list
  func place() -> Int { Int.random(in: 0..<list.count, using: &random) }
  let old = list.count
  for _ in 0..<moved {
    let element = list.remove(at: place())
    list.insert(element, at: place())
  }
  for _ in 0..<deleted { list.remove(at: place()) }
  for number in 0..<inserted { list.insert(old + number, at: place()) }
  return list
}
