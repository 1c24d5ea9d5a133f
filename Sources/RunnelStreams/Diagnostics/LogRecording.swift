import Synchronization

/// The closure that takes the log entries of one thread, for tests.
package enum LogRecording {
  private final class Slot {
    static let perThread = ThreadLocal { Slot() }
    var record: ((LogEntry) -> Void)?
  }

  private static let count = Atomic(0)

  /// The closure of the calling thread, or nil.
  static var current: ((LogEntry) -> Void)? {
    count.load(ordering: .relaxed) == 0 ? nil : Slot.perThread.value.record
  }

  /// Passes the entries of all levels that this thread logs while the body runs to a closure. They go
  /// nowhere else.
  package static func recording<Result, Failure: Error>(
    _ record: @escaping (LogEntry) -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let slot = Slot.perThread.value
    let previous = slot.record
    slot.record = record
    count.add(1, ordering: .relaxed)
    defer {
      count.subtract(1, ordering: .relaxed)
      slot.record = previous
    }
    return try body()
  }
}

/// The threads that are in ``Hooks/log``.
enum LogDelivery {
  private final class Slot {
    static let perThread = ThreadLocal { Slot() }
    var isDelivering = false
  }

  /// Runs the first closure, or the second one if the thread is already in the first one.
  static func once(_ deliver: () -> Void, nested: () -> Void) {
    let slot = Slot.perThread.value
    if slot.isDelivering { return nested() }
    slot.isDelivering = true
    defer { slot.isDelivering = false }
    deliver()
  }
}
