import RunnelStreams

/// A race with a name and a required number of hits.
struct Scenario {
  let name: String
  var hits = 2_000
  /// The maximum delay of the release; see ``Race``.
  var spread = 200
  let make: @MainActor () throws -> Round
}

@MainActor let subjectScenarios = [
  Scenario(name: "subject, its last observation is disposed", hits: 10_000) {
    let subject = PushStream<Int>()
    let observation = subject.observeNext { _ in }
    return Round(releasing: subject) { observation.dispose() }
  },
  Scenario(name: "property, observations are disposed") {
    let property = Property([1])
    let observations = (0..<2).map { _ in property.map { $0 + [1] }.observeNext { _ in } }
    return Round(releasing: property) { for observation in observations { observation.dispose() } }
  },
  Scenario(name: "replay and last value, observations are disposed") {
    let (replay, last) = (
      ReplayStream<[Int], Never>(capacity: 2), LastValueStream<[Int], Never>()
    )
    replay.next([1])
    last.next([1])
    let observations = [replay.observeNext { _ in }, last.observeNext { _ in }]
    return Round(releasing: (replay, last)) {
      for observation in observations { observation.dispose() }
    }
  },
  Scenario(name: "bag, sources send and observations are disposed") {
    let source = PushStream<Int>()
    let bag = DisposeBag()
    let observations = [
      source.observeNext { _ in }, source.flatMap { EventStream.just($0) }.observeNext { _ in },
      source.delay(for: .zero).observeNext { _ in },
    ]
    for observation in observations { observation.disposed(by: bag) }
    return Round(releasing: bag) {
      source.next(1)
      observations[1].dispose()
      source.next(2)
    }
  },
  Scenario(name: "bindings, the source sends") {
    let source = Property(1)
    let (target, twin) = (Property(2), Property(3))
    source.bind(to: target)
    twin.bindTwoWay(to: source)
    return Round(releasing: [target, twin]) {
      source.value = 4
      source.value = 5
    }
  },
  Scenario(name: "shared stream, the observation is disposed") {
    let source = PushStream<Int>()
    let shared = source.map { $0 + 1 }.share(replay: 1)
    let observation = shared.observeNext { _ in }
    source.next(1)
    return Round(releasing: (source, shared)) { observation.dispose() }
  },
  Scenario(name: "iterator of values, the source sends") {
    let source = PushStream<Int>()
    let iterator = source.values.makeAsyncIterator()
    return Round(releasing: iterator) {
      source.next(1)
      source.next(2)
    }
  },
  Scenario(name: "lifetime, observations are disposed") {
    let lifetime = Lifetime()
    let observations = (0..<2).map { _ in lifetime.ended().observeNext { _ in } }
    return Round(releasing: lifetime) { for observation in observations { observation.dispose() } }
  },
]
