/// A bus as the origin of events. It may outlive the bus.
final class BusIdentity {
  /// The identity of the bus around it.
  private let parent: BusIdentity?
  private let id = UInt128.random(in: 1 ... .max)
  /// The number of the last event of each topic.
  private var lastNumbers = Generations<String, UInt64>(limit: 16_384)

  init(within parent: BusIdentity?) {
    self.parent = parent
  }

  /// A number below a limit, by which buses that do the same thing do it at different times.
  func spread(below limit: Int) -> Int { Int(id % UInt128(limit)) }

  /// True if events of this bus are delivered on the other one: it is the same or a parent.
  func reaches(_ other: BusIdentity) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }

  /// Returns the stamp of the next event on a topic.
  func nextStamp(on topic: String, in family: BusFamily) -> EventStamp {
    let number = family.nextNumber()
    family.add(self, as: id)
    // If the last event of the topic is forgotten, receivers see a gap before this one.
    let previous = lastNumbers[topic] ?? (lastNumbers.hasForgotten ? number - 1 : 0)
    lastNumbers[topic] = number
    return EventStamp(origin: id, number: number, previous: previous)
  }
}
