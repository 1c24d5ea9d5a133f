import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Edits of an unobserved collection. Their changes are discarded.
@Suite struct UnobservedTests {
  /// An element that edits its list in `deinit`.
  private final class Trace {
    private let number: Int
    private let list: CollectionProperty<[Int]>

    init(_ number: Int, in list: CollectionProperty<[Int]>) {
      self.number = number
      self.list = list
    }

    deinit { list.append(number) }
  }

  /// Observers are added and removed, between batches and during them.
  @Test(arguments: seeds(7)) func observersMayBeAddedAndRemovedAnyTime(_ seed: Int) {
    var edits = RandomEdits(seed: UInt64(seed))
    let source = CollectionProperty<[Item]>()
    let sorted = source.filter { $0.value % 3 != 0 }.sorted { $0.value < $1.value }
    let mapped = sorted.map(\.number)
    var validators: [(ofSource: ListValidator<Item>?, ofSorted: ListValidator<Item>?)] = []
    var ofMapped: ListValidator<Int>?
    func comeOrGo() {
      switch edits.number(below: 12) {
      case 0: validators.append((ListValidator(source), nil))
      case 1: validators.append((nil, ListValidator(sorted)))
      case 2: ofMapped = ListValidator(mapped)
      case 3...5 where !validators.isEmpty: validators.removeLast()
      case 6: ofMapped = nil
      case 7: (validators, ofMapped) = ([], nil)
      default: break
      }
    }
    for number in 0..<400 {
      comeOrGo()
      source.batch {
        edits.batch(on: source, longest: number % 50 == 0 ? 200 : 12)
        comeOrGo()
        edits.batch(on: source, longest: 12)
      }
      let expected = source.filter { $0.value % 3 != 0 }.value.sorted { $0.value < $1.value }
      #expect(Array(sorted.value) == expected, "seed \(seed), batch \(number)")
      #expect(Array(mapped.value) == expected.map(\.number), "seed \(seed), batch \(number)")
      let problems =
        validators.flatMap { ($0.ofSource?.problems ?? []) + ($0.ofSorted?.problems ?? []) }
        + (ofMapped?.problems ?? [])
      #expect(problems == [], "seed \(seed), batch \(number)")
      if !problems.isEmpty { return }
    }
  }

  @Test func unobservedChangesAreNotRetained() {
    final class Token {}
    let list = CollectionProperty([Token(), Token()])
    weak var updated: Token?
    do {
      let token = Token()
      updated = token
      list[0] = token
    }
    list.remove(at: 0)
    #expect(updated == nil)
    let numbers = CollectionProperty<[Int]>()
    let tokens = numbers.map { _ in Token() }
    numbers.append(contentsOf: 0..<20)
    weak let inserted = tokens[0]
    numbers.remove(at: 0)
    #expect(inserted == nil)
  }

  /// An observer that is added during a batch does not receive its earlier changes.
  @Test func lateObserverStartsFromCurrentElements() {
    let list = CollectionProperty([3, 1, 2])
    let sorted = list.sorted()
    list.append(0)
    list.batch {
      list.remove(at: 0)
      list.insert(contentsOf: [5, 4], at: 1)
    }
    list.replace(with: [9, 7, 8])
    let (ofList, ofSorted) = (ChangeLog(list), ChangeLog(sorted))
    list.append(1)
    #expect(ofList.lines == ["+[3] -[] u[] m[] [9, 7, 8, 1]"])
    #expect(ofSorted.lines == ["+[0] -[] u[] m[] [1, 7, 8, 9]"])
  }

  /// Removed elements are released at the end of the edit or batch, and may make another edit.
  @Test func releasedElementMayEditAnotherList() {
    let list = CollectionProperty<[Int]>()
    let traces = CollectionProperty([Trace(1, in: list), Trace(2, in: list), Trace(3, in: list)])
    let kept = traces.filter { _ in true }
    traces.removeFirst()
    #expect(Array(list) == [1])
    traces.batch {
      traces.removeAll()
      #expect(Array(list) == [1])
    }
    #expect(Array(list).sorted() == [1, 2, 3])
    #expect(kept.isEmpty)
  }

  /// The same for an edit of the list that the element was removed from.
  @Test func releasedElementMayEditItsOwnList() {
    final class Phoenix {
      weak var list: CollectionProperty<[Phoenix?]>?
      init(_ list: CollectionProperty<[Phoenix?]>) { self.list = list }
      deinit { list?.append(nil) }
    }
    let list = CollectionProperty<[Phoenix?]>()
    let copy = list.map { $0 }
    for _ in 0..<4 { list.append(Phoenix(list)) }
    list.remove(at: 0)
    list[0] = nil
    #expect(list.count == 5)
    list.batch { list.removeAll() }
    #expect(list.count == 2 && list.allSatisfy { $0 == nil })
    #expect(copy.count == 2)
    let validator = ChangeLog(list)
    list.append(nil)
    #expect(validator.lines.count == 1)
  }

  /// Elements of the old list are released after the reset was delivered.
  @Test func elementReleasedByAResetMayEditTheList() {
    final class Phoenix: Equatable {
      let rise: () -> Void
      init(_ rise: @escaping () -> Void) { self.rise = rise }
      deinit { rise() }
      static func == (left: Phoenix, right: Phoenix) -> Bool { left === right }
    }
    let values = CollectionProperty<[String: Phoenix?]>()
    let validator = CollectionValidator(values)
    var counts: [Int] = []
    values.observe { counts.append($0.changes == nil ? $0.collection.count : -1) }
    let copy = CollectionProperty<[String: Phoenix?]>()
    values.bind(to: copy)
    values.batch {
      values.replace(with: ["p": Phoenix { values["x"] = .some(nil) }])
      values["p"] = nil
    }
    let list = CollectionProperty<[Phoenix?]>()
    let ofList = ListValidator(list)
    list.batch {
      list.replace(with: [Phoenix { list.append(nil) }, nil])
      list.remove(at: 0)
    }
    // The initial event, the reset, and the change after it.
    #expect(counts == [0, 0, -1])
    #expect(values.count == 1 && copy.count == 1)
    #expect(list.count == 2 && ofList.elements.count == 2)
    #expect(validator.problems == [] && ofList.problems == [])
  }

  @Test func unobservedDictionariesAndSetsKeepNoChanges() {
    let ages = CollectionProperty(["Jim": 33])
    let tags = CollectionProperty<Set<String>>(["a"])
    let oldest = ages.sorted { $0.value > $1.value }
    ages["Bones"] = 39
    ages.batch {
      ages["Jim"] = nil
      ages["Spock"] = 35
    }
    tags.insert("b")
    tags.remove("a")
    var log: [String] = []
    ages.observe { log.append("\($0.change)") }
    tags.observe { log.append("\($0.change)") }
    #expect(oldest.map(\.key).value.elementsEqual(["Bones", "Spock"]))
    #expect(log == ["initial", "initial"])
    ages["Spock"] = nil
    tags.insert("c")
    #expect(log.count == 4)
    #expect(ages.live.value == ["Bones": 39] && tags.live.value == ["b", "c"])
  }
}
