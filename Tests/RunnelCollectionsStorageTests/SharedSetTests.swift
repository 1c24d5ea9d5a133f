import RunnelCollections
import RunnelTesting
import Testing

@Suite struct SharedSetTests {
  @Test func supportsSetOperations() {
    var tags: SharedSet = ["new", "red"]
    #expect(tags.insert("round") == (true, "round"))
    #expect(tags.insert("red") == (false, "red"))
    #expect(tags.update(with: "red") == "red")
    #expect(tags.update(with: "old") == nil)
    #expect(tags.remove("new") == "new")
    #expect(tags.remove("new") == nil)
    #expect(tags.contains("round") && !tags.contains("new"))
    #expect(tags.sorted() == ["old", "red", "round"])
    #expect(tags.count == 3 && !tags.isEmpty)
    tags.removeAll()
    #expect(tags.isEmpty)
  }

  @Test func equalSetsHaveEqualHashes() {
    let (up, down) = (SharedSet(0..<200), SharedSet((0..<200).reversed()))
    #expect(up == down && up.hashValue == down.hashValue)
  }

  @Test func equalMembersKeepTheFirstInstance() {
    var set = SharedSet([Named(1, "first"), Named(1, "second")])
    #expect(set.insert(Named(1, "third")).memberAfterInsert.name == "first")
    #expect(set.update(with: Named(1, "fourth"))?.name == "first")
    #expect(set.map(\.name) == ["fourth"])
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func randomChangesMatchASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model: Set<Int> = []
    var shared = SharedSet<Int>()
    var kept: [(model: Set<Int>, shared: SharedSet<Int>)] = []
    for step in 0..<10_000 {
      let member = Int.random(in: 0..<2000, using: &random)
      if Int.random(in: 0..<10, using: &random) < (step < 5000 ? 7 : 3) {
        #expect(shared.insert(member).inserted == model.insert(member).inserted)
      } else {
        #expect(shared.remove(member) == model.remove(member))
      }
      if step % 1000 == 0 { kept.append((model, shared)) }
    }
    for (model, shared) in kept {
      #expect(shared.count == model.count, "seed \(seed)")
      #expect(Set(shared) == model, "seed \(seed)")
    }
  }

  @Test(arguments: [4, 5, 6] as [UInt64])
  func setAlgebraMatchesASet(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let (left, right) = (members(&random), members(&random))
      let (a, b) = (SharedSet(left), SharedSet(right))
      #expect(Set(a.union(b)) == left.union(right), "seed \(seed)")
      #expect(Set(a.intersection(b)) == left.intersection(right), "seed \(seed)")
      #expect(Set(a.subtracting(b)) == left.subtracting(right), "seed \(seed)")
      #expect(
        Set(a.symmetricDifference(b)) == left.symmetricDifference(right), "seed \(seed)")
      #expect(a.isSubset(of: b) == left.isSubset(of: right), "seed \(seed)")
      #expect(a.isDisjoint(with: b) == left.isDisjoint(with: right), "seed \(seed)")
      #expect((a == b) == (left == right), "seed \(seed)")
      #expect(Set(a) == left && Set(b) == right, "seed \(seed)")
    }
  }

  /// The result contains the instances of the first set, whichever set is larger.
  @Test func intersectionKeepsInstancesOfTheFirstSet() {
    let few = SharedSet((0..<3).map { Named($0, "few") })
    let many = SharedSet((0..<100).map { Named($0, "many") })
    #expect(few.intersection(many).map(\.name) == ["few", "few", "few"])
    #expect(many.intersection(few).map(\.name) == ["many", "many", "many"])
  }

  @Test func membersWithEqualHashesAreDistinct() {
    var set = SharedSet((0..<200).map(Colliding.init))
    let full = set
    #expect(set == SharedSet((0..<200).reversed().map(Colliding.init)))
    for id in 0..<200 { #expect(set.remove(Colliding(id))?.id == id) }
    #expect(set.isEmpty && full.count == 200)
  }

  @Test func storesManyMembers() {
    let set = SharedSet(0..<100_000)
    var other = set
    other.insert(-1)
    #expect(set.count == 100_000 && other.count == 100_001)
    #expect((0..<100_000).allSatisfy(set.contains) && !set.contains(-1))
  }

  @Test func descriptionMatchesASet() {
    #expect("\(SharedSet<Int>())" == "[]")
    #expect("\(SharedSet(["a"]))" == "[\"a\"]")
  }

  private func members(_ random: inout SeededGenerator) -> Set<Int> {
    let count = Int.random(in: 0..<8, using: &random)
    return Set((0..<count).map { _ in Int.random(in: 0..<10, using: &random) })
  }
}

/// A member that is compared by number.
private struct Named: Hashable {
  let number: Int
  let name: String

  init(_ number: Int, _ name: String) { (self.number, self.name) = (number, name) }

  static func == (left: Named, right: Named) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
