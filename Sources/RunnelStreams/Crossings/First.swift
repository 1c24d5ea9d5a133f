extension StreamProtocol {
  /// Waits for the first element; nil if the stream completes without one, or the task is cancelled.
  ///
  ///     if let name = await names.first() { show(name) }
  ///
  /// *Disposal*: the observation ends with the wait, and so it does when the task is cancelled.
  public func first(
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> Element? {
    // Completing at the first element is what stops a source that loops (C8).
    try await StreamReader(take(1), .oldest(1)).next(isolation: isolation)
  }
}
