/// The stamps of the events that a bus has received from elsewhere.
///
/// For each origin and topic it keeps ranges of numbers. A stamp covers the numbers from the previous
/// event on its topic to its own, so the events of one topic form one range however many they are.
/// Each gap is a time in which events were lost or are late. A late event is therefore delivered
/// once, even after millions of others.
struct SeenEvents {
  /// The number of origins and topics that are always remembered. An event is delivered twice only if
  /// a bus receives events of more others between its two copies.
  static let limit = 65_536

  private var ranges = Generations<OriginTopic, NumberRanges>(limit: Self.limit)

  /// Adds an event. Returns false if it was there before.
  mutating func insert(_ stamp: EventStamp, on topic: String) -> Bool {
    ranges.change(OriginTopic(origin: stamp.origin, topic: topic), from: NumberRanges()) {
      $0.insert(after: stamp.previous, through: stamp.number)
    }
  }
}

/// The events of one bus on one topic.
struct OriginTopic: Hashable {
  let origin: UInt128
  let topic: String
}

/// A set of numbers, as ranges.
struct NumberRanges: Equatable {
  /// The numbers from the one after `after` to `through`.
  struct Range: Equatable {
    var after: UInt64
    var through: UInt64
  }

  /// The number of gaps that are remembered. The oldest one counts as received when there are more.
  static let mostGaps = 16

  /// Sorted, without overlaps, and not adjacent.
  private(set) var ranges: [Range] = []

  /// Adds the range that ends with a number. Returns false if the number is in the set.
  mutating func insert(after: UInt64, through number: UInt64) -> Bool {
    var start = after
    var index = ranges.firstIndex { $0.through >= number } ?? ranges.endIndex
    var end = number
    if index < ranges.endIndex {
      if ranges[index].after < number { return false }
      if ranges[index].after == number { end = ranges.remove(at: index).through }
    }
    while index > 0, ranges[index - 1].through >= start {
      index -= 1
      start = min(start, ranges.remove(at: index).after)
    }
    ranges.insert(Range(after: start, through: end), at: index)
    if ranges.count > Self.mostGaps + 1 {
      ranges[1].after = ranges[0].after
      ranges.removeFirst()
    }
    return true
  }
}
