extension StreamProtocol {
  /// Waits for the first element and returns it; nil if the stream completes without one or the
  /// task is cancelled.
  ///
  ///     if let name = await names.first() { show(name) }
  ///
  /// *Disposal*: the observation ends when this method returns, also after cancellation.
  public func first(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    // `take(1)` completes at the first element, which stops a source with a loop (C8).
    try await StreamReader(take(1), Crossing(at: nil)).next(isolation: isolation)
  }
}
