// Chains of one operator each. This file is compiled twice: in a module that imports RunnelStreams,
// as a client's code is, and in one that contains the sources of RunnelStreams.
#if !INSIDE
import RunnelStreams
#endif

/// A chain of one operator, to which a run sends numbers.
public struct OperatorRun {
  /// The name of the operator.
  public let name: String
  /// Sends the given number of integers through the chain.
  public let send: (Int) -> Void
}

private struct Fault: Error {}

private typealias Numbers = EventStream<Int, Never>

/// A sum to which the observers add.
private final class Total {
  @exclusivity(unchecked) var sum = 0
}

/// Returns a run that pushes numbers through an operator.
private func run<Output>(
  _ name: String, _ chain: (PushStream<Int>) -> EventStream<Output, Never>
) -> OperatorRun {
  let (numbers, total) = (PushStream<Int>(), Total())
  chain(numbers).observeNext { _ in total.sum &+= 1 }
  return OperatorRun(name: name) { count in
    for number in 0..<count { numbers.next(number) }
  }
}

/// Returns a run that observes a stream of its own each time.
private func coldRun<Output>(
  _ name: String, _ make: @escaping (Int) -> EventStream<Output, Never>
) -> OperatorRun {
  let total = Total()
  return OperatorRun(name: name) { count in
    make(count).observeNext { _ in total.sum &+= 1 }
  }
}

/// Returns a run for each operator.
public func operatorRuns() -> [OperatorRun] {
  transforming() + filtering() + combining() + flattening() + sharing() + timing() + creating()
}

private func transforming() -> [OperatorRun] {
  [
    run("map") { $0.map { $0 &+ 1 } },
    run("compactMap") { $0.compactMap { $0 & 1 == 0 ? $0 : nil } },
    run("scan") { $0.scan(0) { $0 &+ $1 } },
    run("scan(into:)") { $0.scan(into: 0) { $0 &+= $1 } },
    run("enumerated") { $0.enumerated() },
    run("pairwise") { $0.pairwise() },
    run("startWith") { $0.startWith(1) },
    run("do") { $0.do(next: { _ in }) },
    run("buffer(count:)") { $0.buffer(count: 4) },
    run("window(count:)") { $0.window(count: 4) },
    run("groupBy") { $0.groupBy { $0 & 7 } },
    run("groupBy, flattened") { $0.groupBy { $0 & 7 }.flatMap { $0.stream } },
    run("materialize") { $0.materialize() },
    run("dematerialize") { $0.materialize().dematerialize() as Numbers },
    run("results") { $0.results() },
    run("ignoreElements") { $0.ignoreElements(as: Int.self) },
    run("ifEmpty") { $0.ifEmpty(default: 1) },
    run("mapFailure") { $0.failing(with: Fault.self).mapFailure { $0 }.recover(with: 1) },
    run("recover") { $0.failing(with: Fault.self).recover(with: 1) },
    run("catch") { $0.failing(with: Fault.self).catch { _ in .never }.recover(with: 1) },
    run("retry") { $0.failing(with: Fault.self).retry(3).recover(with: 1) },
    run("repeated") { $0.repeated(2) },
    run("Single of reduce") { numbers in
      numbers.flatMap { EventStream.just($0).reduce(0) { $0 &+ $1 }.map { $0 &+ 1 }.stream }
    },
    run("Maybe of first") { numbers in
      numbers.flatMap { EventStream.just($0).first(where: { $0 > 0 }).map { $0 &+ 1 }.stream }
    },
  ]
}

private func filtering() -> [OperatorRun] {
  [
    run("filter") { $0.filter { $0 & 1 == 0 } },
    run("distinctUntilChanged") { $0.distinctUntilChanged() },
    run("distinctUntilChanged(by:)") { $0.distinctUntilChanged { $0 / 2 } },
    run("distinct") { $0.map { $0 & 255 }.distinct() },
    run("take") { $0.take(.max) },
    run("take(while:)") { $0.take(while: { _ in true }) },
    run("take(until:)") { $0.take(until: Numbers.never) },
    run("takeLast") { $0.takeLast(4) },
    run("last") { $0.last().stream },
    run("skip") { $0.skip(1) },
    run("skip(while:)") { $0.skip(while: { $0 < 0 }) },
    run("skip(until:)") { $0.skip(until: Numbers.just(1)) },
    run("skipLast") { $0.skipLast(4) },
    run("sample") { $0.sample(by: $0) },
    run("pausable") { $0.pausable(by: Property(true)) },
  ]
}

private func combining() -> [OperatorRun] {
  [
    run("combineLatest") { EventStream.combineLatest($0.stream, $0.stream) },
    run("combineLatest of three") { EventStream.combineLatest($0.stream, $0.stream, $0.stream) },
    run("combineLatest of a list") {
      EventStream<[Int], Never>.combineLatest([$0.stream, $0.stream])
    },
    run("zip") { EventStream.zip($0.stream, $0.stream) },
    run("zip of a list") { EventStream<[Int], Never>.zip([$0.stream, $0.stream]) },
    run("withLatestFrom") { $0.withLatestFrom($0.stream) },
    run("merge") { EventStream.merge($0.stream, $0.stream) },
    run("concat") { EventStream.concat(.just(1), $0.stream) },
    run("append") { Numbers.just(1).append($0.stream) },
    run("amb") { EventStream.amb($0.stream, .never) },
  ]
}

private func flattening() -> [OperatorRun] {
  [
    run("flatMap") { $0.flatMap { .just($0) } },
    run("flatMap(maxConcurrent:)") { $0.flatMap(maxConcurrent: 2) { .just($0) } },
    run("flatMapLatest") { $0.flatMapLatest { .just($0) } },
    run("flatMapFirst") { $0.flatMapFirst { .just($0) } },
    run("concatMap") { $0.concatMap { .just($0) } },
    run("switchLatest") { $0.map { Numbers.just($0) }.switchLatest() },
    run("merged") { $0.map { Numbers.just($0) }.merged() },
    run("flatMapLatest of a subject") { numbers in
      let inner = PushStream<Int>()
      return numbers.flatMapLatest { _ in inner.stream }
    },
  ]
}

private func sharing() -> [OperatorRun] {
  let property = Property(0)
  let total = Total()
  property.stream.map { $0 / 2 }.observeNext { total.sum &+= $0 }
  let bound = Property(0)
  return [
    run("subject") { $0.stream },
    run("share") { $0.share() },
    run("share(replay:)") { $0.share(replay: 1) },
    run("publish") { numbers in
      let connectable = numbers.publish()
      connectable.connect()
      return connectable.stream
    },
    OperatorRun(name: "Property") { count in
      for number in 0..<count { property.value = number }
    },
    OperatorRun(name: "Property.mutate") { count in
      for _ in 0..<count { property.mutate { $0 &+= 1 } }
    },
    run("bind(to:)") { numbers in
      numbers.bind(to: bound)
      return numbers.stream
    },
    run("ReplayStream") { numbers in
      let replay = ReplayStream<Int, Never>(capacity: 4)
      numbers.observeNext { replay.next($0) }
      return replay.stream
    },
    run("LastValueStream") { numbers in
      let last = LastValueStream<Int, Never>()
      numbers.observeNext { last.next($0) }
      return numbers.stream
    },
    run("Binder") { numbers in
      let total = Total()
      numbers.bind(to: Binder(total) { $0.sum &+= $1 })
      return numbers.map { [total] number in number &+ (total.sum & 1) }
    },
    run("bind(to:) of a property") { numbers in
      let total = Total()
      numbers.bind(to: total, \.sum)
      return numbers.map { [total] number in number &+ (total.sum & 1) }
    },
    run("observeNext(weak:)") { numbers in
      let total = Total()
      numbers.observeNext(weak: total) { $0.sum &+= $1 }
      return numbers.map { [total] number in number &+ (total.sum & 1) }
    },
    run("ignoreFailure") { $0.failing(with: Fault.self).ignoreFailure() },
    run("Driver") { $0.driver(recoveringWith: 0).map { $0 &+ 1 }.filter { $0 & 1 == 0 }.stream },
    run("Pulse") { $0.pulse(recoveringWith: .never).map { $0 &+ 1 }.stream },
  ]
}

private func timing() -> [OperatorRun] {
  [
    run("throttle") { $0.throttle(for: .seconds(3_600), on: StillScheduler()) },
    run("debounce") { $0.debounce(for: .seconds(3_600), on: StillScheduler()) },
    run("buffer(for:)") { $0.buffer(for: .seconds(3_600), orCount: 4, on: StillScheduler()) },
    run("window(for:)") { $0.window(for: .seconds(3_600), orCount: 4, on: StillScheduler()) },
    run("take(for:)") { $0.take(for: .seconds(3_600), on: StillScheduler()) },
    run("skip(for:)") { $0.skip(for: .seconds(3_600), on: StillScheduler()) },
    run("timestamps") { $0.timestamps(on: StillScheduler()) },
    run("measureInterval") { $0.measureInterval(on: StillScheduler()) },
    run("timeout") {
      $0.timeout(after: .seconds(3_600), switchingTo: .never, on: StillScheduler())
    },
  ]
}

private func creating() -> [OperatorRun] {
  [
    coldRun("EventStream { }") { count in
      EventStream { observer in
        for number in 0..<count { observer.next(number) }
        observer.end(.completed)
        return Disposable()
      }
    },
    coldRun("sequence") { .sequence(0..<$0) },
    coldRun("generate") { count in .generate(0, while: { $0 < count }) { $0 &+ 1 } },
    coldRun("repeating") { .repeating(1, count: $0) },
    coldRun("deferred") { count in .deferred { .sequence(0..<count) } },
    OperatorRun(name: "observe and dispose") { count in
      let numbers = PushStream<Int>()
      let chain = numbers.map { $0 &+ 1 }.filter { $0 & 1 == 0 }
      for _ in 0..<count { chain.observeNext { _ in }.dispose() }
    },
  ]
}

/// A scheduler whose clock stands still, and which never runs what is scheduled.
private final class StillScheduler: Scheduler {
  var now: Duration { .zero }

  func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    Disposable()
  }
}
