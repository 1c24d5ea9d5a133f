/// A first-in, first-out queue.
///
/// *Complexity*: appending and removing are O(1), amortised.
@usableFromInline
package struct Queue<Element> {
  @usableFromInline var storage: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  package init() {}

  @inlinable
  package var isEmpty: Bool { head == storage.count }

  @inlinable
  package var count: Int { storage.count - head }

  @inlinable
  package mutating func append(_ element: Element) {
    storage.append(element)
  }

  /// Moves all elements of another queue to the end of this one.
  @inlinable
  package mutating func append(emptying other: inout Queue) {
    if isEmpty { return swap(&self, &other) }
    if other.head == 0 { storage += other.storage } else { storage += other.storage[other.head...] }
    other.storage.removeAll(keepingCapacity: true)
    other.head = 0
  }

  @inlinable
  package mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head].take()
    head += 1
    if head == storage.count {
      storage.removeAll(keepingCapacity: head <= 64)
      head = 0
    } else if head >= 64 && head * 2 >= storage.count {
      storage.removeFirst(head)
      head = 0
    }
    return element
  }
}
