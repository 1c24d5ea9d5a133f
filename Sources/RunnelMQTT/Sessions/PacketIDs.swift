/// The identifiers of packets that wait for an answer.
struct PacketIDs {
  private var used: Set<UInt16> = []
  private var last: UInt16

  /// Begins after an identifier. A client whose broker has a session of an earlier run begins at random, so
  /// that a message is hardly taken for an unfinished one of that run.
  init(after last: UInt16) {
    self.last = last
  }

  /// Returns an identifier that is not in use; nil if all are.
  mutating func take() -> UInt16? {
    guard used.count < Int(UInt16.max) else { return nil }
    repeat { last = last == .max ? 1 : last + 1 } while used.contains(last)
    used.insert(last)
    return last
  }

  mutating func release(_ id: UInt16) { used.remove(id) }
}
