import Synchronization

/// A value that a thread uses while it runs a block.
package final class ThreadOverride<Value>: Sendable {
  private final class Slot {
    var value: Value?
  }

  private let slots = ThreadLocal { Slot() }
  private let users = Atomic(0)

  /// Creates a place without a value. It is never freed: keep it in a `static let`.
  init() {}

  /// True while any thread has a value, or after ``markUsed()``.
  var isUsed: Bool { users.load(ordering: .relaxed) > 0 }

  /// The value of the calling thread, or nil.
  var current: Value? { isUsed ? slots.value.value : nil }

  func markUsed() {
    users.add(1, ordering: .relaxed)
  }

  /// Runs a block with a value on the calling thread.
  package func with<Result, Failure: Error>(
    _ value: Value, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let slot = slots.value
    let previous = slot.value
    slot.value = value
    users.add(1, ordering: .relaxed)
    defer {
      users.subtract(1, ordering: .relaxed)
      slot.value = previous
    }
    return try body()
  }
}
