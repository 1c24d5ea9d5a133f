import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct CombineLatestTests {
  private let a = Subject<Int, ContractFailure>()
  private let b = Subject<String, ContractFailure>()

  private var pairs: EventStream<String, ContractFailure> {
    EventStream.combineLatest(a.stream, b.stream).map { number, letter in "\(number)\(letter)" }
  }

  @Test func sendsTheLatestOfAllOnEachElement() {
    let recorder = pairs.record()
    a.next(1)
    #expect(recorder.events.isEmpty)
    b.next("x")
    a.next(2)
    b.next("y")
    #expect(recorder.elements == ["1x", "2x", "2y"])
  }

  /// The compiler cannot access elements of a tuple that it knows only as a parameter pack.
  @Test func elementsOfThreeAndFourHaveIndexes() {
    let (one, two) = (EventStream<Int, Never>.just(1), EventStream<Int, Never>.just(2))
    let (three, four) = (EventStream<Int, Never>.just(3), EventStream<Int, Never>.just(4))
    var seen: [Int] = []
    EventStream.combineLatest(one, two, three).observeNext { seen.append($0.2) }
    EventStream.combineLatest(one, two, three, four).observeNext { seen.append($0.3) }
    EventStream.zip(one, two, three).observeNext { seen.append($0.2) }
    EventStream.zip(one, two, three, four).map { $0.3 }.observeNext { seen.append($0) }
    one.withLatestFrom(two, three).observeNext { seen.append($0.2) }
    one.withLatestFrom(two, three, four).observeNext { seen.append($0.3) }
    #expect(seen == [3, 4, 3, 4, 3, 4])
  }

  @Test func takesAnyNumberOfSources() {
    let two = EventStream.combineLatest(EventStream<Int, Never>.just(1), .just(2)).map { $0 + $1 }
    #expect(two.record().events == [.next(3), .completed])
    let six = EventStream<(Int, Int, Int, Int, Int, String), Never>
      .combineLatest(.just(1), .just(2), .just(3), .just(4), .just(5), .just("6"))
      .map { "\($0.0)\($0.1)\($0.2)\($0.3)\($0.4)\($0.5)" }
    #expect(six.record().events == [.next("123456"), .completed])
  }

  @Test func takesElementsOfAnySizeAndAlignment() {
    let text = "a text that is too long to be kept in place"
    let row = EventStream.combineLatest(
      EventStream<Int8, Never>.just(-1), EventStream<Int32?, Never>.just(7),
      EventStream<Bool, Never>.just(true), EventStream<Void, Never>.just(()),
      EventStream<String, Never>.just(text),
      EventStream<SIMD16<Float>, Never>.just(SIMD16(repeating: 0.5)),
      EventStream<UInt16, Never>.just(.max))
    let texts = row.map { byte, number, flag, _, text, vector, last in
      "\(byte) \(number ?? 0) \(flag) \(text) \(vector[15]) \(last)"
    }
    #expect(texts.record().elements == ["-1 7 true \(text) 0.5 65535"])
  }

  @Test func acceptsAForwardedPack() {
    let first = Property(1)
    let last = Property("a")
    let recorder = ReadOnlyProperty.combine(first.readOnly, last.readOnly)
      .map { number, letter in "\(number)\(letter)" }.record()
    last.value = "b"
    #expect(recorder.elements == ["1a", "1b"])
    let none = ReadOnlyProperty<()>.combine().stream.map { 0 }
    #expect(none.record().events == [.next(0), .completed])
  }

  @Test func pairsAStreamWithItself() {
    let recorder = EventStream.combineLatest(a.stream, a.map { $0 + 2 })
      .map { [$0, $1] }.record()
    a.next(1)
    a.next(2)
    #expect(recorder.elements == [[1, 3], [2, 3], [2, 4]])
    let mixed = EventStream<(Int, Int), Never>.combineLatest(.sequence([1, 2]), .sequence([3, 4]))
      .map { [$0, $1] }.record()
    #expect(mixed.events == [.next([2, 3]), .next([2, 4]), .completed])
  }

  @Test func completesAfterAllSources() {
    let recorder = pairs.record()
    a.next(1)
    b.next("x")
    a.completed()
    b.next("y")
    b.completed()
    #expect(recorder.events == [.next("1x"), .next("1y"), .completed])
  }

  @Test func completesWithASourceThatSentNothing() {
    let recorder = pairs.record()
    a.next(1)
    b.completed()
    #expect(recorder.events == [.completed])
    #expect(!a.isObserved)
  }

  @Test func aFailureFailsIt() {
    let recorder = pairs.record()
    a.next(1)
    b.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!a.isObserved)
  }

  @Test func doesNotObserveSourcesAfterTheEnd() {
    var wasObserved = false
    let late = EventStream<Int, ContractFailure>.deferred {
      wasObserved = true
      return .never
    }
    let recorder = EventStream<(Int, Int), ContractFailure>.combineLatest(.completed, late).record()
    #expect(recorder.isCompleted)
    #expect(!wasObserved)
  }

  @Test func disposalReachesAllSources() {
    let recorder = pairs.record()
    recorder.dispose()
    #expect(!a.isObserved && !b.isObserved)
  }

  @Test func elementsSentDuringDeliveryAreQueued() {
    var log: [String] = []
    pairs.observeNext { pair in
      if pair == "1x" {
        b.next("y")
        a.next(2)
      }
      log.append(pair)
    }
    a.next(1)
    b.next("x")
    // Both sources are subjects: `b` is delivering, so its own event waits behind that of `a`.
    #expect(log == ["1x", "2x", "2y"])
  }

  @Test func keepsTheLatestElementOfAnEndedSource() {
    let letters = PushStream<String>()
    let first = EventStream<Probe, Never>.deferred { .just(Probe(1)) }
    let pairs = EventStream.combineLatest(first, letters.stream).map { "\($0.number)\($1)" }
    let rows = EventStream<[Probe], Never>.combineLatest([first, letters.map { _ in Probe(2) }])
      .map { $0.map(\.number) }
    let recorder = pairs.record()
    let rowRecorder = rows.record()
    letters.next("a")
    letters.next("b")
    #expect(recorder.elements == ["1a", "1b"])
    #expect(rowRecorder.elements == [[1, 2], [1, 2]])
  }

  @Test func anElementMaySendWhenReleased() {
    let elements = PushStream<Probe>()
    let numbers = PushStream<Int>()
    let pairs = EventStream.combineLatest(elements.stream, numbers.stream).map { [$0.number, $1] }
    let rows = EventStream.combineLatest([elements.stream, numbers.map { Probe($0) }])
      .map { $0.map(\.number) }
    for stream in [pairs, rows] {
      let recorder = stream.record()
      elements.next(Probe(1) { numbers.next(20) })
      numbers.next(10)
      elements.next(Probe(2))
      #expect(recorder.elements == [[1, 10], [2, 20], [2, 20]])
      recorder.dispose()
    }
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream.combineLatest(
        source,
        source.map {
          probe.touch()
          return $0.value
        })
    }
  }
}

@Suite struct CombineLatestCollectionTests {
  @Test func sendsTheLatestOfAllOnEachElement() {
    let subjects = (0..<3).map { _ in PushStream<Int>() }
    let recorder = EventStream.combineLatest(subjects.map(\.stream)).record()
    subjects[2].next(3)
    subjects[0].next(1)
    #expect(recorder.events.isEmpty)
    subjects[1].next(2)
    subjects[2].next(4)
    for subject in subjects { subject.completed() }
    #expect(recorder.events == [.next([1, 2, 3]), .next([1, 2, 4]), .completed])
  }

  @Test func anEmptyListSendsAnEmptyArray() {
    let recorder = EventStream<[Int], Never>.combineLatest([]).record()
    #expect(recorder.events == [.next([]), .completed])
  }

  @Test func anEarlierRowDoesNotChange() {
    let subjects = (0..<2).map { _ in PushStream<Int>() }
    let recorder = EventStream.combineLatest(subjects.map(\.stream)).record()
    for number in 0..<10 { subjects[number % 2].next(number) }
    #expect(recorder.elements == (1..<10).map { $0 % 2 == 1 ? [$0 - 1, $0] : [$0, $0 - 1] })
  }

  @Test func takesOptionalElements() {
    let recorder = EventStream<[Int?], Never>.combineLatest([.just(nil), .just(1)]).record()
    #expect(recorder.events == [.next([nil, 1]), .completed])
  }

  @Test func completesWithAStreamThatSentNothing() {
    let recorder = EventStream<[Int], Never>.combineLatest([.never, .completed]).record()
    #expect(recorder.events == [.completed])
  }

  @Test func aFailureFailsIt() {
    let recorder = EventStream<[Int], ContractFailure>
      .combineLatest([.never, .failed(ContractFailure())]).record()
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream.combineLatest([
        source,
        source.filter { _ in
          probe.touch()
          return true
        },
      ])
    }
  }
}

/// An element that runs an action when it is released.
private final class Probe {
  let number: Int
  private let action: () -> Void

  init(_ number: Int, action: @escaping () -> Void = {}) {
    self.number = number
    self.action = action
  }

  deinit { action() }
}
