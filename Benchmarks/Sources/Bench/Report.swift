import CAllocations

/// The unit of a figure.
enum Unit: String {
  case nanoseconds = "ns"
  case ratio = "× baseline"
  case allocations
  case blocks = "more blocks"
  case bytes
}

/// The figures of one benchmark group, which are measured, printed and compared with their limits.
struct Report {
  enum Mode {
    /// Prints without comparing.
    case show
    /// Fails if a figure exceeds its limit.
    case check
    /// Fails if a count exceeds its limit, or a time exceeds its limit by more than the slack for
    /// noisy machines.
    case ci
  }

  /// The factor by which a time may exceed its limit in CI. The default is 3. Groups that do not
  /// meet their limits yet have a larger one.
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

  /// Adds the best time of several runs, divided by `count` repetitions.
  mutating func time(_ name: String, per count: Int, _ body: () -> Void) {
    let figure = quietest(name) { nanoseconds(per: count, body) }
    add(name, figure, .nanoseconds)
  }

  /// Adds the best time of several runs, divided by that of a baseline in the same process.
  mutating func ratio(
    _ name: String, per count: Int, baseline: () -> Void, measured: () -> Void
  ) {
    let measure = self
    addRatio(
      name, beside: { measure.nanoseconds(per: count, baseline) },
      { measure.nanoseconds(per: count, measured) })
  }

  /// Adds the difference between the best time of several runs and that of a baseline in the same
  /// process.
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

  /// Adds the number of allocations of one repetition, measured after a warm-up run.
  mutating func allocations(_ name: String, per count: Int = 1, _ body: () -> Void) {
    body()
    let before = allocations_made()
    body()
    add(name, Double(allocations_made() - before) / Double(count), .allocations)
  }

  /// Adds the growth of the number of live blocks during the body, measured after a warm-up run.
  mutating func growth(_ name: String, warmUp: () -> Void, _ body: () -> Void) {
    warmUp()
    let before = allocations_alive()
    body()
    add(name, Double(allocations_alive() - before), .blocks)
  }

  /// Adds a number of bytes.
  mutating func bytes(_ name: String, _ count: Int) {
    add(name, Double(count), .bytes)
  }

  /// Adds the memory per element of a structure, excluding the elements themselves.
  mutating func memory<Kept>(
    _ name: String, per count: Int, beyond elements: (Kept) -> Int, _ make: () -> Kept
  ) {
    let before = allocations_bytes()
    let kept = make()
    let bytes = Int(allocations_bytes() - before) - elements(kept)
    add(name, Double(bytes) / Double(count), .bytes)
    consume(kept)
  }

  /// Reports limits whose figures were not measured as failures.
  mutating func finish() {
    for name in limits.keys.sorted() where !judged.contains(name) {
      print("  \(name): has a limit, but was not measured")
      failures += 1
    }
  }

  /// Adds the best of several figures that the body measures, in nanoseconds.
  mutating func best(_ name: String, _ body: () -> Double) {
    let figure = quietest(name) { Self.best(of: body) }
    add(name, figure, .nanoseconds)
  }

  /// Adds the best of several figures, and prints the best of a baseline for comparison.
  mutating func best(_ name: String, beside baseline: () -> Double, _ body: () -> Double) {
    var base = Double.infinity
    let figure = quietest(name) {
      base = min(base, Self.best(of: baseline))
      return Self.best(of: body)
    }
    add(name, figure, beside: base)
  }

  /// Adds the best of several figures, divided by the best of a baseline.
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

  /// Returns the minimum of several measurements. Other work can slow a machine down for seconds,
  /// so a figure above its limit is measured up to nine more times.
  private func quietest(_ name: String, _ measure: () -> Double) -> Double {
    var least = measure()
    for _ in 0..<9 {
      guard let limit = limits[name], least > limit else { break }
      least = min(least, measure())
    }
    return least
  }

  /// Adds a figure in nanoseconds that was measured elsewhere, and prints a baseline in C for
  /// comparison.
  mutating func add(_ name: String, _ figure: Double, beside baseline: Double) {
    add(name, figure, .nanoseconds, "C: \(rounded(baseline)) ns")
  }

  /// Adds a figure in nanoseconds that was measured elsewhere, and prints the time of recomputing
  /// everything.
  mutating func add(_ name: String, _ figure: Double, besideRecomputing baseline: Double) {
    add(name, figure, .nanoseconds, "recomputed: \(rounded(baseline)) ns")
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
  /// The duration in nanoseconds, for arithmetic.
  var nanoseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e9 + Double(attoseconds) / 1e9
  }
}

/// Prevents the optimizer from removing an unused value.
@inline(never)
func consume<Value>(_ value: Value) {
  withExtendedLifetime(value) {}
}

/// A sum to which the observers of benchmarks add. A captured variable would be checked for
/// exclusive access on each event, which takes longer than the measured operation.
final class Sum {
  @exclusivity(unchecked) var total = 0

  @inline(__always)
  func add(_ number: Int) { total &+= number }
}
