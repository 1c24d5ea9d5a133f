import RunnelStreams

/// The numbers of messages in increasing order. Those of messages that are gone are skipped, and removed
/// when they are more than half.
struct MessageNumbers {
  private var numbers = Queue<UInt64>()

  mutating func append(_ number: UInt64, _ isPresent: (UInt64) -> Bool, count: Int) {
    if numbers.count > 2 * count + 64 {
      var present = Queue<UInt64>()
      while let number = numbers.popFirst() {
        if isPresent(number) { present.append(number) }
      }
      numbers = present
    }
    numbers.append(number)
  }

  mutating func popFirst(_ isPresent: (UInt64) -> Bool) -> UInt64? {
    while let number = numbers.popFirst() {
      if isPresent(number) { return number }
    }
    return nil
  }
}
