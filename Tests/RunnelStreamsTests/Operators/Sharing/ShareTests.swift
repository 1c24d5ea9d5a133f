import RunnelStreams
import RunnelTesting
import StreamTestSupport
import Testing

@Suite struct ShareTests {
  // MARK: Values

  @Test func oneObservationServesAllObservers() {
    let source = PushStream<Int>()
    var runs = 0
    let stream = counted(source.stream) { runs += 1 }.share()
    #expect(runs == 0)
    let first = stream.record()
    source.next(1)
    let second = stream.record()
    source.next(2)
    #expect(runs == 1)
    #expect(first.elements == [1, 2])
    #expect(second.elements == [2])
  }

  @Test(arguments: [ShareScope.whileConnected, .forever])
  func aLateObserverGetsReplayThenLiveElements(scope: ShareScope) {
    let source = PushStream<Int>()
    let stream = source.share(replay: 2, scope: scope)
    let first = stream.record()
    for number in 1...3 { source.next(number) }
    let late = stream.record()
    source.next(4)
    #expect(first.elements == [1, 2, 3, 4])
    #expect(late.elements == [2, 3, 4])
  }

  @Test func whileConnectedDropsTheReplayAtTheEnd() {
    let source = PushStream<Int>()
    let stream = source.share(replay: 1)
    let first = stream.record()
    source.next(1)
    first.dispose()
    #expect(!source.isObserved)
    let second = stream.record()
    #expect(second.elements == [])
    source.next(2)
    #expect(second.elements == [2])
  }

  @Test func foreverKeepsTheReplayWithoutObservers() {
    let source = PushStream<Int>()
    let stream = source.share(replay: 1, scope: .forever)
    let first = stream.record()
    source.next(1)
    first.dispose()
    #expect(!source.isObserved)
    source.next(2)
    let second = stream.record()
    #expect(source.isObserved)
    #expect(second.elements == [1])
    source.next(3)
    #expect(second.elements == [1, 3])
  }

  @Test func aNegativeReplayTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.just(1).share(replay: -1)
    }
    await #expect(processExitsWith: .failure) {
      _ = EventStream<Int, Never>.just(1).share(replay: -1, scope: .forever)
    }
  }

  // MARK: Synchronous sources

  @Test func aSynchronousSourceEndsWhileConnected() {
    var runs = 0
    let stream = counted(.sequence(1...3)) { runs += 1 }.share(replay: 1)
    let all: [StreamEvent<Int, Never>] = [.next(1), .next(2), .next(3), .completed]
    #expect(stream.record().events == all)
    #expect(stream.record().events == all)
    #expect(runs == 2)
  }

  @Test func aSynchronousSourceEndsForever() {
    var runs = 0
    let stream = counted(.sequence(1...3)) { runs += 1 }.share(replay: 1, scope: .forever)
    #expect(stream.record().events == [.next(1), .next(2), .next(3), .completed])
    #expect(stream.record().events == [.next(3), .completed])
    #expect(runs == 1)
  }

  @Test(arguments: [ShareScope.whileConnected, .forever])
  func aSynchronousSourceThatDoesNotEnd(scope: ShareScope) {
    let stream = EventStream<Int, Never>.sequence(1...3).append(.never)
      .share(replay: 2, scope: scope)
    let first = stream.record()
    let second = stream.record()
    #expect(first.events == [.next(1), .next(2), .next(3)])
    #expect(second.events == [.next(2), .next(3)])
  }

  @Test(arguments: [ShareScope.whileConnected, .forever])
  func anObserverInsideASynchronousEvent(scope: ShareScope) {
    let stream = EventStream<Int, Never>.sequence(1...4).share(replay: 2, scope: scope)
    var inner: Recorder<Int, Never>?
    var outer: [StreamEvent<Int, Never>] = []
    stream.observe {
      outer.append($0)
      if $0 == .next(3) { inner = stream.record() }
    }
    #expect(outer == [.next(1), .next(2), .next(3), .next(4), .completed])
    #expect(inner?.events == [.next(2), .next(3), .next(4), .completed])
  }

  @Test func disposalInTheReplaySkipsTheSource() {
    var runs = 0
    let stream = counted(.sequence(1...3).append(.never)) { runs += 1 }
      .share(replay: 1, scope: .forever)
    stream.record().dispose()
    let observation = Disposable()
    var seen: [Int] = []
    stream.start(
      in: observation,
      next: {
        seen.append($0)
        observation.dispose()
      }, end: { _ in })
    #expect(seen == [3])
    #expect(runs == 1)
    _ = stream.record()
    #expect(runs == 2)
  }

  // MARK: Completion and failure

  @Test func whileConnectedRestartsAfterAFailure() {
    let sources = [Subject<Int, ContractFailure>(), Subject<Int, ContractFailure>()]
    var runs = 0
    let stream = EventStream<Int, ContractFailure>.unguarded { observer in
      runs += 1
      sources[runs - 1].start(observer)
    }.share(replay: 1)
    let first = stream.record()
    sources[0].next(1)
    sources[0].failed(ContractFailure())
    #expect(first.events == [.next(1), .failed(ContractFailure())])
    let second = stream.record()
    sources[1].next(2)
    #expect(second.events == [.next(2)])
  }

  @Test func foreverReplaysTheFailure() {
    let source = Subject<Int, ContractFailure>()
    let stream = source.share(replay: 1, scope: .forever)
    _ = stream.record()
    source.next(1)
    source.failed(ContractFailure())
    #expect(stream.record().events == [.next(1), .failed(ContractFailure())])
  }

  @Test func observingInsideTheEndRestartsTheSource() {
    var runs = 0
    let stream = counted(.sequence(1...2)) { runs += 1 }.share(replay: 1)
    var events: [StreamEvent<Int, Never>] = []
    stream.observe {
      events.append($0)
      if $0 == .completed { stream.observe { events.append($0) } }
    }
    #expect(events == [.next(1), .next(2), .completed, .next(1), .next(2), .completed])
    #expect(runs == 2)
  }

  // MARK: Disposal

  @Test func theLastDisposalReleasesTheReplay() {
    let source = PushStream<Captive>()
    let stream = source.share(replay: 1)
    let observation = stream.observeNext { _ in }
    var wasReleased = false
    source.next(Captive { wasReleased = true })
    #expect(!wasReleased)
    observation.dispose()
    #expect(wasReleased)
    withExtendedLifetime(stream) {}
  }

  @Test func observersOutliveTheStream() {
    let source = PushStream<Int>()
    var stream: EventStream<Int, Never>? = source.share(replay: 1)
    let recorder = stream!.record()
    stream = nil
    source.next(1)
    recorder.dispose()
    #expect(recorder.elements == [1])
    #expect(!source.isObserved)
  }

  @Test func leavesNoResources() {
    Resources.tracking { resources in
      do {
        let source = PushStream<Int>()
        let stream = source.share(replay: 1)
        stream.observeNext { _ in }
        stream.map { $0 }.observeNext { _ in }
        source.next(1)
      }
      #expect(resources.names == [])
    }
  }

  // MARK: Reentrancy

  @Test func allObserversSeeReentrantEventsInOneOrder() {
    let source = PushStream<Int>()
    let stream = source.share(replay: 2)
    var late: Recorder<Int, Never>?
    stream.observeNext {
      guard $0 == 1 else { return }
      source.next(2)
      late = stream.record()
      source.next(3)
    }
    let second = stream.record()
    source.next(1)
    #expect(second.elements == [1, 2, 3])
    #expect(late?.elements == [1, 2, 3])
  }

  @Test(arguments: [0, 1, 2, Int.max])
  func scriptsAgreeWithTheModel(count: Int) {
    for seed in UInt64(1)...300 {
      for scope in [ShareScope.whileConnected, .forever] {
        let expected = play(seed, on: ModelShare(replay: count, scope))
        let shared = play(seed, on: RealShare(replay: count, scope))
        #expect(shared == expected, "seed \(seed), share(replay: \(count), scope: .\(scope))")
      }
    }
  }

  // MARK: Contracts

  @Test(arguments: [0, 1, 3], [ShareScope.whileConnected, .forever])
  func keepsTheContracts(count: Int, scope: ShareScope) {
    expectContracts(.shared) { source, probe in
      source.map {
        probe.touch()
        return $0
      }.share(replay: count, scope: scope)
    }
  }
}

/// Returns the stream. Calls `onStart` when it is observed.
private func counted(
  _ stream: EventStream<Int, Never>, _ onStart: @escaping () -> Void
) -> EventStream<Int, Never> {
  .unguarded { observer in
    onStart()
    stream.start(observer)
  }
}

private final class RealShare: ScriptedSubject {
  private let source = PushStream<Int>()
  private let stream: EventStream<Int, Never>
  private let observations = Observations()

  init(replay count: Int, _ scope: ShareScope) {
    stream = source.share(replay: count, scope: scope)
  }

  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void) {
    observations.observe(stream, as: number, handler)
  }

  func remove(_ number: Int) { observations.dispose(number) }
  func send(_ event: StreamEvent<Int, Never>) { source.send(event) }
}

/// A model of `share`: a hot source, a hub for each session, and the session's set of observers.
private final class ModelShare: ScriptedSubject {
  private final class Session {
    let hub: ModelSubject
    var connection: Int?
    var members: Set<Int> = []

    init(_ hub: ModelSubject) {
      self.hub = hub
    }
  }

  private let source = ModelSubject(capacity: 0)
  private let makeHub: () -> ModelSubject
  private var current: Session?
  private var sessions: [Int: Session] = [:]
  private var connections = 0

  init(replay count: Int, _ scope: ShareScope) {
    let first = ModelSubject(capacity: count)
    makeHub = { scope == .forever ? first : ModelSubject(capacity: count) }
  }

  func add(_ number: Int, _ handler: @escaping (StreamEvent<Int, Never>) -> Void) {
    let session = current ?? Session(makeHub())
    current = session
    sessions[number] = session
    session.members.insert(number)
    session.hub.add(number) { event in
      handler(event)
      if event == .completed { self.remove(number) }
    }
    guard !session.members.isEmpty, session.connection == nil, !session.hub.hasEnded else { return }
    connections += 1
    session.connection = connections
    source.add(connections) { event in
      if event == .completed, self.current === session { self.current = nil }
      session.hub.send(event)
    }
  }

  func remove(_ number: Int) {
    guard let session = sessions.removeValue(forKey: number) else { return }
    session.hub.remove(number)
    session.members.remove(number)
    guard session.members.isEmpty, let connection = session.connection else { return }
    if current === session { current = nil }
    source.remove(connection)
  }

  func send(_ event: StreamEvent<Int, Never>) { source.send(event) }
}
