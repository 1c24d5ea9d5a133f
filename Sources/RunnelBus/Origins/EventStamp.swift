import RunnelStreams

/// The identity of an event that crosses between buses, by which each bus delivers it once.
///
/// The bus that an event is published on is its *origin*. A sticky event, and a removal, gets its number
/// when it is published, other events when the first link exports them. The stamp also has the number of the event before it on the same topic, so a
/// receiver knows from two numbers that nothing is missing between them: it remembers a few ranges
/// for each topic, however many events there are.
///
/// A transport carries the stamp unchanged as ``description``, for example in a user property.
public struct EventStamp: Hashable, Sendable {
  /// The identity of the bus on which the event was published, unique across machines and runs.
  public let origin: UInt128
  /// The number of the event. It is larger than the numbers of all events that its origin knew, and
  /// not smaller than the time of the origin in microseconds.
  public let number: UInt64
  /// The number of the event before it, of the same origin and topic. Zero if there is none.
  public let previous: UInt64
  /// The number of transports that the event has passed.
  public let hops: UInt8

  /// The largest number that a stamp may have.
  static let largestNumber: UInt64 = 1 << 62
  /// The number of transports after which an event is dropped.
  static let mostHops: UInt8 = 32

  /// Creates a stamp. Traps unless the number is larger than the previous one.
  public init(origin: UInt128, number: UInt64, previous: UInt64, hops: UInt8 = 0) {
    require(
      number > previous && number <= Self.largestNumber,
      "The number of an EventStamp must be larger than the previous one, and at most 2^62.")
    self.origin = origin
    self.number = number
    self.previous = previous
    self.hops = hops
  }

  /// The stamp after one more transport; nil if it has passed too many.
  var forwarded: EventStamp? {
    guard hops < Self.mostHops else { return nil }
    return EventStamp(origin: origin, number: number, previous: previous, hops: hops + 1)
  }

  /// The stamp before it crossed its last transport, for sending the event back there. The event of a
  /// program without Runnel got its stamp afterwards.
  var returned: EventStamp {
    EventStamp(origin: origin, number: number, previous: previous, hops: max(hops, 1) - 1)
  }

  /// True if this event is later than another one. All buses agree on it.
  func isLater(than other: EventStamp) -> Bool {
    (number, origin) > (other.number, other.origin)
  }
}

extension EventStamp: LosslessStringConvertible {
  /// The stamp as text, for the transport: the origin, the number, the previous number in
  /// hexadecimal digits, and the hops in decimal ones, between hyphens.
  public var description: String {
    "\(String(origin, radix: 16))-\(String(number, radix: 16))-\(String(previous, radix: 16))-\(hops)"
  }

  /// Creates a stamp from its ``description``; nil if the text is not a stamp.
  public init?(_ description: String) {
    let parts = description.split(
      separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4, parts.allSatisfy({ !$0.isEmpty && $0.first != "+" }),
      let origin = UInt128(parts[0], radix: 16), let number = UInt64(parts[1], radix: 16),
      let previous = UInt64(parts[2], radix: 16), let hops = UInt8(parts[3]),
      number > previous, number <= Self.largestNumber
    else { return nil }
    self.init(origin: origin, number: number, previous: previous, hops: hops)
  }
}
