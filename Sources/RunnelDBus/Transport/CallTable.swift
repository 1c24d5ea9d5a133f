/// The calls of a connection that have not ended.
///
/// A bus refuses the calls of a connection that has too many unanswered ones. Calls beyond the limit wait for
/// their turn, in the order in which they began. Calls to the bus itself do not count. Calls with descriptors
/// wait until the connection is authenticated, because sd-bus would block the loop until then.
struct CallTable {
  private let limit: Int
  /// True since the connection was authenticated.
  var isReady = false
  private var sent: [ObjectIdentifier: PendingCall] = [:]
  /// The number of sent calls that count.
  private var count = 0
  /// The waiting calls by ticket. Tickets are given in order.
  private var waiting: [Int: PendingCall] = [:]
  private var oldestTicket = 0
  private var nextTicket = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Returns true if a call must wait, because others have to end or to be sent first.
  func mustWait(_ call: PendingCall) -> Bool {
    !isReady && (call.hasDescriptors || !waiting.isEmpty)
      || call.isCounted && (count >= limit || !waiting.isEmpty)
  }

  /// Adds a call that must wait.
  mutating func enqueue(_ call: PendingCall) {
    call.ticket = nextTicket
    waiting[nextTicket] = call
    nextTicket += 1
  }

  /// Removes and returns the next call that can be sent now.
  mutating func dequeue() -> PendingCall? {
    guard isReady, count < limit else { return nil }
    while oldestTicket < nextTicket {
      // A call that was cancelled has left a gap.
      let call = waiting.removeValue(forKey: oldestTicket)
      oldestTicket += 1
      if let call {
        call.ticket = nil
        return call
      }
    }
    return nil
  }

  /// Adds a call that was sent.
  mutating func add(_ call: PendingCall) {
    sent[ObjectIdentifier(call)] = call
    if call.isCounted { count += 1 }
  }

  /// Returns true if the call was in the table.
  mutating func remove(_ call: PendingCall) -> Bool {
    if let ticket = call.ticket {
      call.ticket = nil
      return waiting.removeValue(forKey: ticket) != nil
    }
    guard sent.removeValue(forKey: ObjectIdentifier(call)) != nil else { return false }
    if call.isCounted { count -= 1 }
    return true
  }

  /// Removes and returns all calls.
  mutating func removeAll() -> [PendingCall] {
    let all = Array(sent.values) + waiting.values
    (sent, waiting, count, oldestTicket) = ([:], [:], 0, nextTicket)
    for call in all { call.ticket = nil }
    return all
  }
}
