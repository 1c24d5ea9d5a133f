import RunnelStreams
import RunnelTesting

/// The operators of the random chains. Each entry pairs an operator with its reference.
extension ModelStep {
  /// Creates a step with random parameters.
  typealias Maker = @Sendable (inout SeededGenerator) -> ModelStep

  static let transforming: [Maker] = [
    { random in
      let k = random.number(1...9)
      return ModelStep("map(+\(k))", { $0.map { $0 &+ k } }, { $0.mapped { $0 &+ k } })
    },
    { random in
      let k = random.number(2...9)
      return ModelStep(
        "map(throws at \(k))",
        { stream in
          stream.map { value throws(ModelFailure) in
            if value % 10 == k { throw ModelFailure() }
            return value
          }
        }, { $0.failing { $0 % 10 == k } })
    },
    { _ in ModelStep("scan", { $0.scan(0) { $0 &+ $1 } }, { $0.scanned() }) },
    { _ in
      ModelStep(
        "reduce", { $0.reduce(0) { $0 &+ $1 }.stream }, { $0.atCompletion { [$0.reduce(0, &+)] } })
    },
    { _ in
      ModelStep("toArray", { $0.toArray().map(\.count).stream }, { $0.atCompletion { [$0.count] } })
    },
    { _ in ModelStep("pairwise", { $0.pairwise().map { $0.1 &- $0.0 } }, { $0.pairwise() }) },
    { _ in ModelStep("materialize", { $0.materialize().dematerialize() }, { $0 }) },
    { random in
      let n = random.number(1...3)
      return ModelStep(
        "buffer(\(n))", { $0.buffer(count: n).map { $0.reduce(0, &+) } }, { $0.buffered(n) })
    },
    { random in
      let k = random.number(2...4)
      return ModelStep(
        "groupBy(%\(k), scan)",
        { $0.groupBy { $0 % k }.flatMap { $0.scan(0) { $0 &+ $1 } } }, { $0.scannedInGroups(k) })
    },
    { random in
      let k = random.number(2...4)
      return ModelStep(
        "groupBy(%\(k), reduce)",
        { $0.groupBy { $0 % k }.flatMap { $0.reduce(0) { $0 &+ $1 }.stream } },
        { $0.atCompletion { Timeline.groups($0, k).map { $0.reduce(0, &+) } } })
    },
    { random in
      let k = random.number(2...4)
      return ModelStep(
        "groupBy(%\(k), the first only)", { $0.groupBy { $0 % k }.concatMap { $0.stream } },
        { t in
          t.replacing(t.elements.filter { $0.value % k == (t.elements.first?.value ?? 0) % k })
        })
    },
  ]

  static let filtering: [Maker] = [
    { random in
      let k = random.number(2...3)
      return ModelStep(
        "filter(%\(k))", { $0.filter { $0 % k == 0 } },
        { t in t.replacing(t.elements.filter { $0.value % k == 0 }) })
    },
    { random in
      let n = random.number(0...4)
      return ModelStep(
        observed: "take(\(n))", { s, _ in s.take(n) }, { source in { source($0).taking(n, $0) } })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "take(while <\(k))", { $0.take(while: { $0 < k }) }, { $0.taking(while: { $0 < k }) })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "take(through >\(k))", { $0.take(through: { $0 > k }) }, { $0.taking(through: { $0 > k }) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "skip(\(n))", { $0.skip(n) }, { $0.replacing(Array($0.elements.dropFirst(n))) })
    },
    { random in
      let k = random.number(20...90)
      return ModelStep(
        "skip(while <\(k))", { $0.skip(while: { $0 < k }) },
        { t in t.replacing(Array(t.elements.drop { $0.value < k })) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep("skipLast(\(n))", { $0.skipLast(n) }, { $0.skippingLast(n) })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "takeLast(\(n))", { $0.takeLast(n) }, { $0.atCompletion { Array($0.suffix(n)) } })
    },
    { random in
      let n = random.number(0...3)
      return ModelStep(
        "element(at \(n))", { $0.element(at: n).stream },
        { t in
          t.taking(n + 1, 0).replacing(Array(t.elements.dropFirst(n).prefix(1)))
        })
    },
    { _ in ModelStep("last", { $0.last().stream }, { $0.atCompletion { Array($0.suffix(1)) } }) },
    { _ in
      ModelStep(
        "distinctUntilChanged", { $0.map { $0 / 30 }.distinctUntilChanged() },
        { $0.mapped { $0 / 30 }.changed() })
    },
    { _ in
      ModelStep(
        "distinct", { $0.map { $0 / 30 }.distinct() }, { $0.mapped { $0 / 30 }.distinct() })
    },
  ]

  static let timed: [Maker] = [
    { random in
      let d = random.number(1...4_000)
      return ModelStep(
        timed: "debounce(\(d))", { $0.debounce(for: .microseconds(d), on: $1) },
        { $0.debounced(d) })
    },
    { random in
      let d = random.number(1...6_000)
      let latest = random.number(0...1) == 0
      return ModelStep(
        timed: "throttle(\(d), latest: \(latest))",
        { $0.throttle(for: .microseconds(d), latest: latest, on: $1) },
        { $0.throttled(d, latest: latest) })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        timed: "delay(\(d))", { $0.delay(for: .microseconds(d), on: $1) }, { $0.delayed(d) })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        observed: "delaySubscription(\(d))",
        { $0.delaySubscription(for: .microseconds(d), on: $1) },
        { source in { source($0 + d) } })
    },
    { random in
      let d = random.number(1...30_000)
      return ModelStep(
        observed: "take(for \(d))", { $0.take(for: .microseconds(d), on: $1) },
        { source in { source($0).taking(until: $0 + d) } })
    },
    { random in
      let d = random.number(1...10_000)
      return ModelStep(
        observed: "skip(for \(d))", { $0.skip(for: .microseconds(d), on: $1) },
        { source in { source($0).skipping(until: $0 + d) } })
    },
    { random in
      let trigger = ModelTrigger(using: &random)
      return ModelStep(
        observed: "sample(\(trigger.name))", { $0.sample(by: trigger.stream(on: $1)) },
        { source in { source($0).sampled(by: trigger.reference($0)) } })
    },
    { random in
      let trigger = ModelTrigger(using: &random)
      return ModelStep(
        observed: "take(until \(trigger.name))", { $0.take(until: trigger.stream(on: $1)) },
        { source in
          { time in
            let first = trigger.reference(time).elements.first
            return first.map { source(time).taking(until: $0.time) } ?? source(time)
          }
        })
    },
  ]

  static let combining: [Maker] = [
    { _ in
      ModelStep(
        "combineLatest(self)",
        { EventStream<(Int, Int), ModelFailure>.combineLatest($0, $0).map { $0.0 &* 3 &+ $0.1 } },
        { $0.combinedWithLatest($0) { $0 &* 3 &+ $1 } })
    },
    { _ in
      ModelStep(
        observed: "append(self)", { s, _ in s.append(s) },
        { source in { source($0).appending(source) } })
    },
    { random in
      let k = random.number(1...99)
      return ModelStep(
        "append(just \(k))", { $0.append(.just(k)) }, { $0.appending { Timeline.just(k, $0) } })
    },
    { random in
      let k = random.number(1...99)
      return ModelStep(
        observed: "startWith(\(k))", { s, _ in s.startWith(k) },
        { source in { Timeline([Timeline.Moment(time: $0, what: .next(k))] + source($0).moments) } }
      )
    },
    { random in
      let k = random.number(1...99)
      return ModelStep(
        "ifEmpty(\(k))", { $0.ifEmpty(default: k) },
        { t in t.elements.isEmpty ? t.atCompletion { _ in [k] } : t })
    },
    { _ in
      ModelStep(
        observed: "repeated", { s, _ in s.repeated(2) },
        { source in { source($0).appending(source) } })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        timed: "merge(self delayed by \(d))",
        { .merge($0, $0.delay(for: .microseconds(d), on: $1)) }, { $0.merged(with: $0.delayed(d)) })
    },
    { random in
      let d = random.number(1...6_000)
      return ModelStep(
        timed: "zip(self delayed by \(d))",
        { s, on in
          EventStream<(Int, Int), ModelFailure>.zip(s, s.delay(for: .microseconds(d), on: on))
            .map { $0.0 &- $0.1 &* 2 }
        }, { $0.zipped(with: $0.delayed(d)) { $0 &- $1 &* 2 } })
    },
    { _ in
      ModelStep(
        "withLatestFrom(self)", { s in s.withLatestFrom(s).map { $0.0 &* 2 &- $0.1 } },
        { $0.combined(withLatestFrom: $0) { $0 &* 2 &- $1 } })
    },
    { random in
      let n = random.number(0...2)
      return ModelStep(
        observed: "share(replay: \(n))",
        { s, _ in
          // Each observation shares its own run, since the reference has no other.
          .deferred {
            let shared = s.share(replay: n)
            return .merge(shared, shared.map { $0 &+ 1_000 })
          }
        }, { source in { source($0).shared(from: $0, replay: n) { $0 &+ 1_000 } } })
    },
  ]

  static let flattening: [Maker] = [
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMap(\(inner.name))", { $0.flatMap(inner.streams(on: $1)) },
        { $0.flatMapped(maxConcurrent: .max, inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "concatMap(\(inner.name))", { $0.concatMap(inner.streams(on: $1)) },
        { $0.flatMapped(maxConcurrent: 1, inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMapLatest(\(inner.name))",
        { $0.flatMapLatest(inner.streams(on: $1)) },
        { $0.flatMappedToLatest(inner.reference) })
    },
    { random in
      let inner = ModelInner(using: &random)
      return ModelStep(
        timed: "flatMapFirst(\(inner.name))", { $0.flatMapFirst(inner.streams(on: $1)) },
        { $0.flatMappedToFirst(inner.reference) })
    },
  ]

  static let recovering: [Maker] = [
    { random in
      let k = random.number(1...99)
      return ModelStep(
        "catch(just \(k))", { $0.catch { _ in .just(k) } },
        { $0.appendingToFailure { Timeline.just(k, $0) } })
    },
    { _ in
      ModelStep(
        observed: "retry", { s, _ in s.retry(2) },
        { source in { source($0).appendingToFailure(source) } })
    },
  ]

  static let all = [transforming, filtering, timed, combining, flattening, recovering]
    .flatMap { $0 }
}
