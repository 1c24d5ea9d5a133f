import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ZipTests {
  private let a = Subject<Int, ContractFailure>()
  private let b = Subject<String, ContractFailure>()

  private var pairs: EventStream<String, ContractFailure> {
    EventStream.zip(a.stream, b.stream).map { number, letter in "\(number)\(letter)" }
  }

  @Test func pairsElementsByIndex() {
    let recorder = pairs.record()
    a.next(1)
    a.next(2)
    #expect(recorder.events.isEmpty)
    b.next("x")
    #expect(recorder.elements == ["1x"])
    b.next("y")
    b.next("z")
    #expect(recorder.elements == ["1x", "2y"])
    a.next(3)
    #expect(recorder.elements == ["1x", "2y", "3z"])
  }

  @Test func takesAnyNumberOfSources() {
    let two = EventStream.zip(EventStream<Int, Never>.just(1), .just(2)).map { $0 + $1 }
    #expect(two.record().events == [.next(3), .completed])
    let four = EventStream<(Int, Int, Int, String), Never>
      .zip(.sequence([1, 2]), .sequence(3...9), .sequence(5...9), .sequence(["a", "b", "c"]))
      .map { "\($0.0)\($0.1)\($0.2)\($0.3)" }
    #expect(four.record().events == [.next("135a"), .next("246b"), .completed])
  }

  @Test func completesWhenAnEndedSourceIsExhausted() {
    let recorder = pairs.record()
    a.next(1)
    a.next(2)
    a.completed()
    b.next("x")
    #expect(recorder.termination == nil)
    b.next("y")
    #expect(recorder.events == [.next("1x"), .next("2y"), .completed])
    #expect(!b.isObserved)
  }

  @Test func completesAtOnceWithoutQueuedElements() {
    let recorder = pairs.record()
    b.next("x")
    a.completed()
    #expect(recorder.events == [.completed])
  }

  @Test func aFailureFailsItAtOnce() {
    let recorder = pairs.record()
    a.next(1)
    a.failed(ContractFailure())
    #expect(recorder.events == [.failed(ContractFailure())])
    #expect(!b.isObserved)
  }

  @Test func disposalReachesAllSources() {
    let recorder = pairs.record()
    a.next(1)
    recorder.dispose()
    #expect(!a.isObserved && !b.isObserved)
  }

  @Test func elementsSentDuringDeliveryAreQueued() {
    let c = Subject<Int, ContractFailure>()
    var log: [[Int]] = []
    var ends = 0
    EventStream.zip(a.stream, c.stream).observe { event in
      guard let (first, second) = event.element else { return ends += 1 }
      if first == 1 {
        c.next(20)
        a.next(2)
        a.completed()
      }
      log.append([first, second])
    }
    c.next(10)
    a.next(1)
    #expect(log == [[1, 10], [2, 20]])
    #expect(ends == 1)
  }

  @Test func queuedElementsKeepTheirOrder() {
    let ahead = PushStream<[Int]>()
    let behind = PushStream<Int>()
    let recorder = EventStream.zip(ahead.stream, behind.stream).map { $0 + [$1] }.record()
    var sent = 0
    for burst in 1...20 {
      for _ in 0..<burst {
        ahead.next([sent])
        sent += 1
      }
      for number in recorder.elements.count..<(sent - burst / 2) { behind.next(number) }
    }
    #expect(recorder.elements == (0..<(sent - 10)).map { [$0, $0] })
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream.zip(
        source,
        source.map {
          probe.touch()
          return $0.value
        })
    }
  }
}

@Suite struct ZipCollectionTests {
  @Test func sendsRows() {
    let recorder = EventStream<[Int], Never>
      .zip([.sequence([1, 2]), .sequence([3, 4, 5]), .sequence([6, 7])]).record()
    #expect(recorder.events == [.next([1, 3, 6]), .next([2, 4, 7]), .completed])
  }

  @Test func anEmptyListCompletes() {
    #expect(EventStream<[Int], Never>.zip([]).record().events == [.completed])
  }

  @Test func completesWhenAnEndedSourceIsExhausted() {
    let a = PushStream<Int>()
    let b = PushStream<Int>()
    let recorder = EventStream.zip([a.stream, b.stream]).record()
    a.next(1)
    a.completed()
    b.next(2)
    #expect(recorder.events == [.next([1, 2]), .completed])
  }

  @Test func aFailureFailsIt() {
    let recorder = EventStream<[Int], ContractFailure>
      .zip([.just(1), .failed(ContractFailure())]).record()
    #expect(recorder.events == [.failed(ContractFailure())])
  }

  @Test func rowsAreTheTransposeOfTheInput() {
    let seed: UInt64 = .random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let subjects = (0..<3).map { _ in PushStream<Int>() }
      var sent: [[Int]] = [[], [], []]
      var hasEnded = [false, false, false]
      let recorder = EventStream.zip(subjects.map(\.stream)).record()
      var isOver = false
      for step in 0..<40 {
        let side = Int.random(in: 0..<3, using: &random)
        if Int.random(in: 0..<30, using: &random) == 0 {
          subjects[side].completed()
          hasEnded[side] = true
        } else {
          subjects[side].next(step)
          if !hasEnded[side] && !isOver { sent[side].append(step) }
        }
        let rows = sent.map(\.count).min() ?? 0
        isOver = isOver || (0..<3).contains { hasEnded[$0] && sent[$0].count == rows }
        let expected = (0..<rows).map { row in sent.map { $0[row] } }
        #expect(recorder.elements == expected, "seed \(seed)")
        #expect(recorder.isCompleted == isOver, "seed \(seed)")
      }
    }
  }

  @Test func keepsTheContracts() {
    expectContracts { source, probe in
      EventStream.zip([
        source,
        source.filter { _ in
          probe.touch()
          return true
        },
      ])
    }
  }
}
