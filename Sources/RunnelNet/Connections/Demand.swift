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

  /// The sources that are paused while the demand is used up, by the identity of their readers.
  private var sources: [ObjectIdentifier: any PausableSource] = [:]

  /// Creates a demand for some elements.
  public init(_ count: Int = 0) {
    require(count >= 0, "A Demand cannot be negative.")
    self.count = count
  }

  /// Adds to the demand.
  public func request(_ more: Int = 1) {
    require(more >= 0, "A Demand cannot be negative.")
    let wasUsedUp = count == 0
    count = count.plus(more)
    guard wasUsedUp, count > 0 else { return }
    for source in sources.values { source.resume() }
  }

  func use() {
    count -= 1
    guard count == 0 else { return }
    for source in sources.values { source.pause() }
  }

  /// Pauses the source of a reader while the demand is used up, until ``remove(_:)``.
  func add(_ source: any PausableSource, of reader: AnyObject) {
    sources[ObjectIdentifier(reader)] = source
    if count == 0 { source.pause() }
  }

  func remove(_ reader: AnyObject) {
    guard let source = sources.removeValue(forKey: ObjectIdentifier(reader)) else { return }
    if count == 0 { source.resume() }
  }
}
