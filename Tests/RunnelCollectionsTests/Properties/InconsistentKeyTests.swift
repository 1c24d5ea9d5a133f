import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Keys with an inconsistent `==` or hash.
struct InconsistentKeyTests {
  /// The keys are distinguished by their hashes.
  @Test(arguments: seeds(5))
  func equalKeysWithDifferentHashesAreDistinct(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let inconsistent = CollectionProperty<[AllEqual: Int]>()
    let consistent = CollectionProperty<[Int: Int]>()
    let validators = [
      CollectionValidator(inconsistent), CollectionValidator(inconsistent.mapValues { $0 + 1 }),
      CollectionValidator(inconsistent.filter { $0.value % 2 == 0 }),
    ]
    let keys = CollectionValidator(inconsistent.keys)
    let entries = ListValidator(inconsistent.entries.map { $0.key.number * 1_000 + $0.value })
    let sorted = inconsistent.sorted { $0.key.number < $1.key.number }
    for batch in 0..<200 {
      var operations: [(key: Int, value: Int?)] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        let value = Int.random(in: 0..<100, using: &random)
        operations.append((.random(in: 0..<60, using: &random), value < 40 ? nil : value))
      }
      let clears = Int.random(in: 0..<50, using: &random) == 0
      inconsistent.batch {
        if clears { inconsistent.removeAll() }
        for (key, value) in operations { inconsistent[AllEqual(number: key)] = value }
      }
      consistent.batch {
        if clears { consistent.removeAll() }
        for (key, value) in operations { consistent[key] = value }
      }
      let expected = consistent.sortedByKey().value.map { "\($0)" }
      let comment: Comment = "seed \(seed), batch \(batch)"
      #expect(sorted.value.map { "\(($0.key.number, $0.value))" } == expected.map(plain), comment)
      #expect(
        keys.elements.count == consistent.count && entries.elements.count == consistent.count,
        comment)
    }
    #expect(validators.flatMap(\.problems) == [] && keys.problems == [] && entries.problems == [])
  }

  /// Removes the labels from the description of an entry.
  private func plain(_ entry: String) -> String {
    entry.replacing("key: ", with: "").replacing("value: ", with: "")
  }

  @Test(arguments: seeds(5))
  func equalMembersWithDifferentHashesAreDistinct(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let one = CollectionProperty<Set<AllEqual>>()
    let other = CollectionProperty<Set<AllEqual>>()
    let derived = [
      one.live, one.union(other), one.intersection(other), one.subtracting(other),
      one.symmetricDifference(other), one.filter { $0.number % 2 == 0 },
    ]
    let validators = derived.map { CollectionValidator($0) }
    let numbers = ListValidator(one.map { $0.number })
    func some() -> Set<Int> {
      Set(
        (0..<Int.random(in: 0..<20, using: &random)).map { _ in .random(in: 0..<40, using: &random)
        })
    }
    var models: [Set<Int>] = [[], []]
    for batch in 0..<200 {
      for (index, set) in [one, other].enumerated() {
        let (members, kind) = (some(), Int.random(in: 0..<5, using: &random))
        let inconsistent = members.map { AllEqual(number: $0) }
        switch kind {
        case 0:
          set.subtract(inconsistent)
          models[index].subtract(members)
        case 1:
          set.formIntersection(inconsistent)
          models[index].formIntersection(members)
        case 2:
          set.replace(with: inconsistent, performDiff: true)
          models[index] = members
        case 3:
          set.formSymmetricDifference(inconsistent)
          models[index].formSymmetricDifference(members)
        default:
          set.formUnion(inconsistent)
          models[index].formUnion(members)
        }
      }
      let (a, b) = (models[0], models[1])
      let expected = [
        a, a.union(b), a.intersection(b), a.subtracting(b), a.symmetricDifference(b),
        a.filter { $0 % 2 == 0 },
      ]
      let comment: Comment = "seed \(seed), batch \(batch)"
      #expect(derived.map { Set($0.value.map(\.number)) } == expected, comment)
      #expect(Set(numbers.elements) == a && numbers.elements.count == a.count, comment)
    }
    #expect(validators.flatMap(\.problems) == [] && numbers.problems == [])
  }

  /// A key that is not equal to itself can be inserted, and removed with all others.
  @Test func removeAllRemovesKeysUnequalToThemselves() {
    let set = CollectionProperty<Set<Double>>([1, 2])
    let ages = CollectionProperty<[Double: Int]>([1: 1])
    let lists = [set.map { $0 }, ages.keys.map { $0 }, ages.entries.map { $0.key }]
    let large = set.filter { !($0 < 2) }
    var changes: [SetChanges<Double>?] = []
    set.observe { changes.append($0.changes) }
    func fill() {
      for _ in 0..<3 {
        set.insert(.nan)
        ages[.nan] = 1
      }
      ages[.nan] = nil
      set.remove(.nan)
    }
    fill()
    #expect(set.count == 5 && ages.count == 4 && large.count == 4)
    #expect(lists.map { $0.count } == [5, 4, 4])
    #expect(changes.dropFirst().allSatisfy { $0?.extent == 1 } && changes.count == 4)
    set.removeAll()
    ages.removeAll()
    #expect(set.isEmpty && ages.isEmpty && large.isEmpty && lists.allSatisfy { $0.isEmpty })
    #expect(changes.count == 5 && changes[4] == nil)
    fill()
    set.formIntersection([1, .nan])
    ages.replace(with: [2: 2], performDiff: true)
    #expect(set.isEmpty && large.isEmpty && ages.value == [2: 2])
    #expect(lists.map { $0.count } == [0, 1, 1])
    fill()
    set.replace(with: [7], performDiff: true)
    #expect(set.value == [7] && large.value == [7] && lists[0].value == [7])
    set.batch {
      set.insert(.nan)
      set.removeAll()
      set.insert(8)
    }
    #expect(set.value == [8] && large.value == [8] && lists[0].value == [8])
    let isIn = Property(true)
    let found = set.filter(whereLatest: { _ in isIn })
    let kept = ages.filter(by: isIn.map { isIn in { _ in isIn } })
    fill()
    for _ in 0..<3 {
      isIn.value.toggle()
      #expect(found.count == (isIn.value ? set.count : 0))
      #expect(kept.count == (isIn.value ? ages.count : 0))
    }
    let filtered = SharedSet<Double>([.nan, 1, 2]).filter { $0 > 1 }
    #expect(filtered == [2])
  }

  /// The content is unpredictable then, but all collections agree on the count.
  @Test(arguments: seeds(7))
  func randomEqualityIsTolerated(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let mood = RandomEquality.Mood(seed: seed)
    func key() -> RandomEquality {
      RandomEquality(number: .random(in: 0..<9, using: &random), mood: mood)
    }
    let ages = CollectionProperty<[RandomEquality: Int]>()
    let set = CollectionProperty<Set<RandomEquality>>()
    let other = CollectionProperty<Set<RandomEquality>>()
    let all: [any ObservableCollection] = [
      ages, set, other,
      ages.keys, ages.entries, ages.values, ages.mapValues { $0 }, set.map { $0 },
      ages.filter { $0.value < 5 }, set.filter { $0.number < 5 }, set.union(other),
      set.intersection(other),
      set.subtracting(other), set.symmetricDifference(set), set.sorted { $0.number < $1.number },
    ]
    for _ in 0..<100 {
      ages.batch {
        for _ in 0..<Int.random(in: 0..<20, using: &random) {
          ages[key()] = Bool.random(using: &random) ? 1 : nil
        }
      }
      set.formUnion((0..<Int.random(in: 0..<9, using: &random)).map { _ in key() })
      other.formSymmetricDifference([key(), key(), key()])
      set.subtract((0..<Int.random(in: 0..<9, using: &random)).map { _ in key() })
      switch Int.random(in: 0..<20, using: &random) {
      case 0: ages.removeAll()
      case 1: set.removeAll()
      case 2: set.replace(with: [key(), key()], performDiff: true)
      case 3: set.formIntersection([key(), key()])
      case 4: ages.merge([(key(), 1), (key(), 2)]) { $0 + $1 }
      default: break
      }
      #expect(all.allSatisfy { isCountRight($0) }, "seed \(seed)")
    }
    for _ in 0..<2 {
      ages.removeAll()
      set.removeAll()
      other.removeAll()
      #expect(all[0..<3].allSatisfy { $0.isEmpty }, "seed \(seed)")
      ages.replace(with: [key(): 1])
      set.replace(with: [key()])
      other.replace(with: [key()])
      #expect(all[0..<8].allSatisfy { $0.count == 1 }, "seed \(seed)")
    }
  }

  /// A key whose hash has changed is not found. It is removed with all others.
  @Test func removeAllRemovesMutatedKeys() {
    let key = Changing(1)
    let ages = CollectionProperty([key: 1])
    let tags = CollectionProperty(Set([key]))
    let all: [any ObservableCollection] = [
      ages, ages.mapValues { $0 }, ages.entries, ages.keys, tags, tags.filter { _ in true },
      tags.map { $0 },
    ]
    key.number = 5
    #expect(ages[key] == nil && !tags.contains(key))
    ages.replace(with: [key: 1], performDiff: true)
    tags.replace(with: [key], performDiff: true)
    #expect(all.allSatisfy { $0.count == 1 })
    key.number = 7
    ages.removeAll()
    tags.removeAll()
    #expect(all.allSatisfy { $0.isEmpty })
  }

  /// Equal keys keep the instance that was inserted first.
  @Test func equalKeysKeepTheFirstInstance() {
    let ages = CollectionProperty([Name("Jim"): 1])
    let capital = ages.filter { $0.key.text == "Jim" }
    let names = ages.entries.map { "\($0.key.text) \($0.value)" }
    ages[Name("jim")] = 2
    #expect(capital.count == 1 && names.value == ["Jim 2"])
    ages.batch {
      ages[Name("JIM")] = nil
      ages[Name("jIM")] = 3
    }
    #expect(ages.value.map { $0.key.text } == ["Jim"])
    // After a reset, no earlier instance is restored.
    let crew = CollectionProperty(Set([Name("Jim")]))
    crew.batch {
      crew.remove(Name("jim"))
      crew.replace(with: [])
      crew.insert(Name("jIm"))
    }
    ages.batch {
      ages[Name("Jim")] = nil
      ages.replace(with: [:])
      ages[Name("jIM")] = 3
    }
    #expect(crew.value.map(\.text) == ["jIm"] && ages.value.map { $0.key.text } == ["jIM"])
    ages.replace(with: [Name("Jim"): 3])
    #expect(capital.count == 1 && names.value == ["Jim 3"])
  }

  private func isCountRight(_ collection: any ObservableCollection) -> Bool {
    func count(_ collection: some ObservableCollection) -> Int { Array(collection).count }
    return collection.count == count(collection)
  }
}

/// A key that is equal to all others and usually has a distinct hash.
private struct AllEqual: Hashable {
  let number: Int

  static func == (left: AllEqual, right: AllEqual) -> Bool { true }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A key with a random `==`.
private struct RandomEquality: Hashable {
  final class Mood {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }
  }

  let number: Int
  let mood: Mood

  static func == (left: RandomEquality, right: RandomEquality) -> Bool {
    Bool.random(using: &left.mood.random)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A key that can be mutated.
private final class Changing: Hashable {
  var number: Int

  init(_ number: Int) { self.number = number }

  static func == (left: Changing, right: Changing) -> Bool { left.number == right.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A name that is compared without case.
private struct Name: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: Name, right: Name) -> Bool {
    left.text.lowercased() == right.text.lowercased()
  }

  func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }
}
