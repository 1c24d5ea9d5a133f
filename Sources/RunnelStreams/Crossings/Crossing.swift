import Glibc

/// The parameters of a crossing to another context.
@usableFromInline
struct Crossing: Sendable {
  /// One for each place in the program, which may make many crossings that drop elements.
  private static let logLimits = Monitor<[String: LogLimit]>([:])

  @usableFromInline let backlog: Backlog
  @usableFromInline let buffering: StreamBuffering
  @usableFromInline let location: SourceLocation?

  @usableFromInline
  init(
    _ backlog: Backlog? = nil, _ buffering: StreamBuffering = .unbounded,
    at location: SourceLocation?
  ) {
    buffering.check()
    self.backlog = backlog ?? Backlog()
    self.buffering = buffering
    self.location = location
  }

  /// The crossing of the results, with the same limits.
  @usableFromInline var back: Crossing {
    Crossing(
      Backlog(elements: backlog.elementLimit, bytes: backlog.byteLimit), at: location)
  }

  /// Counts elements that were sent, some of which may have been dropped.
  @usableFromInline
  func add(_ count: Int, dropped droppedCount: Int) {
    guard backlog.add(count, dropped: droppedCount) else { return }
    let place = location.map { "\($0)" } ?? "values"
    let crossings = Self.logLimits.withLock {
      $0[place, default: LogLimit()].count(at: timespec(after: .zero).duration)
    }
    guard let crossings else { return }
    Log("runnel.streams").notice(
      "A crossing has begun to drop elements.", ["crossing": place, "crossings": crossings])
  }

  /// The number of waiting elements that is reported.
  @usableFromInline static var growthLimit: Int { 100_000 }

  /// Reports that many elements wait, because their source cannot.
  @usableFromInline
  func reportGrowth() {
    Hooks.report(GrowingBacklog(waitingCount: Self.growthLimit, location: location))
  }
}

/// The elements that are kept where the receiver is slower than the stream.
@frozen
public enum StreamBuffering: Sendable, Hashable {
  /// Keeps all elements. A source that can wait, such as a connection, pauses while many wait. The
  /// elements of other sources accumulate, and ``Hooks/growingBacklog`` is called at 100,000.
  case unbounded
  /// Keeps the newest elements, up to a number. Older elements are dropped.
  case newest(Int)
  /// Keeps the oldest elements, up to a number. Elements that arrive while the buffer is full are
  /// dropped.
  case oldest(Int)

  /// Traps if the number is not positive.
  func check() {
    switch self {
    case .unbounded: break
    case .newest(let count), .oldest(let count):
      require(count > 0, "A buffer needs a size of at least 1.")
    }
  }

  /// Moves elements to those that wait. Returns the elements that are dropped.
  @inlinable
  func move<Element>(
    _ elements: inout Queue<Element>, to waiting: inout Queue<Element>
  ) -> Queue<Element> {
    var dropped = Queue<Element>()
    if case .oldest(let limit) = self {
      while waiting.count < limit, let element = elements.popFirst() { waiting.append(element) }
      swap(&elements, &dropped)
      return dropped
    }
    waiting.append(emptying: &elements)
    if case .newest(let limit) = self {
      while waiting.count > limit, let element = waiting.popFirst() { dropped.append(element) }
    }
    return dropped
  }
}
