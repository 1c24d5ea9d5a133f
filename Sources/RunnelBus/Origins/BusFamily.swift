import RunnelStreams

/// The numbers of events that leave a bus and the buses within it, and the identities of these buses.
///
/// Numbers are the time of the system in microseconds, and larger than all that were given or
/// received before. An event that was published later, on any machine, therefore has the larger
/// number, as far as a program can know.
final class BusFamily {
  /// The largest distance, in microseconds, that a received number may be ahead of the clock: about
  /// 71 years. A machine without a battery may begin in 1970, and its peers are right. A hostile peer
  /// must not use the numbers up.
  private static let largestStep: UInt64 = 1 << 51

  let inputs: StampInputs
  private var lastNumber: UInt64 = 0
  private var identities = Generations<UInt128, BusIdentity>(limit: 4_096)
  /// The number of the last event of each topic.
  private var lastNumbers = Generations<OriginTopic, UInt64>(limit: 16_384)

  init(_ inputs: StampInputs) {
    self.inputs = inputs
  }

  /// Returns the stamp of the next event of a bus on a topic.
  func nextStamp(of origin: BusIdentity, on topic: String) -> EventStamp {
    lastNumber = max(lastNumber + 1, inputs.clock())
    identities[origin.id] = origin
    let key = OriginTopic(origin: origin.id, topic: topic)
    // If the last event of the topic is forgotten, receivers see a gap before this one.
    let previous = lastNumbers[key] ?? (lastNumbers.hasForgotten ? lastNumber - 1 : 0)
    lastNumbers[key] = lastNumber
    return EventStamp(origin: origin.id, number: lastNumber, previous: previous)
  }

  /// Makes later numbers larger than a received one.
  func note(_ stamp: EventStamp) {
    lastNumber = max(lastNumber, min(stamp.number, largestCredible))
  }

  /// False if no event could be later for years: the clock of its program is wrong.
  func isCredible(_ stamp: EventStamp) -> Bool { stamp.number <= largestCredible }

  private var largestCredible: UInt64 { inputs.clock() + Self.largestStep }

  /// The bus of this family that has stamped an event.
  func origin(of stamp: EventStamp) -> BusIdentity? { identities[stamp.origin] }
}
