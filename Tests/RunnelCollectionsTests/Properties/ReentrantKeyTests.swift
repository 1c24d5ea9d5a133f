import RunnelCollections
import RunnelStreams
import RunnelTesting
import Testing

/// Keys and values that read or change their collection in `==`, `hash(into:)` or `deinit`.
struct ReentrantKeyTests {
  /// A comparison that reads the collection during an insertion finds it empty.
  @Test func equalityMayReadItsCollection() {
    let asking = Asking()
    let ages = CollectionProperty<[Asking.Key: Int]>()
    let tags = CollectionProperty<Set<Asking.Key>>()
    var count = 0
    var copies: [SharedDictionary<Asking.Key, Int>] = []
    asking.action = {
      count += Array(ages.value).count + Array(tags.value).count
      if copies.count < 20 { copies.append(ages.value) }
    }
    for _ in 0..<2 {
      for number in 0..<9 {
        ages[Asking.Key(number: number, asking: asking)] = number
        tags.insert(Asking.Key(number: number, asking: asking))
      }
    }
    #expect(ages.count == 9 && tags.count == 9)
    for number in 0..<9 { ages[Asking.Key(number: number, asking: asking)] = nil }
    #expect(ages.isEmpty && Array(ages).isEmpty && count > 0)
    // The copies that were made then can be changed.
    asking.action = {}
    for index in copies.indices {
      copies[index][Asking.Key(number: 20, asking: asking)] = 20
      #expect(copies[index].count == Array(copies[index]).count)
    }
  }

  /// An observer that is added during a comparison receives an event when the edit ends.
  @Test func equalityMayObserveItsCollection() {
    let asking = Asking()
    let ages = CollectionProperty([Asking.Key(number: 0, asking: asking): 0])
    let tags = CollectionProperty(Set([Asking.Key(number: 0, asking: asking)]))
    let observers = Observers()
    asking.action = {
      asking.action = {}
      observers.ages = CollectionValidator(ages)
      observers.names = CollectionValidator(ages.mapValues { -$0 })
      observers.tags = CollectionValidator(tags)
      observers.odd = CollectionValidator(tags.filter { $0.number % 2 == 1 })
    }
    func add(_ number: Int) {
      ages[Asking.Key(number: number, asking: asking)] = number
      tags.insert(Asking.Key(number: number, asking: asking))
    }
    for number in 1..<4 { add(number) }
    let names = observers.names?.elements
    #expect(observers.ages?.elements == ages.value && observers.tags?.elements == tags.value)
    #expect(names?.count == 4 && names?.allSatisfy { $0.key.number == -$0.value } == true)
    #expect(observers.odd?.elements.count == 2)
    #expect(
      (observers.ages?.problems ?? []) + (observers.names?.problems ?? [])
        + (observers.tags?.problems ?? []) + (observers.odd?.problems ?? []) == [])
  }

  /// This includes derived collections, while they handle a change.
  @Test func hashMayObserveDerivedCollections() {
    for count in 0..<40 {
      let asking = Asking()
      func key(_ number: Int) -> Asking.Key { Asking.Key(number: number, asking: asking) }
      let ages = CollectionProperty([key(0): 0])
      let tags = CollectionProperty(Set([key(0)]))
      let condition = Property(true)
      let (names, even) = (
        ages.mapValues { -$0 }, ages.filter(whereLatest: { _ in condition })
      )
      let all = tags.union(ages.keys)
      var problems: [() -> [String]] = []
      func observe() {
        let validators = (
          CollectionValidator(names), CollectionValidator(even), CollectionValidator(all)
        )
        problems.append {
          validators.0.problems + validators.1.problems + validators.2.problems
            + (validators.0.elements == names.value ? [] : ["names"])
            + (validators.1.elements == even.value ? [] : ["even"])
            + (validators.2.elements == all.value ? [] : ["all"])
        }
      }
      var rest = count
      asking.action = {
        rest -= 1
        if rest < 0 {
          asking.action = {}
          observe()
        }
      }
      ages[key(1)] = 1
      ages[key(1)] = 2
      tags.insert(key(2))
      ages[key(0)] = nil
      asking.action = {}
      tags.remove(key(0))
      #expect(problems.flatMap { $0() } == [], "\(count)")
      #expect(names.value == [key(1): -2] && all.value == [key(1), key(2)], "\(count)")
    }
  }

  /// Removed values may make other edits in `deinit`.
  @Test func removedValuesMayEditTheirCollection() {
    let edits: [(String, (CollectionProperty<[Int: Leaving]>) -> Void)] = [
      ("another one", { $0.replace(with: [:]) }),
      ("nil", { $0[1] = nil }),
      ("another value", { $0[1] = Leaving {} }),
      ("removeAll", { $0.removeAll() }),
      ("merge", { $0.merge([1: Leaving {}]) { _, new in new } }),
      ("removeValue", { $0.removeValue(forKey: 1) }),
      ("popFirst", { while $0.popFirst() != nil {} }),
    ]
    for (name, edit) in edits {
      for isInBatch in [false, true] {
        let things = CollectionProperty<[Int: Leaving]>()
        let validator = CollectionValidator(things.mapValues { _ in 0 })
        func add() { things[1] = Leaving { [weak things] in things?[2] = Leaving {} } }
        if isInBatch {
          things.batch {
            add()
            edit(things)
          }
        } else {
          add()
          edit(things)
        }
        things[3] = Leaving {}
        things[3] = nil
        #expect(things.value.contains(key: 2) || name == "removeAll" || name == "popFirst")
        #expect(validator.problems == [] && things.count == Array(things).count, "\(name)")
      }
    }
    let set = CollectionProperty<Set<Leaving>>()
    set.batch {
      set.insert(Leaving { [weak set] in set?.insert(Leaving {}) })
      set.subtract(Array(set.value))
    }
    set.insert(Leaving { [weak set] in set?.insert(Leaving {}) })
    set.replace(with: [])
    #expect(set.count == Array(set).count)
  }

  /// A replacement with a diff overwrites such edits.
  @Test func equalityOfValuesMayEditDuringADiff() {
    let asking = Asking()
    func key(_ number: Int) -> Asking.Key { Asking.Key(number: number, asking: asking) }
    let ages = CollectionProperty(["Jim": key(1), "Bones": key(2)])
    asking.action = { ages["Bones"] = Asking.Key(number: 9, asking: Asking()) }
    ages.replace(with: ["Jim": key(1), "Bones": key(2)], performDiff: true)
    #expect(ages["Bones"]?.number == 2)
    let library = CollectionProperty(sections: [ListSection("A", [key(1)])])
    asking.action = {
      if library.count == 1 { library.insert(ListSection("B", [key(7)]), at: 0) }
    }
    library.replace(with: [ListSection("A", [key(1)])], performDiff: true)
    #expect(library.value.map(\.header) == ["A"])
  }

  /// A key that runs an action in `deinit`.
  private final class Leaving: Hashable {
    let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    deinit { action() }

    static func == (left: Leaving, right: Leaving) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  private final class Observers {
    var ages: CollectionValidator<[Asking.Key: Int]>?
    var names: CollectionValidator<[Asking.Key: Int]>?
    var tags: CollectionValidator<Set<Asking.Key>>?
    var odd: CollectionValidator<Set<Asking.Key>>?
  }

  @Test func equalityThatEditsItsCollectionTraps() async {
    await #expect(processExitsWith: .failure) {
      let asking = Asking()
      let ages = CollectionProperty([Asking.Key(number: 0, asking: asking): 0])
      asking.action = { ages.removeAll() }
      ages[Asking.Key(number: 1, asking: asking)] = 1
    }
    await #expect(processExitsWith: .failure) {
      let asking = Asking()
      let tags = CollectionProperty(Set([Asking.Key(number: 0, asking: asking)]))
      asking.action = { tags.remove(Asking.Key(number: 2, asking: Asking())) }
      tags.insert(Asking.Key(number: 1, asking: asking))
    }
  }
}

/// An action that keys run when they are compared.
private final class Asking {
  struct Key: Hashable {
    let number: Int
    let asking: Asking

    static func == (left: Key, right: Key) -> Bool {
      left.asking.action()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { asking.action() }
  }

  var action: () -> Void = {}
}
