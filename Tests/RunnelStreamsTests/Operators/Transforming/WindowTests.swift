import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct WindowTests {
  typealias Windows = EventStream<EventStream<Int, ContractFailure>, ContractFailure>
  let scheduler = TestScheduler()
  let source = Subject<Int, ContractFailure>()

  /// A log of windows, numbered in the order in which they open.
  final class Journal {
    var lines: [String] = []
    private var windows = 0
    private(set) var observation = Disposable()

    init(_ stream: Windows, handling: @escaping (Int) -> Void = { _ in }) {
      stream.start(
        in: observation,
        next: { [unowned self] window in  // Safety: the test keeps the journal.
          windows += 1
          let name = windows
          lines.append("open \(name)")
          window.observe(
            next: { [unowned self] number in  // Safety: as above.
              lines.append("\(name): \(number)")
              handling(number)
            },
            failed: { [unowned self] _ in lines.append("\(name) failed") },  // Safety: as above.
            completed: { [unowned self] in lines.append("\(name) closed") })  // Safety: as above.
        },
        end: { [unowned self] end in  // Safety: as above.
          switch end {
          case .completed: lines.append("completed")
          case .failed: lines.append("failed")
          }
        })
    }
  }

  // MARK: - window(count:)

  @Test func opensAWindowWithItsFirstElement() {
    let journal = Journal(source.window(count: 2))
    #expect(journal.lines == [])
    for number in 1...3 { source.next(number) }
    source.completed()
    #expect(
      journal.lines == [
        "open 1", "1: 1", "1: 2", "1 closed", "open 2", "2: 3", "2 closed", "completed",
      ])
  }

  @Test func anEmptySourceHasNoWindow() {
    let journal = Journal(Windows.Element.completed.window(count: 2))
    #expect(journal.lines == ["completed"])
  }

  @Test func aFailureFailsTheWindowToo() {
    let journal = Journal(source.window(count: 2))
    source.next(1)
    source.failed(ContractFailure())
    #expect(journal.lines == ["open 1", "1: 1", "1 failed", "failed"])
  }

  @Test func disposalSilencesTheWindow() {
    let journal = Journal(source.window(count: 2))
    source.next(1)
    journal.observation.dispose()
    source.next(2)
    source.completed()
    #expect(journal.lines == ["open 1", "1: 1"])
    #expect(!source.isObserved)
  }

  @Test func disposalInAnElementLeavesTheWindowOpen() {
    var observation: Disposable?
    let journal = Journal(source.window(count: 2)) { number in
      if number == 2 { observation?.dispose() }
    }
    observation = journal.observation
    for number in 1...3 { source.next(number) }
    #expect(journal.lines == ["open 1", "1: 1", "1: 2"])
  }

  @Test func disposalInTheWindowEventSendsNothingToIt() {
    let observation = Disposable()
    var elements: [Int] = []
    source.window(count: 2).start(
      in: observation,
      next: { window in
        window.observe(next: { elements.append($0) }, failed: { _ in })
        observation.dispose()
      }, end: { _ in })
    source.next(1)
    #expect(elements == [])
  }

  @Test func anElementOfAWindowMayCauseTheNext() {
    let journal = Journal(source.window(count: 2)) { [source] number in
      if number < 3 { source.next(number + 1) }
    }
    source.next(1)
    #expect(
      journal.lines == ["open 1", "1: 1", "1: 2", "1 closed", "open 2", "2: 3"])
  }

  // MARK: - window(for:)

  @Test func opensAWindowForEachPeriod() {
    let journal = Journal(source.window(for: .seconds(3), on: scheduler))
    #expect(journal.lines == ["open 1"])
    scheduler.advance(by: .seconds(1))
    source.next(1)
    scheduler.advance(by: .seconds(6))
    source.next(2)
    source.completed()
    scheduler.advance(by: .seconds(10))
    #expect(
      journal.lines == [
        "open 1", "1: 1", "1 closed", "open 2", "2 closed", "open 3", "3: 2", "3 closed",
        "completed",
      ])
    #expect(scheduler.pending == 0)
  }

  @Test func aFailureCancelsTheTimer() {
    let journal = Journal(source.window(for: .seconds(3), on: scheduler))
    scheduler.advance(by: .seconds(4))
    source.failed(ContractFailure())
    scheduler.advance(by: .seconds(10))
    #expect(journal.lines == ["open 1", "1 closed", "open 2", "2 failed", "failed"])
    #expect(scheduler.pending == 0)
  }

  @Test func disposalCancelsTheTimer() {
    let journal = Journal(source.window(for: .seconds(3), on: scheduler))
    journal.observation.dispose()
    scheduler.advance(by: .seconds(10))
    #expect(journal.lines == ["open 1"])
    #expect(scheduler.pending == 0)
    #expect(!source.isObserved)
  }

  @Test func disposalInTheFirstWindowSkipsTheSource() {
    let observation = Disposable()
    source.window(for: .seconds(3), on: scheduler).start(
      in: observation, next: { _ in observation.dispose() }, end: { _ in })
    #expect(!source.isObserved)
    #expect(scheduler.pending == 0)
  }

  @Test func usesTheSchedulerOfTheThread() {
    let journal = Current.with(scheduler: scheduler) { Journal(source.window(for: .seconds(3))) }
    scheduler.advance(by: .seconds(3))
    #expect(journal.lines == ["open 1", "1 closed", "open 2"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1), Duration(attoseconds: .min)])
  func aDurationOfZeroOpensAWindowForEachElement(duration: Duration) {
    let journals = [
      Journal(source.window(for: duration, on: scheduler)),
      Journal(source.window(for: duration, orCount: 2, on: scheduler)),
    ]
    scheduler.advance(by: .seconds(1))
    source.next(1)
    source.next(2)
    source.completed()
    for journal in journals {
      #expect(
        journal.lines == [
          "open 1", "1: 1", "1 closed", "open 2", "2: 2", "2 closed", "completed",
        ])
    }
    #expect(scheduler.pending == 0)
  }

  // MARK: - window(for:orCount:)

  @Test func aFullWindowStartsANewPeriod() {
    let journal = Journal(source.window(for: .seconds(3), orCount: 2, on: scheduler))
    source.next(1)
    scheduler.advance(by: .seconds(2))
    source.next(2)
    scheduler.advance(by: .seconds(2))
    source.next(3)
    #expect(journal.lines == ["open 1", "1: 1", "1: 2", "1 closed", "open 2", "2: 3"])
    scheduler.advance(by: .seconds(1))
    source.completed()
    #expect(
      journal.lines.suffix(4) == ["2 closed", "open 3", "3 closed", "completed"])
  }

  @Test func aNewPeriodStartsWithTheFillingElement() {
    // The old period would have ended while that element is handled.
    let journal = Journal(source.window(for: .seconds(3), orCount: 2, on: scheduler)) {
      [scheduler] number in
      if number == 2 { scheduler.advance(by: .seconds(1)) }
    }
    source.next(1)
    scheduler.advance(by: .seconds(2))
    source.next(2)
    #expect(journal.lines == ["open 1", "1: 1", "1: 2", "1 closed", "open 2"])
    scheduler.advance(by: .seconds(2))
    #expect(journal.lines.suffix(3) == ["open 2", "2 closed", "open 3"])
  }

  @Test func elementsSentInAWindowEventReachTheWindow() {
    // The second window's period ends, and an element arrives, before the observer has received it.
    let more = Subject<Int, ContractFailure>()
    let merged = EventStream<Subject<Int, ContractFailure>, Never>
      .sequence([source, more]).failing(with: ContractFailure.self)
      .append(.never).flatMap { $0.stream }
    var log: [String] = []
    var windows = 0
    merged.window(for: .seconds(3), orCount: 1, on: scheduler).observe(
      next: { window in
        windows += 1
        let name = windows
        log.append("<open \(name)")
        if name == 2 {
          scheduler.advance(by: .seconds(3))
          more.next(2)
        }
        window.observe(next: { log.append("\(name): \($0)") }, failed: { _ in })
        log.append("open \(name)>")
      }, failed: { _ in })
    source.next(1)
    #expect(
      log == [
        "<open 1", "open 1>", "1: 1", "<open 2", "open 2>", "<open 3", "open 3>", "3: 2",
        "<open 4", "open 4>",
      ])
  }

  // MARK: - Windows and buffers

  @Test func windowsContainTheElementsOfBuffers() {
    for seed in UInt64(1)...100 {
      var numbers = SeededGenerator(seed: seed)
      let source = PushStream<Int>()
      let limit = Int.random(in: 1...4, using: &numbers)
      let period = Duration.seconds(Int.random(in: 1...5, using: &numbers))
      let pairs: [(Recorder<[Int], Never>, Recorder<[Int], Never>)] = [
        (
          source.buffer(count: limit).record(),
          source.window(count: limit).flatMap { $0.toArray().stream }.record()
        ),
        (
          source.buffer(for: period, on: scheduler).record(),
          source.window(for: period, on: scheduler).flatMap { $0.toArray().stream }.record()
        ),
        (
          source.buffer(for: period, orCount: limit, on: scheduler).record(),
          source.window(for: period, orCount: limit, on: scheduler).flatMap { $0.toArray().stream }
            .record()
        ),
      ]
      for number in 1...30 {
        source.next(number)
        scheduler.advance(by: .milliseconds(Int.random(in: 0...1500, using: &numbers)))
      }
      source.completed()
      for (buffers, windows) in pairs {
        #expect(buffers.events == windows.events, "seed \(seed)")
        #expect(buffers.elements.flatMap { $0 } == Array(1...30), "seed \(seed)")
      }
    }
  }

  // MARK: - Misuse

  @Test func aCountBelowOneTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.window(count: 0)
    }
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.never.window(for: .seconds(1), orCount: 0)
    }
  }

  // MARK: - Contracts

  @Test func keepTheContracts() {
    expectContracts { source, _ in source.window(count: 2) }
    expectContracts { source, _ in source.window(count: 2).concatenated() }
    expectContracts(.timed) { source, probe in
      source.window(for: .seconds(2), on: probe.scheduler)
    }
    expectContracts(.timed) { source, probe in
      source.window(for: .milliseconds(2500), orCount: 2, on: probe.scheduler)
    }
    expectContracts(.timed) { source, probe in
      source.window(for: .milliseconds(2500), orCount: 2, on: probe.scheduler).merged()
    }
  }
}
