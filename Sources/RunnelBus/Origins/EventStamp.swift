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
    var text: [UInt8] = []
    text.reserveCapacity(72)
    Self.append(origin, to: &text)
    text.append(Self.hyphen)
    Self.append(number, to: &text)
    text.append(Self.hyphen)
    Self.append(previous, to: &text)
    text.append(Self.hyphen)
    text += "\(hops)".utf8
    return String(decoding: text, as: UTF8.self)
  }

  /// Creates a stamp from its ``description``; nil if the text is not a stamp.
  public init?(_ description: String) {
    var bytes = description.utf8.makeIterator()
    guard let origin: UInt128 = Self.number(16, from: &bytes),
      let number: UInt64 = Self.number(16, from: &bytes),
      let previous: UInt64 = Self.number(16, from: &bytes),
      let hops: UInt8 = Self.number(10, from: &bytes, isLast: true),
      number > previous, number <= Self.largestNumber
    else { return nil }
    self.init(origin: origin, number: number, previous: previous, hops: hops)
  }

  // Each event that crosses has a stamp, so these work on bytes. With `String(_:radix:)` and `split`, stamps took a
  // tenth of the time of programs that exchange events (`Scripts/bench mqtt`).
  private static let hyphen = UInt8(ascii: "-")

  private static func append(
    _ number: some FixedWidthInteger & UnsignedInteger, to text: inout [UInt8]
  ) {
    let bits = type(of: number).bitWidth - number.leadingZeroBitCount
    for shift in stride(from: max(bits - 1, 0) / 4 * 4, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: number >> shift) & 15
      text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Reads a number up to the next hyphen, or up to the end of the text. Returns nil if there is no such number.
  private static func number<Number: FixedWidthInteger>(
    _ radix: UInt8, from bytes: inout String.UTF8View.Iterator, isLast: Bool = false
  ) -> Number? {
    var number: Number?
    while let byte = bytes.next() {
      if byte == hyphen { return isLast ? nil : number }
      guard let digit = digit(byte), digit < radix else { return nil }
      let (product, isTooLarge) = (number ?? 0).multipliedReportingOverflow(by: Number(radix))
      let (sum, overflows) = product.addingReportingOverflow(Number(digit))
      if isTooLarge || overflows { return nil }
      number = sum
    }
    return isLast ? number : nil
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
