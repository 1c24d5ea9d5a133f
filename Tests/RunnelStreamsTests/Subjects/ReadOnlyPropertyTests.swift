import RunnelStreams
import RunnelTesting
import Testing

@Suite struct ReadOnlyPropertyTests {
  // MARK: Values

  @Test func isAViewOfAProperty() {
    let number = Property(1)
    let view = number.readOnly
    let recorder = view.record()
    number.value = 2
    #expect(view.value == 2)
    #expect(recorder.events == [.next(1), .next(2)])
  }

  @Test func mapsValueAndChanges() {
    let name = Property("jim")
    let title = name.map { $0.uppercased() }
    let length = title.map { $0.count }
    let recorder = length.record()
    #expect(title.value == "JIM")
    name.value = "james"
    #expect(title.value == "JAMES")
    #expect(length.value == 5)
    #expect(recorder.events == [.next(3), .next(5)])
  }

  @Test func computesTheValueForEachReaderAndObserver() {
    var calls = 0
    let number = Property(1)
    let doubled = number.map { value in
      calls += 1
      return value * 2
    }
    #expect(calls == 0)
    #expect(doubled.value + doubled.value == 4)
    #expect(calls == 2)
    let recorders = [doubled.record(), doubled.record()]
    #expect(calls == 4)
    number.value = 2
    #expect(calls == 6)
    #expect(recorders.map(\.elements) == [[2, 4], [2, 4]])
  }

  @Test func aConstantHasAValueAndNoEnd() {
    let one = ReadOnlyProperty(constant: 1)
    let recorder = one.map { $0 + 1 }.record()
    #expect(one.value == 1)
    #expect(recorder.events == [.next(2)])
  }

  @Test func acceptsStreamOperators() {
    let number = Property(1)
    let recorder = number.readOnly.filter { $0 > 1 }.map { "\($0)" }.record()
    number.value = 2
    #expect(recorder.elements == ["2"])
  }

  // MARK: Combining

  @Test func combinesAnyNumber() {
    let first = Property(1)
    let second = Property("a")
    let both = ReadOnlyProperty.combine(first.readOnly, second.readOnly)
    let recorder = both.map { "\($0)\($1)" }.record()
    #expect(both.value == (1, "a"))
    first.value = 2
    second.value = "b"
    #expect(both.value == (2, "b"))
    #expect(recorder.elements == ["1a", "2a", "2b"])
    let four = ReadOnlyProperty.combine(
      first.readOnly, second.readOnly, ReadOnlyProperty(constant: true), first.map { -$0 })
    #expect(four.value == (2, "b", true, -2))
  }

  /// As with `combineLatest`, two values derived from one source change in two steps.
  @Test func aDiamondSendsTwoStepsAndReadsOne() {
    let number = Property(1)
    let both = ReadOnlyProperty.combine(number.map { $0 * 10 }, number.map { $0 * 100 })
    var seen: [String] = []
    var read: [String] = []
    both.observeNext {
      seen.append("\($0) \($1)")
      read.append("\(both.value.0) \(both.value.1)")
    }
    number.value = 2
    #expect(seen == ["10 100", "20 100", "20 200"])
    #expect(read == ["10 100", "20 200", "20 200"])
  }

  // MARK: Disposal

  @Test func observesItsSourcesOnlyWhileItIsObserved() {
    let first = Property(1)
    let second = Property(2)
    let both = ReadOnlyProperty.combine(first.readOnly, second.map { $0 })
    #expect(!first.isObserved && !second.isObserved)
    let recorder = both.map { $0 + $1 }.record()
    #expect(first.isObserved && second.isObserved)
    recorder.dispose()
    #expect(!first.isObserved && !second.isObserved)
  }

  @Test func retainsItsSource() {
    var number: Property<Int>? = Property(1)
    weak let held = number
    do {
      let doubled = number!.map { $0 * 2 }
      number = nil
      #expect(doubled.value == 2)
    }
    #expect(held == nil)
  }

  // MARK: Reentrancy

  @Test func aSourceSetDuringDeliveryIsReadAtOnce() {
    let number = Property(1)
    let doubled = number.map { $0 * 2 }
    var seen: [[Int]] = []
    doubled.observeNext {
      if $0 == 4 { number.value = 3 }
      seen.append([$0, doubled.value])
    }
    number.value = 2
    #expect(seen == [[2, 2], [4, 6], [6, 6]])
  }

  @Test func aDiamondSetDuringDeliveryEndsConsistent() {
    let number = Property(1)
    let both = ReadOnlyProperty.combine(number.readOnly, number.map { -$0 })
    var seen: [[Int]] = []
    both.observeNext {
      seen.append([$0, $1])
      if $0 == 2 && $1 == -1 { number.value = 3 }
    }
    number.value = 2
    #expect(seen == [[1, -1], [2, -1], [2, -2], [3, -2], [3, -3]])
  }
}
