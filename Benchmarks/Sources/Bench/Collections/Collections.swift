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

/// The same lists, kept by hand in arrays: a change of the items also changes the sorted keys.
private final class ArraysByHand {
  @exclusivity(unchecked) private(set) var items: [Item]
  @exclusivity(unchecked) private(set) var keys: [Int]

  init(_ items: [Item]) {
    self.items = items
    keys = recomputed(items)
  }

  func insert(_ item: Item, at index: Int) {
    items.insert(item, at: index)
    if item.key % 4 != 0 { keys.insert(item.key, at: place(of: item.key)) }
  }

  func remove(at index: Int) {
    let key = items.remove(at: index).key
    if key % 4 != 0 { keys.remove(at: place(of: key)) }
  }

  func update(at index: Int, to key: Int) {
    let old = items[index].key
    items[index].key = key
    if old % 4 != 0 { keys.remove(at: place(of: old)) }
    if key % 4 != 0 { keys.insert(key, at: place(of: key)) }
  }

  func move(from index: Int, to destination: Int) {
    items.insert(items.remove(at: index), at: destination)
  }

  private func place(of key: Int) -> Int {
    var range = 0..<keys.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = keys[middle] < key ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}

/// Measures single changes, each through a filter, a sort and a map.
private func measureChanges(_ report: inout Report, _ name: String, _ count: Int) {
  var numbers = SeededGenerator()
  let first = items(count, &numbers)
  let source = Items(first)
  let mapped = source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key }
  let sum = Sum()
  let observation = mapped.observe { sum.add($0.collection.count) }
  let byHand = ArraysByHand(first)
  func index() -> Int { numbers.below(count) }
  func key() -> Int { numbers.below(1 << 30) }
  let operations: [(String, byHand: () -> Void, change: () -> Void)] = [
    (
      "insert", { byHand.insert(Item(id: 0, key: key()), at: index()) },
      { source.insert(Item(id: 0, key: key()), at: index()) }
    ),
    ("delete", { byHand.remove(at: index()) }, { source.remove(at: index()) }),
    (
      "update", { byHand.update(at: index(), to: key()) },
      { source[index()].key = key() }
    ),
    (
      "move", { byHand.move(from: index(), to: index()) },
      { source.move(from: index(), to: index()) }
    ),
  ]
  for (operation, byHand, change) in operations {
    for _ in 0..<200 { change() }
    let figures = quietest(4_000) { nanoseconds(change) }
    let base = quietest(100) { nanoseconds(byHand) }
    report.ratio("\(operation) at \(name)", figures.mean, to: base.mean)
    report.ratio("\(operation) at \(name), p99", figures.p99, to: base.mean)
  }
  observation.dispose()
  consume(sum.total)

  let base = quietest(100) { nanoseconds { byHand.update(at: index(), to: key()) } }
  func measureUpdates(_ operation: String, of list: Items) {
    let figures = quietest(4_000) {
      let index = numbers.below(count)
      return nanoseconds { list[index].key = index }
    }
    report.ratio("\(operation), at \(name)", figures.mean, to: base.mean)
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
  let recomputing = { nanoseconds { consume(recomputed(million)) } }
  let source = Items(million)

  measurePredicate(&report, on: source, million)

  report.ratio("first filter, sorted and map of 1M", attempts: 3, beside: recomputing) {
    nanoseconds {
      consume(source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key })
    }
  }

  report.memory(
    "memory of filter, sorted and map at 1M, an element", per: million.count,
    beyond: { (stages: Stages) in
      (stages.filtered.count + stages.sorted.count) * MemoryLayout<Item>.stride
        + stages.mapped.count * MemoryLayout<Int>.stride
    }
  ) { Stages(source) }

  let mapped = source.filter { $0.key % 4 != 0 }.sorted { $0.key < $1.key }.map { $0.key }
  let byHand = ArraysByHand(million)
  report.ratio("batch of 10,000 at 1M", attempts: 10, beside: recomputing) {
    nanoseconds { source.batch { edit(source, 10_000, &numbers) } }
  }
  report.ratio(
    "batch of 10 at 1M", attempts: 10,
    beside: { nanoseconds { for _ in 0..<10 { edit(byHand, &numbers) } } }
  ) {
    nanoseconds { for _ in 0..<1_000 { source.batch { edit(source, 10, &numbers) } } } / 1_000
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

/// Updates one item by hand, which changes both arrays, as an average edit does.
private func edit(_ arrays: ArraysByHand, _ numbers: inout SeededGenerator) {
  arrays.update(at: numbers.below(arrays.items.count), to: numbers.below(1 << 30))
}

/// Measures changes of a predicate. A function of its own releases the filtered collection when it
/// returns.
private func measurePredicate(_ report: inout Report, on source: Items, _ array: [Item]) {
  let divisor = Property(4)
  let filtered = source.filter(by: divisor.map { divisor in { $0.key % divisor != 0 } })
  var number = 0
  report.ratio(
    "predicate change at 1M", attempts: 6,
    beside: { nanoseconds { consume(array.filter { $0.key % 3 != 0 }) } }
  ) {
    number += 1
    return nanoseconds { divisor.value = 3 + number % 2 }
  }
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
    report.ratio(
      "difference of \(name)", attempts: 3,
      beside: { nanoseconds { consume(new.difference(from: old)) } },
      { nanoseconds { consume(ListDifference(from: old, to: new)) } })
  }
}

/// Returns the mean and 99th percentile of many changes, for the fastest of several rounds.
private func quietest(_ count: Int, _ change: () -> Double) -> (mean: Double, p99: Double) {
  let rounds = (0..<5).map { _ in
    let times = (0..<count).map { _ in change() }.sorted()
    return (mean: times.reduce(0, +) / Double(times.count), p99: times[times.count * 99 / 100])
  }
  return rounds.min { $0.mean < $1.mean } ?? (.infinity, .infinity)
}

private func nanoseconds(_ body: () -> Void) -> Double {
  ContinuousClock().measure(body).nanoseconds
}
