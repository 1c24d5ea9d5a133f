import RunnelStreams

extension StreamProtocol where Element == Double {
  /// Sends the average of the elements so far, at each element.
  public func runningAverage() -> EventStream<Double, Failure> {
    scan((sum: 0.0, count: 0.0)) { ($0.sum + $1, $0.count + 1) }.map { $0.sum / $0.count }
  }
}
