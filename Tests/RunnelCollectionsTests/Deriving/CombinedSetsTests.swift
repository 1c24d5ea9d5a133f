import RunnelCollections
import RunnelTesting
import Testing

@Suite struct CombinedSetsTests {
  @Test func sendsOneEventForAnEffectiveChange() {
    let mine = CollectionProperty(Set([1, 2]))
    let yours = CollectionProperty(Set([2, 3]))
    let all = mine.union(yours)
    let common = mine.intersection(yours)
    var log: [String] = []
    all.observe { event in
      guard let changes = event.changes else { return log.append("\(event.change)") }
      log.append("+\(changes.inserts.sorted()) -\(changes.deletes.sorted())")
    }
    mine.insert(3)
    mine.remove(2)
    yours.batch {
      yours.remove(2)
      yours.insert(5)
      yours.insert(1)
    }
    yours.replace(with: [1])
    #expect(log == ["initial", "+[5] -[2]", "reset"])
    #expect(all.value == [1, 3] && common.value == [1])
  }

  @Test func combinesASetWithItself() {
    let set = CollectionProperty(Set([1, 2]))
    let results = [
      set.union(set), set.intersection(set.live), set.subtracting(set),
      set.symmetricDifference(set),
    ]
    let checks = results.map { CollectionValidator($0) }
    set.insert(3)
    set.remove(1)
    #expect(results.map(\.count) == [2, 2, 0, 0])
    #expect(checks.map(\.eventCount) == [3, 3, 1, 1] && checks.flatMap(\.problems) == [])
  }

  @Test func observerMayChangeTheSets() {
    let mine = CollectionProperty(Set([1]))
    let yours = CollectionProperty(Set([2]))
    let all = mine.union(yours)
    let different = mine.symmetricDifference(yours)
    let checks = [CollectionValidator(all), CollectionValidator(different)]
    all.observe { event in
      guard event.collection.count < 8 else { return }
      yours.insert(event.collection.count + 2)
      mine.insert(event.collection.count + 3)
    }
    mine.observe { event in yours.remove(event.collection.count) }
    mine.insert(9)
    #expect(all.value == mine.value.union(yours.value))
    #expect(different.value == mine.value.symmetricDifference(yours.value))
    #expect(checks.flatMap(\.problems) == [])
  }

  @Test func releasingTheResultEndsObservation() {
    let mine = CollectionProperty(Set([1]))
    let yours = CollectionProperty(Set([2]))
    do {
      let all = mine.union(yours)
      #expect(mine.isObserved && yours.isObserved && all.count == 2)
    }
    #expect(!mine.isObserved && !yours.isObserved)
  }

  @Test(arguments: seeds(2)) func randomBatches(_ seed: Int) {
    let mine = CollectionProperty<Set<Int>>()
    let yours = CollectionProperty<Set<Int>>()
    let union = mine.union(yours)
    let intersection = mine.intersection(yours)
    let difference = mine.subtracting(yours)
    let symmetric = mine.symmetricDifference(yours)
    let checks = [union, intersection, difference, symmetric].map { CollectionValidator($0) }
    var edits = RandomKeys(seed: UInt64(seed))
    for number in 0..<500 {
      edits.batch(on: edits.number(below: 2) == 0 ? mine : yours)
      let isRight =
        union.value == mine.value.union(yours.value)
        && intersection.value == mine.value.intersection(yours.value)
        && difference.value == mine.value.subtracting(yours.value)
        && symmetric.value == mine.value.symmetricDifference(yours.value)
      let problems = checks.flatMap(\.problems)
      #expect(isRight && problems == [], "seed \(seed), batch \(number)")
      if !isRight || !problems.isEmpty { return }
    }
  }
}
