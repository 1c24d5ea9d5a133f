import RunnelStreams

/// Keeps what goes by keys as a list, in the order in which the keys came.
@usableFromInline
final class Roster<Key: Hashable, Element> {
  @usableFromInline let output = ListEditor(SharedArray<Element>())
  @usableFromInline @exclusivity(unchecked) var handles: [Key: Int32] = [:]
  /// The handles in the order of the list.
  @usableFromInline @exclusivity(unchecked) var order = HandleList()
  @usableFromInline @exclusivity(unchecked) var pool = HandlePool()

  @inlinable init() {}

  /// Sets what a key has: a new key goes to the end, nil takes one out.
  @inlinable
  func set(_ key: Key, to element: Element?) {
    switch (handles[key], element) {
    case (nil, nil): break
    case (nil, let element?):
      let handle = pool.take()
      handles[key] = handle
      order.insert(handle, at: order.count)
      output.insert(element, at: output.elements.count)
    case (let handle?, let element?):
      output.update(order.index(of: handle), to: element)
    case (let handle?, nil):
      output.remove(at: order.remove(handle))
      handles[key] = nil
      pool.give(handle)
    }
  }

  /// Begins anew with other keys, no two of which are the same.
  @inlinable
  func reset(to elements: some Sequence<(Key, Element)>) {
    var list: [Element] = []
    handles = [:]
    for (key, element) in elements {
      handles[key] = Int32(list.count)
      list.append(element)
    }
    order = HandleList(0..<Int32(list.count))
    pool = HandlePool(taken: list.count)
    output.reset(to: SharedArray(list))
  }
}
