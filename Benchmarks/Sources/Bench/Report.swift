import CAllocations
import Glibc

/// The unit of a figure.
enum Unit: String, Decodable {
  /// A time, divided by that of a baseline in the same run. All limits of times have this unit.
  case ratio
  case allocations
  case blocks = "more blocks"
  case bytes
  case threads
  case wakeUps = "wake-ups"
  /// A time without a baseline. It has no limit, because it depends on the machine.
  case nanoseconds = "ns"
}

/// The largest value that a figure may have.
struct Limit: Decodable {
  let limit: Double
  let unit: Unit
  /// The name of the baseline, for a ratio.
  let comparedTo: String?
}

/// The figures of one benchmark group, which are measured, printed and compared with their limits.
struct Report {
  enum Mode {
    /// Prints without comparing.
    case show
    /// Fails if a figure exceeds its limit.
    case check
    /// Fails if a count exceeds its limit, or a ratio exceeds its limit by more than the slack for
    /// noisy machines.
    case ci
  }

  /// The factor by which a ratio may exceed its limit.
  private var allowance: Double { mode == .ci ? 3 : 1 }

  let limits: [String: Limit]
  let mode: Mode
  private(set) var failures = 0
  private(set) var judged: Set<String> = []

  init(group: String, limits: [String: Limit], mode: Mode) {
    self.limits = limits
    self.mode = mode
    print("\(group)")
  }

  // MARK: - Times

  /// Adds the best time of several runs, divided by that of a baseline. Each closure does the work
  /// `count` times.
  ///
  /// - Parameter limit: The name of the limit, if it is that of several figures.
  mutating func ratio(
    _ name: String, per count: Int, limit: String? = nil, baseline: () -> Void,
    measured: () -> Void
  ) {
    ratio(
      name, attempts: 100, limit: limit, beside: { Self.nanoseconds(per: count, baseline) },
      { Self.nanoseconds(per: count, measured) })
  }

  /// Adds the best of several figures in nanoseconds, divided by the best of a baseline.
  ///
  /// - Parameter alternates: True if both take turns, so that a change of the machine's speed meets both.
  mutating func ratio(
    _ name: String, attempts: Int = 20, limit: String? = nil, alternates: Bool = false,
    beside baseline: () -> Double, _ measured: () -> Double
  ) {
    var least = (figure: Double.infinity, base: 1.0)
    // With slack, a tenth of the attempts is enough to notice a figure that grows beyond it.
    let attempts = mode == .ci ? max(3, attempts / 10) : attempts
    // Other work can slow a machine down for seconds, so a figure above its limit is measured up to
    // nine more times.
    for _ in 0..<10 {
      var (base, figure) = (Double.infinity, Double.infinity)
      let rounds = alternates ? attempts : 1
      for _ in 0..<rounds {
        base = min(base, best(of: attempts / rounds, baseline))
        figure = min(figure, best(of: attempts / rounds, measured))
      }
      if figure / base < least.figure / least.base { least = (figure, base) }
      guard let most = limits[limit ?? name]?.limit, figure / base > most * allowance else { break }
    }
    ratio(name, least.figure, to: least.base, limit: limit)
  }

  /// Adds a figure in nanoseconds that was measured elsewhere, divided by that of a baseline.
  mutating func ratio(_ name: String, _ figure: Double, to base: Double, limit: String? = nil) {
    add(
      name, figure / base, .ratio, "\(rounded(figure)) ns beside \(rounded(base)) ns", limit: limit)
  }

  /// Adds the best of several figures in nanoseconds.
  mutating func best(_ name: String, _ body: () -> Double) {
    add(name, best(of: 20, body), .nanoseconds)
  }

  private func best(of attempts: Int, _ body: () -> Double) -> Double {
    (0..<attempts).map { _ in body() }.min() ?? .infinity
  }

  private static func nanoseconds(per count: Int, _ body: () -> Void) -> Double {
    ContinuousClock().measure(body).nanoseconds / Double(count)
  }

  // MARK: - Counts

  /// Adds the number of allocations of one repetition, measured after a warm-up run.
  mutating func allocations(_ name: String, per count: Int = 1, _ body: () -> Void) {
    body()
    let before = allocations_made()
    body()
    add(name, Double(allocations_made() - before) / Double(count), .allocations)
  }

  /// Adds a number of allocations that was counted elsewhere.
  mutating func count(_ name: String, _ allocations: Double) {
    add(name, allocations, .allocations)
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

  /// Adds a number of things of another kind.
  mutating func number(_ name: String, _ count: Int, _ unit: Unit) {
    add(name, Double(count), unit)
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

  // MARK: - Judging

  /// Reports limits whose figures were not measured as failures.
  mutating func finish() {
    for name in limits.keys.sorted() where !judged.contains(name) {
      print("  \(name): has a limit, but was not measured")
      failures += 1
    }
  }

  private mutating func add(
    _ name: String, _ value: Double, _ unit: Unit, _ detail: String = "", limit key: String? = nil
  ) {
    judged.insert(key ?? name)
    let limit = limits[key ?? name]
    var line = "  \(name): \(rounded(value)) "
    line += unit == .ratio ? "× \(limit?.comparedTo ?? "the baseline")" : unit.rawValue
    if !detail.isEmpty { line += " (\(detail))" }
    if let limit {
      line += ", limit \(rounded(limit.limit))"
      if unit == .nanoseconds || limit.unit != unit || (unit == .ratio) == (limit.comparedTo == nil)
      {
        line += "  FAILED: the entry needs the unit of the figure, which is a ratio or a count"
        failures += 1
      } else if mode != .show && !(value <= limit.limit * (unit == .ratio ? allowance : 1)) {
        line += "  FAILED"
        failures += 1
      } else if value > limit.limit {
        line += "  over"
      }
    }
    print(line)
  }

  /// Returns a number with at least two significant digits.
  private func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "\(value)" }
    var digits = 2
    while digits < 6, value != 0, abs(value) < 10 * pow(10, Double(-digits)) { digits += 1 }
    let scale = pow(10, Double(digits))
    let number = (value * scale).rounded() / scale
    return number == number.rounded() ? "\(Int(number))" : "\(number)"
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
