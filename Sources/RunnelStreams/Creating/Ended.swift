extension EventStream {
  /// A stream without elements that completes at once.
  ///
  ///     completed   |
  ///
  ///     EventStream<Int, Never>.completed.observe(completed: { print("done") })  // done
  @inlinable
  public static var completed: EventStream {
    .unguarded { $0.completed() }
  }

  /// Returns a stream that fails at once.
  ///
  ///     failed(e)   X
  ///
  ///     EventStream<Int, LoadError>.failed(.offline).observe(failed: { print($0) })  // offline
  @inlinable
  public static func failed(_ error: Failure) -> EventStream {
    .unguarded { $0.failed(error) }
  }

  /// A stream that never sends an event.
  ///
  ///     never   -----
  ///
  ///     EventStream<Int, Never>.never.observe { _ in print("not reached") }
  @inlinable
  public static var never: EventStream {
    .unguarded { _ in }
  }
}
