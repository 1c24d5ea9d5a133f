/// The numbers that an operator watches: counters, gauges and histograms, in the text format of
/// Prometheus.
///
///     let metrics = Metrics()
///     let posts = metrics.counter("board_posts_total", "Posts that were stored.")
///     metrics.gauge("board_topics", "Topics with posts.") { 7 }
///     posts.increment()
///     show(metrics.text)
///
/// The set is used in one isolation domain. Its counters, gauges and histograms may be used from any
/// thread. A name that is added again with the same kind and labels gives the same metric.
public final class Metrics {
  private enum Kind: String {
    case counter, gauge, histogram
  }

  private struct Entry {
    let name: String
    let help: String
    let kind: Kind
    let labels: [String]
    /// The family, for the same name again.
    let family: AnyObject?
    let append: (_ name: String, _ text: inout String) -> Void
  }

  /// The ends of the names of a histogram's parts.
  private static let suffixes = ["_bucket", "_sum", "_count"]

  private var entries: [Entry] = []
  private var updates: [(number: Int, body: () -> Void)] = []
  private var lastUpdate = 0

  /// Creates an empty set.
  public init() {}

  // MARK: - Adding

  /// Adds a counter. Its name ends with `_total` by convention.
  @discardableResult
  public func counter(_ name: String, _ help: String) -> Counter {
    counters(name, help, by: [])[[]]
  }

  /// Adds the counters of one name, which differ in the values of labels.
  @discardableResult
  public func counters(_ name: String, _ help: String, by labels: String...) -> MetricFamily<
    Counter
  > {
    counters(name, help, by: labels)
  }

  /// Adds the counters of one name, with labels that are not known in advance.
  @discardableResult
  public func counters(_ name: String, _ help: String, by labels: [String]) -> MetricFamily<Counter>
  {
    numbers(name, help, .counter, labels, { Counter() }) { "\($0.value)" }
  }

  /// Adds a counter whose number is read when the text is made.
  public func counter(_ name: String, _ help: String, _ read: @escaping () -> Double) {
    add(name, help, .counter, read)
  }

  /// Adds a gauge.
  @discardableResult
  public func gauge(_ name: String, _ help: String) -> Gauge {
    gauges(name, help, by: [])[[]]
  }

  /// Adds the gauges of one name, which differ in the values of labels.
  @discardableResult
  public func gauges(_ name: String, _ help: String, by labels: String...) -> MetricFamily<Gauge> {
    gauges(name, help, by: labels)
  }

  /// Adds the gauges of one name, with labels that are not known in advance.
  @discardableResult
  public func gauges(_ name: String, _ help: String, by labels: [String]) -> MetricFamily<Gauge> {
    numbers(name, help, .gauge, labels, { Gauge() }) { $0.value.inMetrics }
  }

  /// Adds a gauge whose number is read when the text is made.
  public func gauge(_ name: String, _ help: String, _ read: @escaping () -> Double) {
    add(name, help, .gauge, read)
  }

  /// Adds a histogram. By default its limits are for times in seconds.
  @discardableResult
  public func histogram(
    _ name: String, _ help: String, limits: [Double] = Histogram.secondLimits
  ) -> Histogram {
    histograms(name, help, limits: limits, by: [])[[]]
  }

  /// Adds the histograms of one name, which differ in the values of labels.
  @discardableResult
  public func histograms(
    _ name: String, _ help: String, limits: [Double] = Histogram.secondLimits, by labels: String...
  ) -> MetricFamily<Histogram> {
    histograms(name, help, limits: limits, by: labels)
  }

  /// Adds the histograms of one name, with labels that are not known in advance.
  @discardableResult
  public func histograms(
    _ name: String, _ help: String, limits: [Double] = Histogram.secondLimits, by labels: [String]
  ) -> MetricFamily<Histogram> {
    require(!labels.contains("le"), "The label \"le\" of a Histogram has its own meaning.")
    require(
      !entries.contains { entry in Self.suffixes.contains { name + $0 == entry.name } },
      "A metric has the name of a part of the histogram \(name).")
    return family(name, help, .histogram, labels) {
      Histogram(limits)
    } append: {
      histogram, name, labels, text in
      let content = histogram.content
      var count = 0
      for (limit, number) in zip(histogram.limits + [.infinity], content.counts) {
        count += number
        let all = labels + [("le", limit.inMetrics)]
        text += "\(name)_bucket\(all.inBraces) \(count)\n"
      }
      text += "\(name)_sum\(labels.inBraces) \(content.sum.inMetrics)\n"
      text += "\(name)_count\(labels.inBraces) \(count)\n"
    }
  }

  /// Adds a family whose metrics are one number each.
  private func numbers<Metric: Sendable>(
    _ name: String, _ help: String, _ kind: Kind, _ labels: [String],
    _ make: @escaping @Sendable () -> Metric, _ value: @escaping (Metric) -> String
  ) -> MetricFamily<Metric> {
    family(name, help, kind, labels, make) { metric, name, labels, text in
      text += "\(name)\(labels.inBraces) \(value(metric))\n"
    }
  }

  private func family<Metric: Sendable>(
    _ name: String, _ help: String, _ kind: Kind, _ labels: [String],
    _ make: @escaping @Sendable () -> Metric,
    append: @escaping (Metric, String, _ labels: [(String, String)], inout String) -> Void
  ) -> MetricFamily<Metric> {
    require(Set(labels).count == labels.count, "A label occurs twice: \(labels).")
    require(
      labels.allSatisfy { $0.isMetricName && !$0.hasPrefix("__") && !$0.contains(":") },
      "A label has letters, digits and underscores: \(labels).")
    if let known = entries.first(where: { $0.name == name }) {
      require(
        known.kind == kind && known.labels == labels && known.family != nil,
        "The metric \(name) exists with another kind or other labels.")
      if let family = known.family as? MetricFamily<Metric> { return family }
    }
    let family = MetricFamily(labels, make)
    add(
      Entry(name: name, help: help, kind: kind, labels: labels, family: family) { name, text in
        for (values, metric) in family.all {
          append(metric, name, Array(zip(labels, values)), &text)
        }
      })
    return family
  }

  private func add(_ name: String, _ help: String, _ kind: Kind, _ read: @escaping () -> Double) {
    add(
      Entry(name: name, help: help, kind: kind, labels: [], family: nil) { name, text in
        text += "\(name) \(read().inMetrics)\n"
      })
  }

  /// Adds a closure that is called each time before the text is made, for example to set gauges.
  ///
  /// *Disposal*: the closure is released.
  @discardableResult
  public func update(_ body: @escaping () -> Void) -> Disposable {
    lastUpdate += 1
    let number = lastUpdate
    updates.append((number, body))
    return Disposable { [weak self] in self?.updates.removeAll { $0.number == number } }
  }

  private func add(_ entry: Entry) {
    require(
      entry.name.isMetricName,
      "The name of a metric has letters, digits, underscores and colons: \"\(entry.name)\".")
    require(
      !entries.contains { $0.name == entry.name },
      "The metric \(entry.name) exists. A metric with a closure can be added only once.")
    require(
      !entries.contains { known in
        known.kind == .histogram && Self.suffixes.contains { known.name + $0 == entry.name }
      }, "The metric \(entry.name) has the name of a part of a histogram.")
    entries.append(entry)
  }

  // MARK: - Text

  /// The content type of ``text``.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  /// All metrics in the text format of Prometheus, in the order of their addition.
  public var text: String {
    for update in updates { update.body() }
    var text = ""
    for entry in entries {
      text += "# HELP \(entry.name) \(entry.help.escapedForHelp)\n"
      text += "# TYPE \(entry.name) \(entry.kind.rawValue)\n"
      entry.append(entry.name, &text)
    }
    return text
  }
}

extension [(String, String)] {
  /// The labels with their values, as in `{method="GET"}`.
  fileprivate var inBraces: String {
    if isEmpty { return "" }
    return "{" + map { "\($0)=\"\($1.escapedForLabel)\"" }.joined(separator: ",") + "}"
  }
}

extension Double {
  /// The number as Prometheus reads it.
  fileprivate var inMetrics: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Inf" : "+Inf" }
    return Int64(exactly: self).map { "\($0)" } ?? "\(self)"
  }
}

extension String {
  fileprivate var isMetricName: Bool {
    !isEmpty
      && utf8.enumerated().allSatisfy { index, byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "_"), UInt8(ascii: ":"):
          true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): index > 0
        default: false
        }
      }
  }

  fileprivate var escapedForHelp: String { escaped { $0 == "\\" } }

  fileprivate var escapedForLabel: String { escaped { $0 == "\\" || $0 == "\"" } }

  private func escaped(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case _ where isEscaped(scalar): text += "\\\(scalar)"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
