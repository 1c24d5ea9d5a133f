import CAllocations

/// What a figure counts.
enum Unit: String {
  case nanoseconds = "ns"
  case ratio = "× baseline"
  case allocations
  case blocks = "blocks more"
  case bytes
}

/// Measures, prints and judges the figures of one group.
struct Report {
  enum Mode {
    /// Only print.
    case show
    /// Every limit holds.
    case check
    /// Counts hold to the number, times with some slack: a noisy machine never fails.
    case ci
  }

  /// How far beyond its limit a time may be in CI: three times, and more where the limits are not
  /// reached yet.
  private static let slack = ["collections": 8.0]

  let group: String
  let limits: [String: Double]
  let mode: Mode
  private(set) var failures = 0
  private(set) var judged: Set<String> = []

  init(group: String, limits: [String: Double], mode: Mode) {
    self.group = group
    self.limits = limits
    self.mode = mode
    print("\(group)")
  }

  /// The best time of several runs, for one of `count` repetitions.
  mutating func time(_ name: String, per count: Int, _ body: () -> Void) {
    let figure = quietest(name) { nanoseconds(per: count, body) }
    add(name, figure, .nanoseconds)
  }

  /// The best time of several runs over that of the baseline in the same process.
  mutating func ratio(
    _ name: String, per count: Int, baseline: () -> Void, measured: () -> Void
  ) {
    let measure = self
    addRatio(
      name, beside: { measure.nanoseconds(per: count, baseline) },
      { measure.nanoseconds(per: count, measured) })
  }

  /// What the best time of several runs takes beyond that of the baseline in the same process.
  mutating func excess(
    _ name: String, per count: Int, baseline: () -> Void, measured: () -> Void
  ) {
    var base = Double.infinity
    var figure = Double.infinity
    let excess = quietest(name) {
      base = min(base, nanoseconds(per: count, baseline))
      figure = min(figure, nanoseconds(per: count, measured))
      return figure - base
    }
    add(name, excess, .nanoseconds, "\(rounded(figure)) ns beside \(rounded(base)) ns")
  }

  /// How many blocks one repetition allocates, after one to warm up.
  mutating func allocations(_ name: String, per count: Int = 1, _ body: () -> Void) {
    body()
    let before = allocations_made()
    body()
    add(name, Double(allocations_made() - before) / Double(count), .allocations)
  }

  /// How many more blocks are alive after the body than before, after one run to warm up.
  mutating func growth(_ name: String, warmUp: () -> Void, _ body: () -> Void) {
    warmUp()
    let before = allocations_alive()
    body()
    add(name, Double(allocations_alive() - before), .blocks)
  }

  /// How many bytes something is.
  mutating func bytes(_ name: String, _ count: Int) {
    add(name, Double(count), .bytes)
  }

  /// How many bytes something takes for each element, beyond what the elements themselves take.
  mutating func memory<Kept>(
    _ name: String, per count: Int, beyond elements: (Kept) -> Int, _ make: () -> Kept
  ) {
    let before = allocations_bytes()
    let kept = make()
    let bytes = Int(allocations_bytes() - before) - elements(kept)
    add(name, Double(bytes) / Double(count), .bytes)
    consume(kept)
  }

  /// Says that a limit names a figure that was not measured.
  mutating func finish() {
    for name in limits.keys.sorted() where !judged.contains(name) {
      print("  \(name): has a limit, but was not measured")
      failures += 1
    }
  }

  /// The best of several figures that the body measures itself, in nanoseconds.
  mutating func best(_ name: String, _ body: () -> Double) {
    let figure = quietest(name) { Self.best(of: body) }
    add(name, figure, .nanoseconds)
  }

  /// The same, beside the best of a baseline.
  mutating func best(_ name: String, beside baseline: () -> Double, _ body: () -> Double) {
    var base = Double.infinity
    let figure = quietest(name) {
      base = min(base, Self.best(of: baseline))
      return Self.best(of: body)
    }
    add(name, figure, beside: base)
  }

  /// The best of several figures over the best of a baseline.
  mutating func ratio(_ name: String, beside baseline: () -> Double, _ body: () -> Double) {
    addRatio(name, beside: { Self.best(of: baseline) }, { Self.best(of: body) })
  }

  private mutating func addRatio(
    _ name: String, beside baseline: () -> Double, _ body: () -> Double
  ) {
    var base = Double.infinity
    var figure = Double.infinity
    let ratio = quietest(name) {
      base = min(base, baseline())
      figure = min(figure, body())
      return figure / base
    }
    add(name, ratio, .ratio, "\(rounded(figure)) ns beside \(rounded(base)) ns")
  }

  /// The least of several measurements of one thing. A machine that has other work too is slower for
  /// seconds on end: what passes its limit is measured again, and passes only if it always does.
  private func quietest(_ name: String, _ measure: () -> Double) -> Double {
    var least = measure()
    for _ in 0..<9 {
      guard let limit = limits[name], least > limit else { break }
      least = min(least, measure())
    }
    return least
  }

  /// A figure in nanoseconds that was measured elsewhere, beside a baseline.
  mutating func add(_ name: String, _ figure: Double, beside baseline: Double) {
    add(name, figure, .nanoseconds, "C: \(rounded(baseline)) ns")
  }

  /// A figure in nanoseconds that was measured elsewhere, beside what doing all of it anew takes.
  mutating func add(_ name: String, _ figure: Double, besideRecomputing baseline: Double) {
    add(name, figure, .nanoseconds, "anew: \(rounded(baseline)) ns")
  }

  private static func best(of body: () -> Double) -> Double {
    (0..<20).map { _ in body() }.min() ?? .infinity
  }

  private func nanoseconds(per count: Int, _ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    body()
    let best = (1...100).map { _ in clock.measure(body) }.min() ?? .zero
    return best.nanoseconds / Double(count)
  }

  private mutating func add(_ name: String, _ value: Double, _ unit: Unit, _ detail: String = "") {
    judged.insert(name)
    var line = "  \(name): \(rounded(value)) \(unit.rawValue)"
    if !detail.isEmpty { line += " (\(detail))" }
    if let limit = limits[name] {
      line += ", limit \(rounded(limit))"
      let isTime = unit == .nanoseconds || unit == .ratio
      let slack = mode == .ci && isTime ? Self.slack[group] ?? 3 : 1
      if mode != .show && value > limit * slack {
        line += "  FAILED"
        failures += 1
      } else if value > limit {
        line += "  over"
      }
    }
    print(line)
  }

  private func rounded(_ value: Double) -> String {
    let hundredths = (value * 100).rounded()
    return hundredths.truncatingRemainder(dividingBy: 100) == 0
      ? "\(Int(hundredths / 100))" : "\(hundredths / 100)"
  }
}

extension Duration {
  /// As a number, for arithmetic with figures.
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }
}

/// Keeps the optimizer from seeing that a value is not used.
@inline(never)
func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

/// What an observer of a benchmark adds to. A captured variable would cost each event a dynamic check
/// of exclusive access, which is dearer than what is measured.
final class Sum {
  @exclusivity(unchecked) var total = 0

  @inline(__always)
  func add(_ number: Int) { total &+= number }
}
