import RunnelStreams

/// The numbers of events that leave a bus and the buses within it, and the identities of these buses.
///
/// Numbers begin with the time of the system in microseconds, and are larger than all that were
/// received. An event that was published later, on any machine, therefore has the larger number, as
/// far as a program can know.
final class BusFamily {
  /// The most by which a received number advances the own ones: a peer with a wrong clock, or a
  /// hostile one, cannot use the numbers up.
  private static let largestStep: UInt64 = 1 << 40

  private lazy var lastNumber = UInt64(max(LogEntry.now / .microseconds(1), 0))
  private var identities = Generations<UInt128, BusIdentity>(limit: 4_096)

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Makes later numbers larger than a received one.
  func note(_ stamp: EventStamp) {
    guard stamp.number > lastNumber else { return }
    lastNumber = min(stamp.number, lastNumber + Self.largestStep, EventStamp.largestNumber / 2)
  }

  func add(_ identity: BusIdentity, as id: UInt128) {
    identities[id] = identity
  }

  /// The bus of this family that has stamped an event.
  func origin(of stamp: EventStamp) -> BusIdentity? { identities[stamp.origin] }
}
