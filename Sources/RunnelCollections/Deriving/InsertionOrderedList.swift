import RunnelStreams

/// A list of the elements of a dictionary or set, in the order in which their keys were inserted.
@usableFromInline
final class InsertionOrderedList<Key: Hashable, Element> {
  @usableFromInline let output = ListEditor(SharedArray<Element>())
  /// The number of a key is its handle.
  @usableFromInline @exclusivity(unchecked) var keys = KeyTable<Key>()
  /// The handles in the order of the list.
  @usableFromInline @exclusivity(unchecked) var order = HandleList()

  @inlinable init() {}

  /// A new key is appended; nil removes a key.
  @inlinable
  func set(_ key: Key, to element: Element?) {
    guard let element else {
      guard let handle = keys.existing(key) else { return }
      output.remove(at: order.remove(handle))
      keys.remove(handle)
      if keys.canBeDiscarded { (keys, order) = (KeyTable(), HandleList()) }
      return
    }
    let (handle, isOld) = keys.place(key)
    if isOld { return output.update(order.index(of: handle), to: element) }
    order.insert(handle, at: order.count)
    output.insert(element, at: output.elements.count)
  }

  /// The keys must be distinct.
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
