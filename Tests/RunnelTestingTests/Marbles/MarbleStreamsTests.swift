import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct MarbleStreamsTests {
  private let scheduler = TestScheduler()

  @Test(arguments: ["--a-b-|", "-a-(bc)-X", "(ab|)", "a", "", "--<long name>-(a<b>>>)|"])
  func hotAndColdStreamsAreRecordedAsWritten(marbles: String) {
    let hot = scheduler.record(scheduler.hot(marbles))
    let cold = scheduler.record(scheduler.cold(marbles))
    scheduler.run()
    #expect(hot.marbles == MarbleDiagram.shortest(marbles))
    #expect(cold.marbles == MarbleDiagram.shortest(marbles))
  }

  @Test func takesElementsFromADictionary() {
    let recorder = scheduler.record(scheduler.hot("--a-b-|", values: ["a": 10, "b": 20]))
    scheduler.run()
    #expect(recorder.elements == [10, 20])
    #expect(recorder.marbles == "--<10>-<20>-|")
    #expect(recorder.marbles(values: ["a": 10, "b": 20]) == "--a-b-|")
    #expect(recorder.marbles(values: ["a": 10]) == "--a-<20>-|")
  }

  @Test func failsWithTheGivenError() {
    let recorder = scheduler.record(scheduler.cold("aX", failure: ContractFailure()))
    let plain = scheduler.record(scheduler.cold("a#", values: ["a": 1]))
    scheduler.run()
    #expect(recorder.failure == ContractFailure())
    #expect(plain.failure == MarbleFailure())
  }

  @Test func streamMayHaveFailureNever() {
    let name = Property("")
    let stream: EventStream<String, Never> = scheduler.hot("a-|", failure: Never?.none).stream
    stream.observeNext { name.value = $0 }
    scheduler.run()
    #expect(name.value == "a")
  }

  @Test func frameLengthIsTheSchedulersTick() {
    let scheduler = TestScheduler(tick: .milliseconds(10))
    let recorder = scheduler.record(scheduler.cold("--a|"))
    scheduler.run()
    #expect(
      recorder.timedEvents == [
        Timed(.milliseconds(20), .next("a")), Timed(.milliseconds(30), .completed),
      ])
    #expect(recorder.marbles == "--a|")
  }

  @Test func hotStreamStartsAtPresentOrObservation() {
    scheduler.advance(ticks: 2)
    let plain = scheduler.record(scheduler.hot("a-b"))
    let marked = scheduler.record(scheduler.hot("-a-^-b-|"))
    let now = scheduler.record(scheduler.hot("a(^b)c"))
    scheduler.run()
    #expect(plain.marbles == "--(^a)-b")
    #expect(marked.marbles == "--^-b-|")
    #expect(now.marbles == "--(^b)c")
  }

  @Test func startOfALaterObservationIsRecorded() {
    let hot = scheduler.hot("-a-b-c-|")
    let cold = scheduler.cold("-a|")
    scheduler.advance(ticks: 4)
    let late = scheduler.record(hot)
    let lateCold = scheduler.record(cold)
    scheduler.run()
    #expect(late.marbles == "----^c-|")
    #expect(lateCold.marbles == "----^a|")
  }

  @Test func eventBetweenTicksIsDescribed() {
    let recorder = scheduler.record(
      ColdStream<Int, Never>([Timed(.milliseconds(1_500), .next(1))], on: scheduler))
    scheduler.run()
    #expect(
      recorder.marbles
        == "(next(1) happened at 1.5 seconds, between two ticks of 1.0 seconds)")
    let late = scheduler.record(EventStream<Int, Never>.just(1))
    #expect(late.marbles.hasPrefix("(next(1) happened at 1.5 seconds"))
    let silent = scheduler.record(EventStream<Int, Never>.never)
    #expect(silent.marbles.hasPrefix("(the observation began at 1.5 seconds"))
  }

  @Test func withoutASchedulerAllEventsAreInOneFrame() {
    #expect(EventStream<Int, Never>.sequence(1...3).record().marbles == "(123|)")
  }

  /// Random scripts are recorded unchanged through a hot stream and a cold one.
  @Test func roundTrip() {
    for seed in 0..<300 as Range<UInt64> {
      let scheduler = TestScheduler()
      var random = SeededGenerator(seed: seed)
      var marbles = ""
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        let pieces = ["-", "--", "a", "b", " ", "(ab)", "(abc)", "<10>", "(a<x y>)"]
        marbles += pieces.randomElement(using: &random) ?? ""
      }
      marbles += ["", "|", "X", "#", "(a|)", "--"].randomElement(using: &random) ?? ""
      let hot = scheduler.record(scheduler.hot(marbles))
      let cold = scheduler.record(scheduler.cold(marbles))
      scheduler.run()
      #expect(hot.marbles == MarbleDiagram.shortest(marbles), "seed \(seed): \(marbles)")
      #expect(cold.marbles == hot.marbles, "seed \(seed): \(marbles)")
    }
  }

  @Test func mistakeTrapsWithItsPosition() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = TestScheduler().hot("-a-(b-|")
    }
    #expect(result.says(#"The marble string "-a-(b-|" is wrong at position 6"#))
  }

  @Test func observationMarkInAColdStreamTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = TestScheduler().cold("<^>-^-a")
    }
    #expect(result.says("position 5: a cold stream starts when it is observed"))
  }

  @Test func eventsBeyondTheEndOfTimeHappenThere() {
    let end = Duration(attoseconds: .max)
    let scheduler = TestScheduler(tick: end)
    let recorders = [
      scheduler.record(scheduler.cold("-a-b")), scheduler.record(scheduler.hot("^-a-b")),
      scheduler.record(scheduler.hot("---^-a")),
    ]
    scheduler.run()
    #expect(recorders.map { $0.timedEvents.map(\.time) } == [[end, end], [end, end], [.zero]])
  }

  @Test func nameWithoutAValueTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = TestScheduler().cold("-a-b", values: ["a": 1])
    }
    #expect(result.says("position 4: there is no value for 'b'. Add it to `values`."))
  }

  @Test func failureMarkWithoutAFailureTraps() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = TestScheduler().hot("-a-X", failure: Never?.none)
    }
    #expect(result.says("position 4: the stream has no failure"))
  }
}

extension MarbleDiagram {
  fileprivate static func shortest(_ string: String) -> String {
    (try? MarbleDiagram(parsing: string))?.description ?? "(unreadable)"
  }
}
