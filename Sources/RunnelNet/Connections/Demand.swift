import RunnelStreams

/// The number of elements that a consumer is ready to receive. A connection reads no further when
/// it is used up.
///
///     let demand = Demand(1)
///     connection.lines(demand: demand).via(worker) { $0.map(slowly) }.observe(next: { result in
///       show(result)
///       demand.request(1)
///     })
public final class Demand {
  /// The number of elements that may still be sent.
  public private(set) var count: Int

  var hasIncreased: (() -> Void)?

  /// Creates a demand for some elements.
  public init(_ count: Int = 0) {
    require(count >= 0, "A Demand cannot be negative.")
    self.count = count
  }

  /// Adds to the demand.
  public func request(_ more: Int = 1) {
    require(more >= 0, "A Demand cannot be negative.")
    let (sum, overflows) = count.addingReportingOverflow(more)
    count = overflows ? .max : sum
    hasIncreased?()
  }

  func use() {
    count -= 1
  }
}
