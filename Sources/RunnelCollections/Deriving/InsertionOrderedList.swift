import RunnelStreams

/// Keeps what goes by keys as a list, in the order in which the keys came.
@usableFromInline
final class InsertionOrderedList<Key: Hashable, Element> {
  @usableFromInline let output = ListEditor(SharedArray<Element>())
  /// The number of a key is its handle.
  @usableFromInline @exclusivity(unchecked) var keys = KeyTable<Key>()
  /// The handles in the order of the list.
  @usableFromInline @exclusivity(unchecked) var order = HandleList()

  @inlinable init() {}

  /// Sets what a key has: a new key goes to the end, nil takes one out.
  @inlinable
  func set(_ key: Key, to element: Element?) {
    guard let element else {
      guard let handle = keys.existing(key) else { return }
      output.remove(at: order.remove(handle))
      keys.remove(handle)
      if keys.canBeginAnew { (keys, order) = (KeyTable(), HandleList()) }
      return
    }
    let (handle, isOld) = keys.place(key)
    if isOld { return output.update(order.index(of: handle), to: element) }
    order.insert(handle, at: order.count)
    output.insert(element, at: output.elements.count)
  }

  /// Begins anew with other keys, no two of which are the same.
  @inlinable
  func reset(to elements: some Sequence<(Key, Element)>) {
    var list: [Element] = []
    keys = KeyTable()
    for (key, element) in elements {
      _ = keys.add(key)
      list.append(element)
    }
    order = HandleList(0..<Int32(list.count))
    output.reset(to: SharedArray(list))
  }
}
