import Runnel

/// Measures live and derived collections, compared with recomputing everything.
func measureCollections(_ report: inout Report) {
  for (name, count) in [("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)] {
    measureChanges(&report, name, count)
  }
  measureWholes(&report)
  measureFew(&report)
  measureDifferences(&report)
}

private struct Item: Hashable {
  let id: Int
  var key: Int
}

private typealias Items = CollectionProperty<[Item]>

/// A random number generator with a fixed seed.
private struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64 = 42

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() >> 16) % limit }
}

private func items(_ count: Int, _ numbers: inout SeededGenerator) -> [Item] {
  (0..<count).map { Item(id: $0, key: numbers.below(1 << 30)) }
}

/// The computation that a program without live collections repeats after each change.
@inline(never)
private func recomputed(_ items: [Item]) -> [Int] {
  items.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key }
}

/// Measures single changes, each through a filter, a sort and a map.
private func measureChanges(_ report: inout Report, _ name: String, _ count: Int) {
  var numbers = SeededGenerator()
  let first = items(count, &numbers)
  let baseline = nanoseconds { consume(recomputed(first)) }
  let source = Items(first)
  let mapped = source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key }
  let sum = Sum()
  let observation = mapped.observe { sum.add($0.collection.count) }
  let operations: [(String, () -> Void)] = [
    (
      "insert",
      {
        let item = Item(id: 0, key: numbers.below(1 << 30))
        source.insert(item, at: numbers.below(source.count + 1))
      }
    ),
    ("delete", { source.remove(at: numbers.below(source.count)) }),
    ("update", { source[numbers.below(source.count)].key = numbers.below(1 << 30) }),
    (
      "move",
      {
        source.move(from: numbers.below(source.count), to: numbers.below(source.count))
      }
    ),
  ]
  for (operation, change) in operations {
    for _ in 0..<200 { change() }
    let figures = quietest { nanoseconds(change) }
    report.add("\(operation) at \(name)", figures.mean, besideRecomputing: baseline)
    report.add("\(operation) at \(name), p99", figures.p99, besideRecomputing: baseline)
  }
  observation.dispose()
  consume(sum.total)

  func measureUpdates(_ operation: String, of list: Items) {
    let figures = quietest {
      let index = numbers.below(count)
      return nanoseconds { list[index].key = index }
    }
    report.add("\(operation), at \(name)", figures.mean, besideRecomputing: baseline)
  }
  let held = Items(first)
  var snapshot: [SharedArray<Item>] = []
  let keeping = held.observe { snapshot = [$0.collection] }
  measureUpdates("update while a snapshot is held", of: held)
  keeping.dispose()
  consume(snapshot)

  let followed = Items(first)
  let filtered = followed.filter(by: Property<(Item) -> Bool> { $0.key % 4 != 0 })
  measureUpdates("update, filtered by a stream", of: followed)
  consume(filtered)
}

/// Measures operations on a million elements at once.
private func measureWholes(_ report: inout Report) {
  var numbers = SeededGenerator()
  let million = items(1_000_000, &numbers)
  let baseline = nanoseconds { consume(recomputed(million)) }
  let source = Items(million)

  measurePredicate(&report, on: source, baseline)

  let firsts = (0..<3).map { _ in
    nanoseconds {
      consume(source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key })
    }
  }
  report.add("first filter, sorted and map of 1M", firsts.min() ?? 0, besideRecomputing: baseline)

  report.memory(
    "memory of filter, sorted and map at 1M, an element", per: million.count,
    beyond: { (stages: Stages) in
      (stages.filtered.count + stages.sorted.count) * MemoryLayout<Item>.stride
        + stages.mapped.count * MemoryLayout<Int>.stride
    }
  ) { Stages(source) }

  let mapped = source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key }
  for (name, edits, batches) in [("10,000", 10_000, 1), ("10", 10, 1_000)] {
    let rounds = (0..<10).map { _ in
      nanoseconds {
        for _ in 0..<batches { source.batch { edit(source, edits, &numbers) } }
      }
    }
    report.add(
      "batch of \(name) at 1M, a change",
      (rounds.min() ?? 0) / Double(edits * batches), besideRecomputing: baseline)
  }
  consume(mapped)
}

private func edit(_ source: Items, _ count: Int, _ numbers: inout SeededGenerator) {
  for number in 0..<count {
    let index = numbers.below(source.count)
    switch number % 4 {
    case 0: source.insert(Item(id: 0, key: numbers.below(1 << 30)), at: index)
    case 1: source.remove(at: index)
    case 2: source[index].key = numbers.below(1 << 30)
    default: source.move(from: index, to: numbers.below(source.count))
    }
  }
}

/// Measures changes of a predicate. A function of its own releases the filtered collection when it
/// returns.
private func measurePredicate(_ report: inout Report, on source: Items, _ baseline: Double) {
  let divisor = Property(4)
  let filtered = source.filter(by: divisor.map { divisor in { $0.key % divisor != 0 } })
  let another =
    (0..<6).map { number in
      nanoseconds { divisor.value = 3 + number % 2 }
    }.min() ?? 0
  report.add("predicate change at 1M, an element", another / 1e6, besideRecomputing: baseline / 1e6)
  consume(filtered)
}

private struct Stages {
  let filtered: LiveCollection<[Item]>
  let sorted: LiveCollection<[Item]>
  let mapped: LiveCollection<[Int]>

  init(_ source: Items) {
    filtered = source.filter { $0.key % 4 != 0 }
    sorted = filtered.sorted { $0.key < $1.key }
    mapped = sorted.map { $0.key }
  }
}

/// Measures small collections, for which recomputing an array is fast too.
private func measureFew(_ report: inout Report) {
  for edits in [1, 10, 100] {
    var numbers = SeededGenerator()
    var array = items(1_000, &numbers)
    let source = Items(array)
    let stages = Stages(source)
    report.ratio(
      edits == 1 ? "a change at 1,000" : "a batch of \(edits) at 1,000", per: 100,
      baseline: {
        for _ in 0..<100 {
          for _ in 0..<edits / 4 + 1 {
            let index = numbers.below(1_000)
            array.insert(array.remove(at: index), at: numbers.below(1_000))
            guard edits > 1 else { continue }
            array[index].key = numbers.below(1 << 30)
            array.insert(Item(id: 0, key: numbers.below(1 << 30)), at: numbers.below(1_000))
            array.remove(at: numbers.below(1_000))
          }
          consume(recomputed(array))
        }
      },
      measured: {
        for _ in 0..<100 {
          source.batch {
            for _ in 0..<edits / 4 + 1 {
              let index = numbers.below(1_000)
              source.move(from: index, to: numbers.below(1_000))
              guard edits > 1 else { continue }
              source[index].key = numbers.below(1 << 30)
              source.insert(
                Item(id: 0, key: numbers.below(1 << 30)), at: numbers.below(1_000))
              source.remove(at: numbers.below(1_000))
            }
          }
        }
      })
    consume(stages)
  }
  // Many collections are used, or the branch predictor would learn the order of the elements.
  var numbers = SeededGenerator()
  let arrays = (0..<100).map { _ in items(1_000, &numbers) }
  let sources = arrays.map { Items($0) }
  report.ratio(
    "first filter, sorted and map of 1,000", per: 100,
    baseline: { for array in arrays { consume(recomputed(array)) } },
    measured: { for source in sources { consume(Stages(source)) } })
}

/// Measures differences: 1,000 deletions, 1,000 insertions and 200 moves at random indices.
private func measureDifferences(_ report: inout Report) {
  for (name, count) in [("100k", 100_000), ("1M", 1_000_000)] {
    var numbers = SeededGenerator()
    let old = Array(0..<count)
    var new = old
    for number in 0..<1_000 {
      new.remove(at: numbers.below(new.count))
      new.insert(count + number, at: numbers.below(new.count))
    }
    for _ in 0..<200 {
      new.insert(new.remove(at: numbers.below(new.count)), at: numbers.below(new.count))
    }
    let baseline = nanoseconds { consume(new.difference(from: old)) }
    let times = (0..<5).map { _ in nanoseconds { consume(ListDifference(from: old, to: new)) } }
    report.add("difference of \(name)", times.min() ?? 0, besideRecomputing: baseline)
  }
}

/// Returns the mean and 99th percentile of thousands of changes, for the fastest of several rounds.
private func quietest(_ change: () -> Double) -> (mean: Double, p99: Double) {
  let rounds = (0..<5).map { _ in
    let times = (0..<4_000).map { _ in change() }.sorted()
    return (mean: times.reduce(0, +) / Double(times.count), p99: times[times.count * 99 / 100])
  }
  return rounds.min { $0.mean < $1.mean } ?? (.infinity, .infinity)
}

private func nanoseconds(_ body: () -> Void) -> Double {
  ContinuousClock().measure(body).nanoseconds
}
