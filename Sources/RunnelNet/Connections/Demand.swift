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

  /// The readers that wait for more, by their identity.
  private var readers: [ObjectIdentifier: () -> Void] = [:]

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
    for hasIncreased in Array(readers.values) { hasIncreased() }
  }

  func use() {
    count -= 1
  }

  /// Calls a closure whenever the demand increases, until ``remove(_:)``.
  func add(_ reader: AnyObject, _ hasIncreased: @escaping () -> Void) {
    readers[ObjectIdentifier(reader)] = hasIncreased
  }

  func remove(_ reader: AnyObject) {
    release(readers.removeValue(forKey: ObjectIdentifier(reader)))
  }
}
