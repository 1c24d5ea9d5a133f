import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Random graphs of operators on two lists and a dictionary, with changing predicates, orders and
/// ranges, and with observers that are added, removed and edit. Between batches each result equals
/// that of the same closures on arrays.
@Suite struct GraphTests {
  @Test(arguments: seeds(5)) func randomGraphs(_ seed: Int) {
    let graph = Graph(seed: UInt64(seed))
    for number in 0..<30 {
      graph.edit()
      let problems = graph.problems
      #expect(problems == [], "seed \(seed), edit \(number)")
      if !problems.isEmpty { return }
    }
  }

  /// A derived list, and a function that computes the expected one.
  private struct Node {
    let name: String
    let list: LiveCollection<[Item]>
    var validators: [ListValidator<Item>] = []
    let expected: () -> [Item]

    init(_ name: String, _ list: LiveCollection<[Item]>, _ expected: @escaping () -> [Item]) {
      self.name = name
      self.list = list
      self.expected = expected
    }
  }

  private final class Graph {
    private let sources = [CollectionProperty<[Item]>(), CollectionProperty<[Item]>()]
    private let ages = CollectionProperty<[Int: Int]>()
    private let numbers = (0..<3).map { _ in Property(2) }
    private let flags = (0..<8).map { Property($0 % 3 != 0) }
    private let parts = (0..<8).map { part in
      CollectionProperty((0..<part % 4).map { Item(number: 100 + part, value: $0) })
    }
    private var copies: [CollectionProperty<[Item]>] = []
    private var nodes: [Node] = []
    private var edits: RandomEdits
    /// The edits that observers make during the edits above.
    private var theirEdits: RandomEdits
    private var editors: [Disposable] = []
    private var editsLeft = 0

    init(seed: UInt64) {
      edits = RandomEdits(seed: seed)
      theirEdits = RandomEdits(seed: seed + 1_000)
      nodes = sources.map { source in Node("source", source.live) { Array(source.value) } }
      for _ in 0..<8 { grow() }
    }

    private func any<Thing>(_ things: [Thing]) -> Thing {
      things[edits.number(below: things.count)]
    }

    // MARK: - Operators

    private func grow() {
      let source = any(nodes)
      var node = derive(from: source.list, source.expected)
      for _ in 0..<edits.number(below: 3) { node.validators.append(ListValidator(node.list)) }
      nodes.append(node)
    }

    /// Returns the result of a random operator on a list.
    private func derive(
      from list: LiveCollection<[Item]>, _ all: @escaping () -> [Item]
    ) -> Node {
      let (number, start) = (any(numbers), edits.number(below: 6))
      let range = start..<start + edits.number(below: 8)
      switch edits.number(below: 21) {
      case 0:
        return Node("filter", list.filter { $0.value % 3 != 0 }) {
          all().filter { $0.value % 3 != 0 }
        }
      case 1:
        let predicates = number.map { number in { (item: Item) in item.value % number != 0 } }
        return Node("filter(by:)", list.filter(by: predicates)) {
          all().filter { $0.value % number.value != 0 }
        }
      case 2:
        let flags = flags
        return Node("filter(whereLatest:)", list.filter { flags[$0.value] }) {
          all().filter { flags[$0.value].value }
        }
      case 3:
        return Node("sorted", list.sorted { $0.value < $1.value }) {
          all().sorted { $0.value < $1.value }
        }
      case 4:
        let orders = number.map { number in
          { (one: Item, other: Item) in one.value % number < other.value % number }
        }
        return Node("sorted(by:)", list.sorted(by: orders)) {
          all().sorted { $0.value % number.value < $1.value % number.value }
        }
      case 5: return Node("map", list.map(Self.next)) { all().map(Self.next) }
      case 6:
        return Node("compactMap", list.compactMap { $0.value == 2 ? nil : Self.next($0) }) {
          all().compactMap { $0.value == 2 ? nil : Self.next($0) }
        }
      case 7:
        return Node("distinct", list.distinct(by: \.value)) {
          var known = Set<Int>()
          return all().filter { known.insert($0.value).inserted }
        }
      case 8: return Node("reversed", list.reversed()) { all().reversed() }
      case 9:
        return Node("slice", list.slice(range)) {
          Array(all().dropFirst(start).prefix(range.count))
        }
      case 10:
        return Node("slice(by:)", list.slice(by: number.map { $0..<$0 * 3 })) {
          Array(all().dropFirst(number.value).prefix(number.value * 2))
        }
      case 11: return Node("dropFirst", list.dropFirst(start)) { Array(all().dropFirst(start)) }
      case 12: return Node("dropLast", list.dropLast(start)) { all().dropLast(start) }
      case 13: return Node("suffix", list.suffix(start)) { all().suffix(start) }
      case 14:
        let other = any(nodes)
        return Node("concatenated", list.concatenated(with: other.list)) {
          all() + other.expected()
        }
      case 15:
        return Node("flatMap, arrays", list.flatMap(Self.few)) { all().flatMap(Self.few) }
      case 16:
        let parts = parts
        return Node("flatMap, lists", list.flatMap { parts[$0.value] }) {
          all().flatMap { parts[$0.value].value }
        }
      case 17:
        return Node("enumerated", list.enumerated().map { Self.next($1, by: $0) }) {
          all().enumerated().map { Self.next($1, by: $0) }
        }
      case 18:
        let groups = list.grouped { $0.value % 2 }.sorted { $0.key < $1.key }
        return Node("grouped", groups.flatMap { $0 }) {
          all().filter { $0.value % 2 == 0 } + all().filter { $0.value % 2 != 0 }
        }
      case 19:
        let other = any(nodes)
        let joined = list.joined(with: other.list, on: { $0.value % 4 }, equals: \.value)
        return Node("joined", joined.map { Self.next($0, by: $1.number) }) {
          all().flatMap { left in
            other.expected().filter { $0.value == left.value % 4 }
              .map { Self.next(left, by: $0.number) }
          }
        }
      default: return derive(from: list, elsewhere: all)
      }
    }

    /// Returns the result of a random operator that is not one on lists.
    private func derive(
      from list: LiveCollection<[Item]>, elsewhere all: @escaping () -> [Item]
    ) -> Node {
      if edits.number(below: 2) == 0 {
        let copy = CollectionProperty<[Item]>()
        list.bind(to: copy)
        copies.append(copy)
        return Node("bound", copy.live, all)
      }
      let ages = ages
      let even = ages.mapValues { $0 + 1 }.filter { $0.value % 2 == 0 }
      return Node("dictionary", even.sortedByKey().map { Item(number: $0, value: $1 % 8) }) {
        let even = ages.value.filter { ($0.value + 1) % 2 == 0 }.sorted { $0.key < $1.key }
        return even.map { Item(number: $0.key, value: ($0.value + 1) % 8) }
      }
    }

    private static func next(_ item: Item) -> Item { next(item, by: 1) }

    private static func next(_ item: Item, by distance: Int) -> Item {
      Item(number: item.number, value: (item.value + distance) % 8)
    }

    private static func few(_ item: Item) -> [Item] {
      (0..<item.value % 3).map { Item(number: item.number, value: $0) }
    }

    // MARK: - Edits

    func edit() {
      editsLeft = 5
      editors = (0..<edits.number(below: 3)).map { _ in
        any(nodes).list.observe { [unowned self] _ in editFromWithin() }
      }
      let source = any(sources)
      source.batch {
        for _ in 0..<edits.number(below: 4) { step(source) }
      }
    }

    private func editFromWithin() {
      guard editsLeft > 0 else { return }
      editsLeft -= 1
      // Moved out, because it may be called again before it returns.
      var edits = theirEdits
      edits.batch(on: sources[edits.number(below: 2)], longest: 12)
      theirEdits = edits
    }

    private func step(_ source: CollectionProperty<[Item]>) {
      switch edits.number(below: 10) {
      case 0: any(numbers).value = 2 + edits.number(below: 3)
      case 1: any(flags).value.toggle()
      case 2: edits.batch(on: any(parts), longest: 4)
      case 3:
        ages[edits.number(below: 6)] = edits.number(below: 3) == 0 ? nil : edits.number(below: 9)
      case 4: any(sources).batch { step(source) }
      case 5: comeOrGo()
      default: edits.batch(on: source, longest: 12)
      }
    }

    /// Adds or removes an operator or an observer.
    private func comeOrGo() {
      let index = edits.number(below: nodes.count)
      switch edits.number(below: 4) {
      case 0 where nodes.count < 16: grow()
      case 1 where index >= sources.count: nodes.remove(at: index)
      case 2: nodes[index].validators = []
      default: nodes[index].validators.append(ListValidator(nodes[index].list))
      }
    }

    // MARK: - Comparison

    var problems: [String] {
      nodes.flatMap { node in
        let expected = node.expected()
        let all = [Array(node.list.value)] + node.validators.map { Array($0.elements) }
        return node.validators.flatMap(\.problems)
          + all.filter { $0 != expected }.map { "\(node.name) is \($0), not \(expected)." }
      }
    }
  }
}
