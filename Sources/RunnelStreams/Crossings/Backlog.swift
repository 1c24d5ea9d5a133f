import Synchronization

/// The elements that wait where a stream crosses to another context: how many may, and how many do.
///
///     let backlog = Backlog(elements: 100)
///     measurements.via(worker, backlog: backlog) { $0.map(slowly) }.observeNext { show($0) }
///     if backlog.waitingCount > 50 { show("behind") }
///
/// A source that can wait, such as a connection or a pipe, pauses while as many elements wait as the
/// limits allow. The other context takes all of them at once, so as many again may be in use there.
/// Other sources, such as timers and subjects, do not wait: see ``StreamBuffering``.
public final class Backlog: Sendable {
  /// The number of elements at which a source pauses.
  public let elementLimit: Int
  /// The number of bytes at which a source pauses. Strings and arrays of bytes count.
  public let byteLimit: Int
  private let waiting = Atomic(0)
  private let dropped = Atomic(0)
  private static let totalDropped = Atomic(0)

  /// Creates limits, by default 2,048 elements and 512 KiB.
  public init(elements elementLimit: Int = 2048, bytes byteLimit: Int = 1 << 19) {
    require(elementLimit > 0 && byteLimit > 0, "The limits of a Backlog must be positive.")
    self.elementLimit = elementLimit
    self.byteLimit = byteLimit
  }

  /// The number of elements that wait now.
  public var waitingCount: Int { waiting.load(ordering: .relaxed) }

  /// The number of elements that were dropped, as ``StreamBuffering`` says.
  public var droppedCount: Int { dropped.load(ordering: .relaxed) }

  /// The number of elements that were dropped at all crossings of the program.
  public static var droppedTotal: Int { totalDropped.load(ordering: .relaxed) }

  /// True if a source must pause before more elements wait.
  @usableFromInline
  func isReached(by count: Int, _ weight: Int) -> Bool {
    count >= elementLimit || weight >= byteLimit
  }

  /// Counts elements that were sent. Some of them, or as many that waited, were dropped. Returns true
  /// if they are the first ones that were dropped.
  func add(_ count: Int, dropped droppedCount: Int) -> Bool {
    waiting.add(count - droppedCount, ordering: .relaxed)
    if droppedCount == 0 { return false }
    Self.totalDropped.add(droppedCount, ordering: .relaxed)
    return dropped.add(droppedCount, ordering: .relaxed).oldValue == 0
  }

  /// Counts elements that no longer wait.
  @usableFromInline
  func remove(_ count: Int) {
    waiting.subtract(count, ordering: .relaxed)
  }
}
