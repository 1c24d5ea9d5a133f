/// The sizes of the messages that sd-bus holds because the socket has no room for them.
///
/// Only replies count, because a peer that does not read can cause any number of them.
struct ReplyBacklog {
  /// The sizes of the waiting messages, oldest first. Messages that are no replies have the size zero.
  private var sizes: [Int] = []
  /// The index of the oldest waiting message.
  private var start = 0
  /// The size of the waiting replies, in bytes.
  private(set) var bytes = 0

  /// The size of a reply without its body, in bytes. It includes what sd-bus allocates for a message.
  private static let overhead = 1_024

  /// Adds a message that was sent. `waiting` is the number of messages that wait now.
  mutating func add(replyWithBody size: Int?, waiting: Int) {
    let total = size.map { $0 + Self.overhead } ?? 0
    sizes.append(total)
    bytes += total
    trim(to: waiting)
  }

  /// Removes the messages that were written since.
  mutating func trim(to waiting: Int) {
    while sizes.count - start > waiting {
      bytes -= sizes[start]
      start += 1
    }
    if start == sizes.count {
      sizes.removeAll(keepingCapacity: sizes.count < 1_024)
      start = 0
    } else if start > 1_024, start > sizes.count / 2 {
      sizes.removeFirst(start)
      start = 0
    }
  }
}
