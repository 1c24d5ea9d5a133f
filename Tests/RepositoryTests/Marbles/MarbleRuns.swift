import RunnelStreams
import RunnelTesting

/// The runs of the diagrams of operators, by the labels of the rows that show their results.
struct MarbleRuns {
  private(set) var runs: [String: (MarbleBench) -> Void] = [:]

  init() {
    addSources()
    addCombining()
    addFailures()
    addFiltering()
    addTiming()
    addTransforming()
    addInnerStreams()
    addSharing()
  }

  mutating func add(_ label: String, _ run: @escaping (MarbleBench) -> Void) {
    precondition(runs.updateValue(run, forKey: label) == nil, "\(label) is run twice.")
  }
}

// MARK: - Sources

extension MarbleRuns {
  private mutating func addSources() {
    add("deferred { .just(roll()) }") { bench in
      var rolls = [4, 2]
      let rolled = EventStream<Int, Never>.deferred { .just(rolls.removeFirst()) }
      bench.show(rolled)
      bench.show(rolled, as: "observed again")
    }
    add("completed") { $0.show(EventStream<Int, Never>.completed) }
    add("failed(e)") { $0.show(EventStream<Int, Wrong>.failed(Wrong())) }
    add("never") { $0.show(EventStream<Int, Never>.never) }
    add("from(1)") { bench in
      bench.show(EventStream<Int, Never>.from(1 as Int?))
      bench.show(EventStream<Int, Never>.from(nil as Int?), as: "from(nil)")
    }
    add("from(.success(1))") { bench in
      bench.show(EventStream<Int, Wrong>.from(.success(1)))
      bench.show(EventStream<Int, Wrong>.from(.failure(Wrong())), as: "from(.failure(e))")
    }
    add("generate(1, while: { $0 < 10 }) { $0 * 2 }") {
      $0.show(EventStream<Int, Never>.generate(1, while: { $0 < 10 }) { $0 * 2 })
    }
    add("interval(3 ticks)") {
      $0.show(EventStream<Int, Never>.interval($0.ticks(3), on: $0.scheduler))
    }
    add("just(1)") { $0.show(EventStream<Int, Never>.just(1)) }
    add("pulled { part() }") { bench in
      var parts = [bench.numbers("part 1"), bench.numbers("part 2")]
      bench.show(.pulled { parts.isEmpty ? nil : parts.removeFirst() })
    }
    add("repeating(7, count: 3)") { $0.show(EventStream<Int, Never>.repeating(7, count: 3)) }
    add("sequence([1, 2, 3])") { $0.show(EventStream<Int, Never>.sequence([1, 2, 3])) }
    add("timer(after: 3 ticks)") {
      $0.show(EventStream<Void, Never>.timer(after: $0.ticks(3), on: $0.scheduler)) { "x" }
    }
    add("using(…)") { bench in
      let source = bench.cold("stream")
      var disposals: [(frame: Int, text: String)] = []
      bench.show(
        EventStream<String, MarbleFailure>.using(
          {}, dispose: { [unowned bench] in disposals.append((bench.now, "x")) }
        ) { source })
      bench.add("dispose") { disposals }
    }
  }

  struct Wrong: Error {}
}

// MARK: - Combining

extension MarbleRuns {
  private mutating func addCombining() {
    add("amb(a, b)") { $0.show(.amb($0.numbers("a"), $0.numbers("b"))) }
    add("amb([a, b])") { $0.show(.amb([$0.numbers("a"), $0.numbers("b")])) }
    add("combineLatest(a, b)") {
      $0.show(.combineLatest($0.numbers("a"), $0.cold("b"))) { "\($0.0)\($0.1)" }
    }
    add("combineLatest([a, b])") {
      $0.show(.combineLatest([$0.numbers("a"), $0.numbers("b")]))
    }
    add("combineLatest(other)") {
      $0.show($0.numbers().combineLatest($0.cold("other"))) { "\($0.0)\($0.1)" }
    }
    add("concat(a, b)") { $0.show(.concat($0.numbers("a"), $0.numbers("b"))) }
    add("concat([a, b])") { $0.show(.concat([$0.numbers("a"), $0.numbers("b")])) }
    add("append(.just(3))") { $0.show($0.numbers().append(.just(3))) }
    add("ifEmpty(default: 0)") { $0.show($0.numbers().ifEmpty(default: 0)) }
    add("ifEmpty(switchTo: 1--2--|)") {
      $0.show($0.numbers().ifEmpty(switchTo: $0.inner("1--2--|")))
    }
    add("merge(a, b)") { $0.show(.merge($0.numbers("a"), $0.numbers("b"))) }
    add("merge([a, b])") { $0.show(.merge([$0.numbers("a"), $0.numbers("b")])) }
    add("merge(other)") { $0.show($0.numbers().merge($0.numbers("other"))) }
    add("repeated(2)") { $0.show($0.numbers().repeated(2)) }
    add("startWith(8, 9)") { $0.show($0.numbers().startWith(8, 9)) }
    add("withLatestFrom(other)") {
      $0.show($0.numbers().withLatestFrom($0.cold("other"))) { "\($0.0)\($0.1)" }
    }
    add("zip(a, b)") { $0.show(.zip($0.numbers("a"), $0.cold("b"))) { "\($0.0)\($0.1)" } }
    add("zip([a, b])") { $0.show(.zip([$0.numbers("a"), $0.numbers("b")])) }
    add("zip(other)") { $0.show($0.numbers().zip($0.cold("other"))) { "\($0.0)\($0.1)" } }
  }
}

// MARK: - Failures

extension MarbleRuns {
  private mutating func addFailures() {
    add("catch { _ in .just(9) }") { $0.show($0.numbers().catch { _ in .just(9) }) }
    add("flatMapFailure { _ in .just(9) }") {
      $0.show($0.numbers().flatMapFailure { _ in EventStream<Int, Never>.just(9) })
    }
    add("failing(with: E)") { $0.show($0.safe().failing(with: Wrong.self)) }
    add("ignoreFailure()") { $0.show($0.numbers().ignoreFailure()) }
    add("mapFailure { .notLoaded($0) }") {
      $0.show($0.numbers().mapFailure { _ in Wrong() }, failure: "X'")
    }
    add("recover(with: 9)") { $0.show($0.numbers().recover(with: 9)) }
    add("recover(with: 8--9--|)") {
      $0.show($0.numbers().recover(with: $0.inner("8--9--|").recover(with: .completed)))
    }
    add("results()") {
      $0.show($0.numbers().results()) { result in
        (try? result.get()).map { "ok(\($0))" } ?? "error"
      }
    }
    add("unwrapResults()") { bench in
      let results = bench.words().recover(with: .completed)
        .map { text -> Result<Character, Wrong> in
          text == "error" ? .failure(Wrong()) : .success(Array(text)[3])
        }
      bench.show(results.unwrapResults())
    }
    add("retry(2)") { $0.show($0.numbers().retry(2)) }
    add("retry(4, backoff: b)") { bench in
      let backoff = Backoff(initial: bench.ticks(1), jitter: 0)
      bench.show(bench.numbers().retry(4, backoff: backoff, on: bench.scheduler))
    }
    add("retry { notifier }") { bench in
      let notifier = bench.hot("notifier")
      bench.show(bench.numbers().retry { _ in notifier })
    }
    add("timeout(after: 5 ticks, failingWith: e)") {
      $0.show(
        $0.numbers().timeout(
          after: $0.ticks(5), failingWith: .init(), on: $0.scheduler))
    }
    add("timeout(after: 5 ticks, switchingTo: other)") {
      $0.show(
        $0.numbers().timeout(
          after: $0.ticks(5), switchingTo: $0.numbers("other"), on: $0.scheduler))
    }
    add("driver(recoveringWith: 9)") {
      $0.show($0.numbers().driver(recoveringWith: 9).stream)
    }
    add("pulse(recoveringWith: .just(9))") {
      $0.show($0.numbers().pulse(recoveringWith: .just(9)).stream)
    }
  }
}

// MARK: - Filtering

extension MarbleRuns {
  private mutating func addFiltering() {
    add("distinct()") { $0.show($0.numbers().distinct()) }
    add("distinct(by: \\.letter)") { $0.show($0.words().distinct(by: \.first)) }
    add("distinctUntilChanged()") { $0.show($0.numbers().distinctUntilChanged()) }
    add("distinctUntilChanged(by: \\.letter)") {
      $0.show($0.words().distinctUntilChanged(by: \.first))
    }
    add("distinctUntilChanged { abs($0 - $1) < 0.5 }") {
      $0.show($0.words().compactMap { Double($0) }.distinctUntilChanged { abs($0 - $1) < 0.5 })
    }
    add("element(at: 1)") { $0.show($0.cold().element(at: 1).stream) }
    add("filter { $0 % 2 == 0 }") { $0.show($0.numbers().filter { $0 % 2 == 0 }) }
    add("first(where: { $0 > 2 })") { $0.show($0.numbers().first(where: { $0 > 2 }).stream) }
    add("last()") { $0.show($0.numbers().last().stream) }
    add("last(where: { $0 < 3 })") { $0.show($0.numbers().last(where: { $0 < 3 }).stream) }
    add("pausable(by: isRunning)") {
      $0.show($0.numbers().pausable(by: $0.trigger("isRunning").map { $0 == "t" }))
    }
    add("sample(by: trigger)") { $0.show($0.numbers().sample(by: $0.trigger())) }
    add("single(otherwise: Wrong.init)") {
      $0.show($0.numbers().mapFailure { _ in Wrong() }.single(otherwise: { _ in Wrong() }).stream)
    }
    add("single()") { $0.show($0.safe().single().stream) }
    add("skip(2)") { $0.show($0.numbers().skip(2)) }
    add("skip(for: 7 ticks)") {
      $0.show($0.numbers().skip(for: $0.ticks(7), on: $0.scheduler))
    }
    add("skipLast(2)") { $0.show($0.numbers().skipLast(2)) }
    add("skip(until: trigger)") { $0.show($0.numbers().skip(until: $0.trigger())) }
    add("skip(while: { $0 < 3 })") { $0.show($0.numbers().skip(while: { $0 < 3 })) }
    add("skip(through: { $0 == 2 })") { $0.show($0.numbers().skip(through: { $0 == 2 })) }
    add("take(2)") { $0.show($0.numbers().take(2)) }
    add("take(for: 8 ticks)") {
      $0.show($0.numbers().take(for: $0.ticks(8), on: $0.scheduler))
    }
    add("takeLast(2)") { $0.show($0.numbers().takeLast(2)) }
    add("take(until: trigger)") { $0.show($0.numbers().take(until: $0.trigger())) }
    add("take(while: { $0 < 3 })") { $0.show($0.numbers().take(while: { $0 < 3 })) }
    add("take(through: { $0 == 3 })") { $0.show($0.numbers().take(through: { $0 == 3 })) }
  }
}

// MARK: - Timing

extension MarbleRuns {
  private mutating func addTiming() {
    add("debounce(for: 3 ticks)") {
      $0.show($0.numbers().debounce(for: $0.ticks(3), on: $0.scheduler))
    }
    add("delay(for: 4 ticks)") {
      $0.show($0.numbers().delay(for: $0.ticks(4), on: $0.scheduler))
    }
    add("delaySubscription(for: 4 ticks)") {
      $0.show($0.numbers().delaySubscription(for: $0.ticks(4), on: $0.scheduler))
    }
    add("measureInterval()") {
      $0.show($0.cold().measureInterval(on: $0.scheduler)) { "\($0.components.seconds)" }
    }
    add("throttle(for: 5 ticks)") { bench in
      let five = bench.ticks(5)
      bench.show(bench.numbers().throttle(for: five, on: bench.scheduler))
      bench.show(
        bench.numbers().throttle(for: five, latest: false, on: bench.scheduler),
        as: "throttle(for: 5 ticks, latest: false)")
    }
    add("timestamps()") {
      $0.show($0.cold().timestamps(on: $0.scheduler)) {
        "\($0.time.components.seconds)\($0.element)"
      }
    }
  }
}

// MARK: - Transforming

extension MarbleRuns {
  private mutating func addTransforming() {
    add("do(next:)") { $0.show($0.numbers().do(next: { _ in })) }
    add("buffer(count: 2)") { $0.show($0.numbers().buffer(count: 2)) }
    add("buffer(for: 8 ticks)") {
      $0.show($0.numbers().buffer(for: $0.ticks(8), on: $0.scheduler))
    }
    add("buffer(for: 8 ticks, orCount: 2)") {
      $0.show($0.numbers().buffer(for: $0.ticks(8), orCount: 2, on: $0.scheduler))
    }
    add("compactMap { Int($0) }") { bench in
      bench.show(bench.words().map { $0.filter { $0 != "\"" } }.compactMap { Int($0) })
    }
    add("enumerated()") { $0.show($0.cold().enumerated()) { "(\($0.0),\($0.1))" } }
    add("ignoreElements()") { $0.show($0.numbers().ignoreElements()) }
    add("map { $0 * 10 }") { $0.show($0.numbers().map { $0 * 10 }) }
    add("materialize()") {
      $0.show($0.numbers().materialize()) { event in
        if case .failed = event { "failed(X)" } else { "\(event)" }
      }
    }
    add("dematerialize()") { bench in
      let events = bench.words().recover(with: .completed)
        .map { text -> StreamEvent<Character, Wrong> in
          text == "failed(X)" ? .failed(Wrong()) : .next(Array(text)[5])
        }
      bench.show(events.dematerialize())
    }
    add("pairwise()") { $0.show($0.numbers().pairwise()) { "(\($0.0),\($0.1))" } }
    add("reduce(0, +)") { $0.show($0.numbers().reduce(0, +).stream) }
    add("reduce(into: []) { $0 += [$1] }") {
      $0.show($0.words().reduce(into: []) { $0 += [$1] }.stream) { Self.list($0) }
    }
    add("toArray()") { $0.show($0.numbers().toArray().stream) }
    add("scan(0, +)") { $0.show($0.numbers().scan(0, +)) }
    add("scan(into: []) { $0 += [$1] }") {
      $0.show($0.words().scan(into: []) { $0 += [$1] }) { Self.list($0) }
    }
    add("map(weak: object) { … }") {
      $0.show($0.numbers().map(weak: $0.object()) { "\($1)'" })
    }
    add("compactMap(weak: object) { … }") {
      $0.show($0.numbers().compactMap(weak: $0.object()) { $1 == 1 ? "\($1)'" : nil })
    }
  }

  /// The elements, which have quotation marks.
  private static func list(_ elements: [String]) -> String {
    "[\(elements.joined(separator: ","))]"
  }
}

// MARK: - Inner streams

extension MarbleRuns {
  private mutating func addInnerStreams() {
    add("flatMap { twice($0) }") { bench in
      bench.show(bench.numbers().flatMap { bench.template("twice(x)", $0) })
    }
    add("flatMap(maxConcurrent: 2) { twice($0) }") { bench in
      bench.show(bench.numbers().flatMap(maxConcurrent: 2) { bench.template("twice(x)", $0) })
    }
    add("concatMap { twice($0) }") { bench in
      bench.show(bench.numbers().concatMap { bench.template("twice(x)", $0) })
    }
    add("flatMapFirst { thrice($0) }") { bench in
      bench.show(bench.numbers().flatMapFirst { bench.template("thrice(x)", $0) })
    }
    add("flatMapLatest { thrice($0) }") { bench in
      bench.show(bench.numbers().flatMapLatest { bench.template("thrice(x)", $0) })
    }
    add("flatMap(weak: object) { just($1) }") {
      $0.show($0.numbers().flatMap(weak: $0.object()) { .just($1) })
    }
    add("flatMap(maxConcurrent: 2, weak: object) { … }") {
      $0.show($0.numbers().flatMap(maxConcurrent: 2, weak: $0.object()) { .just($1) })
    }
    add("flatMapFirst(weak: object) { … }") { bench in
      bench.show(bench.numbers().flatMapFirst(weak: bench.object()) { bench.inner("\($1)---|") })
    }
    add("flatMapLatest(weak: object) { … }") {
      $0.show($0.numbers().flatMapLatest(weak: $0.object()) { .just($1) })
    }
    add("concatMap(weak: object) { just($1) }") {
      $0.show($0.numbers().concatMap(weak: $0.object()) { .just($1) })
    }
    add("switchLatest()") { bench in bench.show(Self.streams(bench).switchLatest()) }
    add("merged()") { bench in bench.show(Self.streams(bench).merged()) }
    add("merged(maxConcurrent: 1)") { bench in
      bench.show(Self.streams(bench).merged(maxConcurrent: 1))
    }
    add("concatenated()") { bench in bench.show(Self.streams(bench).concatenated()) }
    add("groupBy { $0 % 2 }") { bench in
      let groups = bench.numbers().groupBy { $0 % 2 }
        .do(next: { group in
          bench.show(group.stream, as: group.key == 0 ? "even" : "odd", at: bench.now)
        })
      bench.show(groups) { $0.key == 0 ? "even" : "odd" }
    }
    add("window(count: 2)") { bench in
      Self.show(bench.numbers().window(count: 2), on: bench)
    }
    add("window(for: 8 ticks)") { bench in
      Self.show(bench.numbers().window(for: bench.ticks(8), on: bench.scheduler), on: bench)
    }
    add("window(for: 8 ticks, orCount: 2)") { bench in
      Self.show(
        bench.numbers().window(for: bench.ticks(8), orCount: 2, on: bench.scheduler), on: bench)
    }
  }

  /// A stream of the streams that the rows `a` and `b` show.
  private static func streams(
    _ bench: MarbleBench
  ) -> EventStream<EventStream<Int, MarbleFailure>, MarbleFailure> {
    let streams = ["a": bench.numbers("a"), "b": bench.numbers("b")]
    return bench.cold().compactMap { streams[$0] }
  }

  /// Draws windows in the rows `a`, `b` and `c`.
  private static func show(
    _ windows: EventStream<EventStream<Int, MarbleFailure>, MarbleFailure>, on bench: MarbleBench
  ) {
    let names = ["a", "b", "c"]
    let named = windows.enumerated().map { (name: names[$0.0], window: $0.1) }
      .do(next: { bench.show($0.window, as: $0.name, at: bench.now) })
    bench.show(named) { $0.name }
  }
}

// MARK: - Sharing

extension MarbleRuns {
  private mutating func addSharing() {
    add("autoconnect(2)") { bench in
      let connected = bench.numbers().publish().autoconnect(2)
      bench.show(connected, at: bench.frame(in: "first observer"))
      bench.at(bench.frame(in: "second observer")) { _ = connected.observe { _ in } }
    }
    add("multicast { … }") { bench in
      Self.connect(bench.hot().multicast { Subject() }, on: bench)
    }
    add("publish()") { bench in Self.connect(bench.hot().publish(), on: bench) }
    add("replay(1)") { bench in
      let replayed = bench.numbers().replay(1)
      bench.show(replayed.stream)
      replayed.connect()
      bench.show(replayed.stream, as: "late observer", at: 6)
    }
    add("share(replay: 1)") { bench in
      let shared = bench.numbers().share(replay: 1)
      bench.show(shared)
      bench.show(shared, as: "late observer", at: 6)
    }
    add("refCount()") { bench in
      var noted: [(frame: Int, text: String)] = []
      let shared = bench.numbers().do(next: { noted.append((bench.now, "\($0)")) }).publish()
        .refCount()
      for label in ["first", "second"] {
        bench.at(bench.frame(in: label)) {
          let observation = shared.observe { _ in }
          bench.at(bench.frame(of: "x", in: label)) { observation.dispose() }
        }
      }
      bench.add { noted }
    }
  }

  private static func connect(
    _ connectable: Connectable<String, MarbleFailure>, on bench: MarbleBench
  ) {
    bench.show(connectable.stream)
    bench.at(bench.frame(in: "connect()")) { connectable.connect() }
  }
}
