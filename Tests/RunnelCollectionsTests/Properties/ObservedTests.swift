import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ObservedTests {
  /// An element that is not equatable.
  private struct Plain {
    let number: Int
  }

  @Test func propertiesSendDifferingValues() {
    let list = CollectionProperty<[String]>()
    var log: [String] = []
    list.observed.count.observeNext { log.append("count \($0)") }
    list.observed.isEmpty.observeNext { log.append("isEmpty \($0)") }
    list.observed.first.observeNext { log.append("first \($0 ?? "none")") }
    list.observed.last.observeNext { log.append("last \($0 ?? "none")") }
    #expect(log == ["count 0", "isEmpty true", "first none", "last none"])
    log = []
    list.append("a")
    #expect(log == ["count 1", "isEmpty false", "first a", "last a"])
    log = []
    list.append("b")
    list[0] = "a"
    list.insert("x", at: 1)
    list.move(from: 1, to: 0)
    list.batch {
      list.removeLast()
      list.append("b")
    }
    list.replace(with: ["x", "y", "b"])
    list.removeAll()
    #expect(
      log == [
        "count 2", "last b", "count 3", "first x", "count 0", "isEmpty true", "first none",
        "last none",
      ])
    let count = list.observed.count
    list.append("z")
    #expect(count.value == 1 && list.observed.first.value == "z")
  }

  @Test func releasedTargetReceivesNothing() {
    final class Screen {
      var counts: [Int] = []
    }
    let list = CollectionProperty([1, 2, 3])
    weak var derived: LiveCollection<[Int]>?
    var screen: Screen? = Screen()
    do {
      let odd = list.filter { $0 % 2 == 1 }
      derived = odd
      if let screen { odd.observe(weak: screen) { $0.counts.append($1.collection.count) } }
    }
    list.append(5)
    #expect(screen?.counts == [2, 3])
    #expect(list.isObserved)
    screen = nil
    list.append(7)
    #expect(!list.isObserved)
    #expect(derived == nil)
  }

  /// For elements that are not equatable, properties send when their index is affected.
  @Test func unaffectedIndicesSendNothing() {
    let list = CollectionProperty((0..<4).map { Plain(number: $0) })
    var first: [Int?] = []
    var last: [Int?] = []
    list.observed.first.observeNext { first.append($0?.number) }
    list.observed.last.observeNext { last.append($0?.number) }
    list[1] = Plain(number: 9)
    list.move(from: 1, to: 2)
    list.insert(Plain(number: 8), at: 1)
    list.remove(at: 2)
    #expect(first == [0] && last == [3])
    list.move(from: 2, to: 0)
    list.move(from: 0, to: 3)
    #expect(first == [0, 9, 0] && last == [3, 9])
    list.move(from: 3, to: 2)
    (first, last) = ([0], [3])
    list[0] = Plain(number: 5)
    list.append(Plain(number: 6))
    list.move(from: 0, to: 2)
    list.removeLast()
    list.replace(with: [])
    #expect(first == [0, 5, 8, nil])
    #expect(last == [3, 6, 3, nil])
  }

  @Test func dictionariesAndSetsHaveProperties() {
    let ages = CollectionProperty(["Jim": 33])
    let tags = CollectionProperty(Set([1]))
    var log: [String] = []
    ages.observed.count.observeNext { log.append("\($0) keys") }
    ages.observed.isEmpty.observeNext { log.append("no keys: \($0)") }
    tags.observed.count.observeNext { log.append("\($0) members") }
    tags.observed.isEmpty.observeNext { log.append("no members: \($0)") }
    log = []
    ages["Jim"] = 34
    ages["Jim"] = nil
    tags.insert(2)
    tags.removeAll()
    #expect(
      log == ["0 keys", "no keys: true", "2 members", "0 members", "no members: true"])
  }

  @Test func propertyRetainsItsList() {
    let list = CollectionProperty([1, 2, 3])
    let count = list.filter { $0 > 1 }.observed.count
    list.append(4)
    #expect(count.value == 3)
  }
}
