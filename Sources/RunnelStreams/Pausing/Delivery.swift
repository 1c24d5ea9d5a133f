import Glibc
import Synchronization

/// Elements that a sender collects while a source delivers, and sends together afterwards.
@usableFromInline
package protocol Outbox: AnyObject {
  func sendCollected()
}

/// The state of one thread while it delivers: the source that can wait, which a full place pauses, and
/// the work of an operator.
@usableFromInline
package final class Delivery {
  private static let perThread = ThreadLocal { Delivery() }
  private static let begun = Atomic(false)

  @exclusivity(unchecked) private var source: (any PausableSource)?
  @exclusivity(unchecked) private var work: Work?
  @exclusivity(unchecked) private var outboxes: [any Outbox] = []
  /// The number of outboxes that belong to outer deliveries.
  @exclusivity(unchecked) private var outerCount = 0
  /// The time at which the outboxes were called last.
  @exclusivity(unchecked) private var sentAt = 0

  /// The source that delivers on this thread now; nil if the present event comes from a source that
  /// cannot wait.
  @usableFromInline
  package static var source: (any PausableSource)? { perThread.value.source }

  /// Runs a closure in which a source delivers.
  @usableFromInline
  package static func from<Output>(
    _ source: any PausableSource, _ body: () -> Output
  ) -> Output {
    if !hasBegun { begun.store(true, ordering: .relaxed) }
    let delivery = perThread.value
    let outer = exchange(&delivery.source, with: source)
    let outerCount = exchange(&delivery.outerCount, with: delivery.outboxes.count)
    defer {
      delivery.sendCollected()
      delivery.outerCount = outerCount
      delivery.source = outer
    }
    return body()
  }

  /// True once a source that can wait has delivered in this program. Until then nothing has to be known
  /// about work.
  @usableFromInline static var hasBegun: Bool { begun.load(ordering: .relaxed) }

  /// The work of the operator whose inner stream runs on this thread now.
  static var work: Work? { perThread.value.work }

  /// Sets the work of this thread, and returns the previous one.
  @usableFromInline
  static func setWork(_ work: Work?) -> Work? {
    exchange(&perThread.value.work, with: work)
  }

  /// Calls an outbox at the end of the present delivery. Returns false if there is none.
  @usableFromInline
  static func postpone(_ outbox: any Outbox) -> Bool {
    let delivery = perThread.value
    guard delivery.source != nil else { return false }
    delivery.outboxes.append(outbox)
    return true
  }

  /// Calls the outboxes if the last time is a few milliseconds ago. A source that delivers many elements
  /// calls it after each, because the work of an element may take long.
  @usableFromInline
  static func sendIfLate() {
    let delivery = perThread.value
    guard delivery.outboxes.count > delivery.outerCount else { return }
    var time = timespec()
    // The coarse clock advances every few milliseconds, and costs little.
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    let now = time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
    if exchange(&delivery.sentAt, with: now) != now { delivery.sendCollected() }
  }

  /// Calls the outboxes of the innermost delivery.
  private func sendCollected() {
    while outboxes.count > outerCount { outboxes.remove(at: outerCount).sendCollected() }
  }
}
