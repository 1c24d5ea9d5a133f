import Glibc
import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct SoundnessTests {
  /// Two chains of operators on one list, each compared with the result of the same closures on the
  /// whole list.
  private final class Chains {
    let source = CollectionProperty<[Item]>()
    let filtered: LiveCollection<[Item]>
    let sorted: LiveCollection<[Item]>
    let mapped: LiveCollection<[Int]>
    let again: LiveCollection<[Item]>
    let validators: [ListValidator<Item>]
    let twin: ListValidator<Item>
    let ofMapped: ListValidator<Int>

    init() {
      filtered = source.filter { $0.value % 3 != 0 }
      sorted = filtered.sorted { $0.value < $1.value }
      mapped = sorted.map { $0.number * 10 + $0.value }
      again = sorted.filter { $0.value > 2 }.sorted { $0.number > $1.number }
      validators = [
        ListValidator(source), ListValidator(filtered), ListValidator(sorted), ListValidator(again),
      ]
      twin = ListValidator(sorted)
      ofMapped = ListValidator(mapped)
    }

    var problems: [String] {
      var problems = validators.flatMap(\.problems) + twin.problems + ofMapped.problems
      func compare<Element: Equatable>(_ name: String, _ list: [Element], _ expected: [Element]) {
        if list != expected { problems.append("\(name) is \(list) instead of \(expected).") }
      }
      let all = Array(source.value)
      let passing = all.filter { $0.value % 3 != 0 }
      let inOrder = passing.sorted { $0.value < $1.value }
      compare("filtered", Array(filtered.value), passing)
      compare("sorted", Array(sorted.value), inOrder)
      compare("mapped", Array(mapped.value), inOrder.map { $0.number * 10 + $0.value })
      compare(
        "sorted again", Array(again.value),
        inOrder.filter { $0.value > 2 }.sorted { $0.number > $1.number })
      compare("what the second observer knows", twin.elements, validators[2].elements)
      if twin.eventCount != validators[2].eventCount { problems.append("Observers differ.") }
      return problems
    }
  }

  /// 5,000 batches, most of them on few elements, where edge cases occur.
  @Test(arguments: seeds(5)) func randomBatches(_ seed: Int) {
    let chains = Chains()
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<1_000 {
      edits.batch(on: chains.source, longest: seed % 10 != 0 ? 6 : number % 20 == 0 ? 200 : 20)
      let problems = chains.problems
      #expect(problems == [], "seed \(seed), batch \(number)")
      if !problems.isEmpty { return }
    }
  }

  /// Large lists and batches, with predicates and orders that change in between. A predicate that
  /// changes many results rebuilds the output.
  @Test(arguments: seeds(2)) func largeBatches(_ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let divisor = Property(2)
    let filtered = source.filter(by: divisor.map { divisor in { $0.value % divisor != 0 } })
    let isDescending = Property(false)
    let sorted = filtered.sorted(
      by: isDescending.map { isDescending -> (Item, Item) -> Bool in
        isDescending ? { $0.value > $1.value } : { $0.value < $1.value }
      })
    let mapped = sorted.map(\.number)
    let validators = [ListValidator(source), ListValidator(filtered), ListValidator(sorted)]
    let ofMapped = ListValidator(mapped)
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<60 {
      source.batch {
        for _ in 0..<edits.number(below: 400) { edits.operation(on: source, longest: 1_000) }
        if edits.number(below: 4) == 0 { divisor.value = 2 + edits.number(below: 3) }
        for _ in 0..<edits.number(below: 9) { edits.operation(on: source, longest: 1_000) }
      }
      if edits.number(below: 2) == 0 { divisor.value = 2 + edits.number(below: 3) }
      if edits.number(below: 3) == 0 { isDescending.value.toggle() }
      let passing = Array(source.value).filter { $0.value % divisor.value != 0 }
      let expected =
        isDescending.value
        ? passing.sorted { $0.value > $1.value } : passing.sorted { $0.value < $1.value }
      #expect(
        validators.flatMap(\.problems) + ofMapped.problems == [], "seed \(seed), batch \(number)")
      #expect(Array(mapped.value) == expected.map(\.number), "seed \(seed), batch \(number)")
      if !ofMapped.problems.isEmpty { return }
    }
  }

  /// Many elements are inserted or removed at once.
  @Test func manyElementsAreInsertedAndRemovedAtOnce() {
    let source = CollectionProperty((0..<200).map { Item(number: $0, value: $0 % 7) })
    let limit = Property(10)
    let filtered = source.filter(by: limit.map { limit in { $0.value < limit } })
    let sorted = filtered.sorted { $0.value < $1.value }
    let validators = [ListValidator(filtered), ListValidator(sorted)]
    for (number, count) in [(0, 0), (10, 200), (3, 87), (0, 0), (7, 200)] {
      limit.value = number
      #expect(filtered.count == count && sorted.count == count)
      #expect(validators.allSatisfy { $0.elements.count == count })
    }
    source.removeAll()
    #expect(validators.allSatisfy { $0.elements.isEmpty })
    #expect(validators.flatMap(\.problems) == [])
  }

  // MARK: - Inconsistent closures

  /// Closures that are not strict weak orderings.
  enum InconsistentOrder: CaseIterable {
    case alwaysTrue
    case notStrict
    case circular
    case random

    func order(seed: UInt64) -> (Item, Item) -> Bool {
      var random = SeededGenerator(seed: seed)
      return switch self {
      case .alwaysTrue: { _, _ in true }
      case .notStrict: { $0.value <= $1.value }
      case .circular: { ($0.value + 1) % 8 == $1.value }
      case .random: { _, _ in Bool.random(using: &random) }
      }
    }
  }

  @Test(arguments: InconsistentOrder.allCases, 0..<10)
  func inconsistentOrderKeepsAllElements(_ inconsistent: InconsistentOrder, _ seed: Int) {
    let source = CollectionProperty<[Item]>()
    let other = Property(UInt64(seed))
    let sorted = source.sorted(by: inconsistent.order(seed: UInt64(seed)))
    let resorted = sorted.sorted(by: other.map { inconsistent.order(seed: $0) })
    let validators = [ListValidator(sorted), ListValidator(resorted)]
    var edits = RandomEdits(seed: UInt64(seed))
    for number in 0..<100 {
      edits.batch(on: source)
      if number % 10 == 0 {
        source.batch { for _ in 0..<100 { edits.operation(on: source, longest: 300) } }
      }
      if number % 7 == 0 { other.value += 100 }
      let expected = tally(source.value)
      #expect(
        tally(sorted.value) == expected && tally(resorted.value) == expected, "batch \(number)")
      #expect(validators.flatMap(\.problems) == [], "batch \(number)")
    }
  }

  private func tally(_ list: SharedArray<Item>) -> [Item: Int] {
    list.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  // MARK: - Exhaustive tests

  /// An operation on a short list.
  private enum Operation {
    case insert(Int)
    case remove(Int)
    case update(Int)
    case move(Int, Int)

    static func all(count: Int) -> [Operation] {
      let places = Array(0..<count)
      return (0...count).map { .insert($0) } + places.map { .remove($0) }
        + places.map { .update($0) }
        + places.flatMap { source in places.map { .move(source, $0) } }
    }

    func apply(to list: CollectionProperty<[Item]>) {
      switch self {
      case .insert(let index): list.insert(Item(number: 9, value: 2), at: index)
      case .remove(let index): list.remove(at: index)
      case .update(let index): list[index].value = 5 - list[index].value
      case .move(let source, let destination): list.move(from: source, to: destination)
      }
    }
  }

  /// Every batch of up to three operations on up to three elements, or four with `RUNNEL_CASES`.
  @Test(arguments: 0...(runsManyCases ? 4 : 3)) func smallBatches(_ count: Int) {
    checkBatches(on: count, updating: 0)
  }

  /// The same on one element, or up to two with `RUNNEL_CASES`, with updates of others in the same
  /// batch.
  @Test(arguments: 0...(runsManyCases ? 2 : 1)) func smallPartsOfBatches(_ count: Int) {
    checkBatches(on: count, updating: 20)
  }

  /// Checks batches on a number of elements, with updates of others in each batch.
  private func checkBatches(on count: Int, updating others: Int) {
    var problems: [String] = []
    func run(_ operations: [Operation]) {
      let all = 0..<count + others
      let list = CollectionProperty(all.map { Item(number: $0, value: $0 < count ? $0 : 9) })
      let filtered = list.filter { $0.value != 2 }
      let sorted = filtered.sorted { $0.value < $1.value }
      let validators = [ListValidator(list), ListValidator(filtered), ListValidator(sorted)]
      list.batch {
        for index in all.dropFirst(count) { list[index].value = 10 }
        for operation in operations { operation.apply(to: list) }
      }
      let expected = Array(list.value).filter { $0.value != 2 }
      if Array(filtered.value) != expected { problems.append("filtered: \(filtered.value)") }
      if Array(sorted.value) != expected.sorted(by: { $0.value < $1.value }) {
        problems.append("sorted: \(sorted.value)")
      }
      problems += validators.flatMap(\.problems)
      if !problems.isEmpty { problems.append("after \(operations)") }
      guard operations.count < 3, problems.isEmpty else { return }
      for next in Operation.all(count: list.count - others) where problems.isEmpty {
        run(operations + [next])
      }
    }
    run([])
    #expect(problems == [])
  }
}
