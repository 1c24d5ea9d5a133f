/// A bus as the origin of events. It may outlive the bus.
final class BusIdentity {
  /// The identity of the bus around it.
  private let parent: BusIdentity?
  private let makeID: () -> UInt128
  /// The origin in the stamps of the bus.
  private(set) lazy var id = makeID()

  init(within parent: BusIdentity?, _ inputs: StampInputs) {
    self.parent = parent
    makeID = inputs.makeIdentity
  }

  /// A number below `limit` that differs between buses. It spreads their timers.
  func spread(below limit: Int) -> Int { Int(id % UInt128(limit)) }

  /// True if events of this bus are delivered on the other one: it is the same or a parent.
  func reaches(_ other: BusIdentity) -> Bool {
    sequence(first: self, next: \.parent).contains { $0 === other }
  }
}
