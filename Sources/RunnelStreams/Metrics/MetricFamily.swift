/// The counters, gauges or histograms of one name, which differ in the values of labels.
///
///     let requests = Metrics().counters("requests_total", "Requests.", by: "method", "status")
///     requests["GET", "200"].increment()
///
/// Any thread may ask for one. After 10,000 combinations of values, all labels of a new one are
/// `other`, so that a client that invents values cannot fill the memory.
public final class MetricFamily<Metric: Sendable>: Sendable {
  typealias Member = (values: [String], metric: Metric)

  static var largestCount: Int { 10_000 }

  /// The names of the labels.
  public let labels: [String]
  private let make: @Sendable () -> Metric
  private let members = Monitor<[[String]: Metric]>([:])

  init(_ labels: [String], _ make: @escaping @Sendable () -> Metric) {
    self.labels = labels
    self.make = make
  }

  /// The metric with these values, in the order of the labels. It is made when it is first asked for.
  public subscript(_ values: String...) -> Metric { self[values] }

  /// The metric with these values, as with a value for each label.
  public subscript(_ values: [String]) -> Metric {
    require(
      values.count == labels.count,
      "A metric with the labels \(labels) needs as many values, not \(values).")
    return members.withLock { members in
      if let known = members[values] { return known }
      var key = values
      if members.count >= Self.largestCount {
        key = values.map { _ in "other" }
        if let known = members[key] { return known }
      }
      let metric = make()
      members[key] = metric
      return metric
    }
  }

  package func contains(_ values: [String]) -> Bool {
    members.withLock { $0[values] != nil }
  }

  /// The metrics, ordered by the values of their labels.
  var all: [Member] {
    members.withLock { $0.map { ($0.key, $0.value) } }
      .sorted { $0.values.lexicographicallyPrecedes($1.values) }
  }
}
