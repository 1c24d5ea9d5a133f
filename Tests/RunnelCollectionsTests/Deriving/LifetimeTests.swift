import RunnelCollections
import RunnelStreams
import Testing

/// The lifetime of derived collections, which observations extend.
@Suite struct LifetimeTests {
  /// A chain of operators on a list, a dictionary and a set that only its observation retains.
  struct Chain: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let stream: @Sendable (Sources) -> EventStream<Void, Never>

    init(
      _ name: String, _ stream: @escaping @Sendable (Sources) -> EventStream<Void, Never>
    ) {
      testDescription = name
      self.stream = stream
    }
  }

  final class Sources {
    let list = CollectionProperty([3, 1, 2])
    let ages = CollectionProperty(["Jim": 33])
    let tags = CollectionProperty(Set([1, 2]))
    let other = CollectionProperty(Set([2]))
    let lists = CollectionProperty([CollectionProperty([1, 2]), CollectionProperty([3])])
    let predicate = Property { (number: Int) in number > 0 }
    let order = Property { (one: Int, other: Int) in one < other }
    let range = Property(0..<9)

    func change() {
      list.insert(list.count + 10, at: 0)
      ages["\(ages.count)"] = ages.count + 20
      tags.insert(tags.count + 3)
      lists[0].append(4)
    }

    var isObserved: Bool {
      let all: [any ObservableCollection] = [list, ages, tags, other, lists, lists[0], lists[1]]
      return all.contains { $0.isObserved } || predicate.isObserved || order.isObserved
        || range.isObserved
    }
  }

  private static let chains: [Chain] = [
    Chain("filter") { $0.list.filter { $0 > 0 }.signals },
    Chain("filter, sorted, map") { $0.list.filter { $0 > 0 }.sorted().map { -$0 }.signals },
    Chain("filter by") { $0.list.filter(by: $0.predicate).signals },
    Chain("filter whereLatest") { $0.list.filter(whereLatest: { Property($0 > 0) }).signals },
    Chain("sorted by") { $0.list.sorted(by: $0.order).signals },
    Chain("slice by") { $0.list.slice(by: $0.range).signals },
    Chain("distinct, reversed") { $0.list.distinct().reversed().signals },
    Chain("enumerated, prefix") { $0.list.enumerated().prefix(5).signals },
    Chain("grouped") { $0.list.grouped { $0 }.signals },
    Chain("sectioned") { $0.list.sectioned { $0 }.signals },
    Chain("flatMap") { $0.list.flatMap { [$0, $0] }.signals },
    Chain("flattened") { $0.lists.flattened().map { $0 }.signals },
    Chain("flattened of derived") { $0.lists.flatMap { $0.sorted() }.signals },
    Chain("concatenated") { $0.list.map { $0 }.concatenated(with: $0.lists[1]).signals },
    Chain("concatenated with derived") { $0.lists[1].concatenated(with: $0.list.sorted()).signals },
    Chain("keys") { $0.ages.keys.map { $0 }.signals },
    Chain("values") { $0.ages.values.signals },
    Chain("entries") { $0.ages.sortedByKey().signals },
    Chain("mapValues") { $0.ages.mapValues { $0 + 1 }.filter { $0.value > 0 }.signals },
    Chain("filter of keys by") { $0.ages.filter(by: Property { $0.value > 0 }).signals },
    Chain("sum of a dictionary") {
      $0.ages.reduced(0, adding: { $0 + $1.value }, removing: { $0 - $1.value }).signals
    },
    Chain("filter of members whereLatest") {
      $0.tags.filter(whereLatest: { Property($0 > 0) }).signals
    },
    Chain("union") { $0.tags.union($0.other).signals },
    Chain("other union") { $0.other.union($0.tags.filter { $0 > 0 }).signals },
    Chain("symmetricDifference with itself") { $0.tags.union($0.tags).signals },
    Chain("members") { $0.tags.sorted().signals },
    Chain("count") { $0.list.filter { $0 > 0 }.observed.count.signals },
    Chain("first") { $0.list.map { $0 }.observed.first.signals },
    Chain("reduced") { $0.list.map { $0 }.reduced(0, adding: +, removing: -).signals },
  ]

  @Test(arguments: chains)
  func observationKeepsTheChainUntilDisposed(_ chain: Chain) {
    let sources = Sources()
    var count = 0
    let observation = chain.stream(sources).observeNext { count += 1 }
    for expected in 1...5 {
      #expect(count == expected)
      sources.change()
    }
    observation.dispose()
    #expect(!sources.isObserved)
  }

  @Test(arguments: chains)
  func chainEndsWhenItsObserverDisposes(_ chain: Chain) {
    let sources = Sources()
    var count = 0
    let observation = Disposable()
    observation.add(
      chain.stream(sources).observeNext {
        count += 1
        if count == 3 { observation.dispose() }
      })
    for _ in 0..<5 { sources.change() }
    #expect(count == 3 && !sources.isObserved)
  }

  private final class Token {}

  /// This also holds if the observation is retained and not disposed.
  @Test(arguments: chains)
  func chainIsReleasedWithItsSources(_ chain: Chain) {
    weak var captured: Token?
    let observation: Disposable
    do {
      let (sources, token) = (Sources(), Token())
      captured = token
      observation = chain.stream(sources).observeNext { withExtendedLifetime(token) {} }
      sources.change()
    }
    #expect(captured == nil)
    observation.dispose()
  }

  @Test func bindingRetainsItsSource() {
    let source = CollectionProperty([3, 1, 2])
    weak var target: CollectionProperty<[Int]>?
    do {
      let sorted = CollectionProperty<[Int]>()
      target = sorted
      source.filter { $0 > 1 }.sorted().bind(to: sorted)
      source.append(0)
      source.append(9)
      #expect(sorted.value == [2, 3, 9])
    }
    #expect(target == nil)
    #expect(!source.isObserved)
  }

  /// The stream of an element disposes the observation that is being started.
  @Test func conditionMayDisposeTheObservation() {
    let conditions = (0..<6).map { _ in Property(true) }
    let list = CollectionProperty([0, 1])
    let observation = Disposable()
    var asked: [Int] = []
    observation.add(
      list.filter(whereLatest: { number in
        asked.append(number)
        if number == 3 { observation.dispose() }
        return conditions[number].stream
      }).observe { _ in })
    list.append(contentsOf: [2, 3, 4, 5])
    list.append(1)
    #expect(asked == [0, 1, 2, 3])
    #expect(!list.isObserved && conditions.allSatisfy { !$0.isObserved })
  }

  /// An observer of an inner list, notified before the list is inserted, disposes the observation.
  @Test func innerListMayDisposeTheObservation() {
    for isUpdate in [true, false] {
      let (first, second, third) = (
        CollectionProperty([1]), CollectionProperty([9]), CollectionProperty([7])
      )
      let outer = CollectionProperty([first])
      let observation = outer.flattened().observe { _ in }
      second.observe { if $0.changes != nil { observation.dispose() } }
      second.batch {
        second.append(3)
        if isUpdate { outer[0] = second } else { outer.append(contentsOf: [third, second]) }
      }
      #expect(!outer.isObserved && !first.isObserved && !third.isObserved)
    }
  }

  /// A slice that was reset retains nothing of the old list.
  @Test func replacedElementsAreReleased() {
    let list = CollectionProperty([Token()])
    let first = list.prefix(1)
    list.append(Token())
    weak let last = list.last
    list.replace(with: [])
    #expect(last == nil && first.isEmpty)
  }

  @Test func removedKeyIsReleased() {
    final class Key: Hashable {
      static func == (one: Key, other: Key) -> Bool { one === other }

      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    for derive: (CollectionProperty<[Key]>) -> AnyObject in [
      { $0.distinct() }, { $0.grouped { $0 } },
      { list in list.sectioned(by: { $0 }, sortedBy: { _, _ in false }) },
    ] {
      let list = CollectionProperty([Key()])
      let derived = derive(list)
      weak var key: Key?
      do {
        let new = Key()
        key = new
        list.append(new)
      }
      list.removeLast()
      #expect(key == nil)
      withExtendedLifetime(derived) {}
    }
  }

  /// A follower of a stream releases the stream with the list, even if the observation is retained.
  @Test func streamsAreReleasedWithTheSource() {
    let sources = Sources()
    let condition = Property(true)
    weak var element: Token?
    weak var inner: Token?
    let target = CollectionProperty<[Int]>()
    let observation: Disposable
    do {
      let list = CollectionProperty([1, 2])
      let tokens = CollectionProperty([Token()])
      element = tokens[0]
      list.filter(by: sources.predicate).bind(to: target)
      list.sorted(by: sources.order).bind(to: target)
      list.slice(by: sources.range).bind(to: target)
      list.filter(whereLatest: { _ in condition }).bind(to: target)
      let shelves = CollectionProperty([CollectionProperty([Token()])])
      inner = shelves[0][0]
      observation = Disposable()
      observation.add(tokens.filter(whereLatest: { _ in condition }).observe { _ in })
      observation.add(shelves.flattened().observe { _ in })
      #expect(target.value == [1, 2] && condition.isObserved && sources.isObserved)
    }
    #expect(!condition.isObserved && !sources.isObserved && element == nil && inner == nil)
    observation.dispose()
  }

  /// A thread's stack has room for some tens of thousands of nested releases.
  @Test(arguments: ["the last list", "the observation", "the source"])
  func releasingALongChainDoesNotRecurse(_ owner: String) {
    weak var element: Token?
    var source: CollectionProperty<[Token]>? = CollectionProperty([Token()])
    element = source?[0]
    var last: LiveCollection<[Token]>? = source?.live
    for _ in 0..<50_000 { last = last?.map { $0 } }
    var events = 0
    let observation = last?.observe { _ in events += 1 }
    switch owner {
    case "the last list":
      observation?.dispose()
      source = nil
      last = nil
    case "the observation":
      last = nil
      source = nil
      observation?.dispose()
    default:
      last = nil
      source = nil
    }
    #expect(events == 1 && element == nil)
  }

  @Test func releasingOneSourceKeepsTheOthers() {
    let (kept, rest) = (CollectionProperty(Set([1])), CollectionProperty([1]))
    var (counts, lengths): ([Int], [Int]) = ([], [])
    do {
      CollectionProperty(Set([5])).union(kept).observe { counts.append($0.collection.count) }
      CollectionProperty([5, 6]).concatenated(with: rest).observe {
        lengths.append($0.collection.count)
      }
    }
    kept.insert(2)
    rest.append(2)
    #expect(counts == [2, 3] && lengths == [3, 4])
  }
}

extension StreamConvertible where Failure == Never {
  /// Sends an event without its content.
  fileprivate var signals: EventStream<Void, Never> { stream.map { _ in () } }
}

extension ObservableCollection {
  fileprivate var signals: EventStream<Void, Never> { stream.map { _ in () } }
}
