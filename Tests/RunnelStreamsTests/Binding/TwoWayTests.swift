import RunnelStreams
import RunnelTesting
import Testing

@Suite struct TwoWayTests {
  // MARK: Values

  @Test func takesTheValueOfTheOtherPropertyFirst() {
    let editor = Property("draft")
    let note = Property("saved")
    editor.bindTwoWay(to: note)
    #expect(editor.value == "saved")
    #expect(note.value == "saved")
  }

  @Test func changesAreCopiedWithoutAnEcho() {
    let left = Property(1)
    let right = Property(2)
    let seen = (left.record(), right.record())
    left.bindTwoWay(to: right)
    left.value = 3
    right.value = 4
    right.mutate { $0 += 1 }
    #expect(seen.0.elements == [1, 2, 3, 4, 5])
    #expect(seen.1.elements == [2, 3, 4, 5])
  }

  @Test func anEqualValueIsNotCopied() {
    let left = Property(1)
    let right = Property(1)
    let seen = (left.record(), right.record())
    left.bindTwoWay(to: right)
    left.value = 1
    #expect(seen.0.elements == [1, 1])
    #expect(seen.1.elements == [1])
  }

  @Test func aValueUnequalToItselfDoesNotLoop() {
    let left = Property(0.0)
    let right = Property(1.0)
    left.bindTwoWay(to: right)
    let seen = (left.record(), right.record())
    left.value = .nan
    #expect(right.value.isNaN)
    #expect(seen.0.elements.count == 2)
    #expect(seen.1.elements.count == 2)
    right.value = 2
    #expect(left.value == 2)
  }

  @Test func aValueUnequalToItselfIsCopiedOnce() {
    let left = Property([0.0])
    let right = Property([1, Double.nan])
    left.bindTwoWay(to: right)
    #expect(left.value.first == 1)
    let seen = (left.updates.record(), right.updates.record())
    left.value = [2, .nan]
    right.value = [3, .nan]
    left.mutate { $0[0] = 4 }
    right.mutate { $0[0] = 5 }
    left.value = [6, .nan]
    #expect(seen.0.elements.map(\.first) == [2, 3, 4, 5, 6])
    #expect(seen.1.elements.map(\.first) == [2, 3, 4, 5, 6])
    left.value = [7]
    right.value = [8, .nan]
    #expect(seen.0.elements.map(\.first) == [2, 3, 4, 5, 6, 7, 8])
    #expect(seen.1.elements.map(\.first) == [2, 3, 4, 5, 6, 7, 8])
  }

  @Test func aPropertyMayBeBoundToItself() {
    let number = Property(1.0)
    let recorder = number.record()
    number.bindTwoWay(to: number)
    number.value = 2
    number.value = .nan
    #expect(recorder.elements.count == 3)
  }

  // MARK: Disposal

  @Test func disposingEndsBothWays() {
    let left = Property(1)
    let right = Property(1)
    let binding = left.bindTwoWay(to: right)
    binding.dispose()
    left.value = 2
    #expect(right.value == 1)
    right.value = 3
    #expect(left.value == 2)
    #expect(!left.isObserved && !right.isObserved)
  }

  @Test func releasingTheFirstPropertyEndsTheBinding() {
    var left: Property<Int>? = Property(1)
    weak let held = left
    let right = Property(1)
    let binding = left!.bindTwoWay(to: right)
    left = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!right.isObserved)
  }

  @Test func releasingTheSecondPropertyEndsTheBinding() {
    let left = Property(1)
    var right: Property<Int>? = Property(1)
    weak let held = right
    let binding = left.bindTwoWay(to: right!)
    right = nil
    #expect(held == nil)
    #expect(binding.isDisposed)
    #expect(!left.isObserved)
  }

  @Test func countsAsOneBinding() {
    let line: UInt = #line + 4
    let names = Resources.tracking { resources in
      let left = Property(1)
      let right = Property(1)
      let binding = left.bindTwoWay(to: right)
      defer { binding.dispose() }
      return resources.names
    }
    #expect(names.count == 3)
    #expect(names.last == "EventStream<Int, Never> at RunnelStreamsTests/TwoWayTests.swift:\(line)")
  }

  // MARK: Reentrancy

  @Test(arguments: [true, false])
  func theLaterOfTwoConflictingChangesWins(theObserverComesFirst: Bool) {
    for change in [("right", 5, 7), ("left", 5, 7), ("right", 7, 5), ("left", 7, 5)] {
      let left = Property(0)
      let right = Property(0)
      let interfere = {
        left.observeNext {
          guard $0 == 1 else { return }
          let (first, second) = change.0 == "right" ? (right, left) : (left, right)
          first.value = change.1
          second.value = change.2
        }
      }
      if theObserverComesFirst { _ = interfere() }
      left.bindTwoWay(to: right)
      if !theObserverComesFirst { _ = interfere() }
      left.value = 1
      #expect(left.value == change.2)
      #expect(right.value == change.2)
      #expect(left.record().elements == right.record().elements)
    }
  }

  @Test func changesWhileBothDeliverEndEqual() {
    let left = Property(0)
    let right = Property(0)
    right.observeNext {
      guard $0 == 1 else { return }
      right.value = 3
      left.value = 2
    }
    left.bindTwoWay(to: right)
    let seen = (left.record(), right.record())
    left.value = 1
    #expect(left.value == right.value)
    #expect(seen.0.elements.last == left.value)
    #expect(seen.1.elements.last == right.value)
  }

  @Test func aRingOfThreeSendsEachChangeOnce() {
    let ring = [Property(1), Property(2), Property(3)]
    bind(ring)
    #expect(Set(ring.map(\.value)).count == 1)
    for (index, property) in ring.enumerated() {
      let recorders = ring.map { $0.updates.record() }
      property.value = 10 + index
      #expect(recorders.map(\.elements) == Array(repeating: [10 + index], count: 3))
    }
  }

  @Test func aRingConvergesOnValuesUnequalToThemselves() {
    let ring = [Property(1.0), Property(2.0), Property(3.0)]
    bind(ring)
    ring[1].value = .nan
    #expect(ring.allSatisfy { $0.value.isNaN })
  }

  @Test func aRingConvergesWhateverItsObserversDo() {
    expectConvergence({ $0 }, number: { $0 })
  }

  @Test func aRingOfUnequalValuesConverges() {
    struct Unequal: Equatable {
      let number: Int
      static func == (_: Unequal, _: Unequal) -> Bool { false }
    }
    expectConvergence(Unequal.init, number: \.number)
  }

  private func expectConvergence<Value: Equatable>(
    _ make: @escaping (Int) -> Value, number: (Value) -> Int
  ) {
    for seed in UInt64(0)..<300 {
      var random = SeededGenerator(seed: seed)
      let ring = [Property(make(0)), Property(make(0)), Property(make(0))]
      var budget = 12
      var events = 0
      var bindings: [Disposable] = []
      func interfere(_ property: Property<Value>) {
        property.updates.observeNext { _ in
          events += 1
          if events > 2000 { for binding in bindings { binding.dispose() } }
          guard budget > 0, Bool.random(using: &random) else { return }
          for _ in 0..<Int.random(in: 1...2, using: &random) {
            budget -= 1
            ring.randomElement(using: &random)?.value = make(Int.random(in: 1...5, using: &random))
          }
        }
      }
      if Bool.random(using: &random) { ring.forEach(interfere) }
      bindings = bind(ring)
      ring.forEach(interfere)
      let recorders = ring.map { $0.record() }
      ring[0].value = make(9)
      ring[2].value = make(8)
      let values = ring.map { number($0.value) }
      #expect(Set(values).count == 1, "seed \(seed): \(values)")
      #expect(events < 2000, "seed \(seed): the ring does not converge")
      #expect(recorders.map { $0.elements.last.map(number) } == values, "seed \(seed)")
    }
  }

  @discardableResult
  private func bind<Value: Equatable>(_ ring: [Property<Value>]) -> [Disposable] {
    [
      ring[0].bindTwoWay(to: ring[1]), ring[1].bindTwoWay(to: ring[2]),
      ring[2].bindTwoWay(to: ring[0]),
    ]
  }
}
