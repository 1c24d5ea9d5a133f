// Lookup, insertion and removal in the trie.
extension SharedDictionary {
  // Safety: the pointer is valid while the caller retains the root.
  @inlinable func find(_ key: Key, _ start: TriePath) -> UnsafeMutablePointer<Entry>? {
    guard let root else { return nil }
    var path = start
    var view = View(Unmanaged.passUnretained(root))
    while !path.isBucket {
      let place = path.place
      if view.header.pointee.childMap & place != 0 {
        view = View(view.child(view.childIndex(place)))
        path.descend()
      } else {
        return SharedDictionary.entry(
          key, start.hash, in: view, view.header.pointee.entries(of: place))
      }
    }
    return SharedDictionary.entry(key, start.hash, in: view, 0..<view.entryCount)
  }

  /// Returns the entry of a key among those of a node. An equal key with a different hash is a
  /// different key, because it is a coincidence that both are in the same node.
  @inlinable static func entry(
    _ key: Key, _ hash: Int, in view: View, _ range: Range<Int>
  ) -> UnsafeMutablePointer<Entry>? {
    var entry = view.entries + range.lowerBound
    let end = view.entries + range.upperBound
    while entry != end {
      if entry.pointee.hash == hash, entry.pointee.key == key { return entry }
      entry += 1
    }
    return nil
  }

  /// Returns the entry of a key, which is added if needed, and true if it existed. No other
  /// dictionary shares the entry, so the caller may change its value.
  // Safety: the pointer is valid until the next change, while the caller retains the root.
  @inlinable mutating func place(
    _ key: Key, _ value: @autoclosure () -> Value
  ) -> (entry: UnsafeMutablePointer<Entry>, isOld: Bool) {
    let path = TriePath(key)
    // A copy may have been made while this dictionary was empty.
    if root == nil { size = 0 }
    // An `==` that reads the dictionary during the insertion finds it empty.
    var root = root.take() ?? Node.empty(room: MemoryLayout<Entry>.stride)
    let placed = withUnsafeMutablePointer(to: &root) {
      SharedDictionary.place(key, value, below: $0, path)
    }
    self.root = root
    if !placed.isOld { size += 1 }
    return placed
  }

  @inlinable static func place(
    _ key: Key, _ value: () -> Value, below root: UnsafeMutablePointer<Node>, _ start: TriePath
  ) -> (entry: UnsafeMutablePointer<Entry>, isOld: Bool) {
    let stride = MemoryLayout<Entry>.stride
    var slot = root
    var path = start
    while true {
      let place = path.place
      View.prepare(slot, adding: 0)
      var view = View(slot)
      if view.header.pointee.childMap & place != 0 {
        slot = view.childSlot(view.childIndex(place))
        path.descend()
        continue
      }
      let range =
        path.isBucket ? 0..<view.entryCount : view.header.pointee.entries(of: place)
      if let entry = entry(key, start.hash, in: view, range) { return (entry, true) }
      if range.count < 3 || path.isBucket {
        let new = Entry(key: key, value: value(), hash: start.hash)
        View.prepare(slot, adding: stride)
        view = View(slot)
        view.insert(new, at: range.upperBound, place: place)
        return (view.entries + range.upperBound, false)
      }
      // The place is full. A new child takes its entries; there is room for the new entry below.
      View.prepare(slot, adding: Swift.max(0, MemoryLayout<Node>.stride - 3 * stride))
      view = View(slot)
      path.descend()
      slot = view.lower(range, of: place) { TriePath(hash: $0.hash).at(level: path.level).place }
    }
  }

  @inlinable mutating func add(_ entries: [Pair], _ combine: (Value, Value) -> Value) {
    func add(_ entry: Pair) {
      let (placed, isOld) = place(entry.key, entry.value)
      guard isOld else { return }
      placed.pointee.value = combine(placed.pointee.value, entry.value)
      withExtendedLifetime(root) {}
    }
    if entries.count < 1 << HashOrder.bits {
      for entry in entries { add(entry) }
    } else {
      for index in HashOrder.order(entries.lazy.map { $0.key }) { add(entries[index]) }
    }
  }

  @inlinable mutating func removeEntry(_ key: Key) -> Entry? {
    let path = TriePath(key)
    // Removing a missing key must not copy any node.
    guard withExtendedLifetime(root, { find(key, path) != nil }),
      var root = root.take()
    else {
      return nil
    }
    let (removed, isEmpty) = withUnsafeMutablePointer(to: &root) {
      let removed = SharedDictionary.remove(key, below: $0, path)
      let view = View($0)
      return (removed, view.entryCount == 0 && view.header.pointee.childMap == 0)
    }
    self.root = isEmpty ? nil : root
    if removed != nil { size -= 1 }
    return removed
  }

  @inlinable static func remove(
    _ key: Key, below slot: UnsafeMutablePointer<Node>, _ path: TriePath
  ) -> Entry? {
    View.prepare(slot, adding: 0)
    let view = View(slot)
    let place = path.place
    if view.header.pointee.childMap & place != 0 {
      let index = view.childIndex(place)
      let removed = remove(key, below: view.childSlot(index), path.at(level: path.level + 1))
      if removed != nil { View.raise(slot, childAt: index, place: place) }
      return removed
    }
    let range = path.isBucket ? 0..<view.entryCount : view.header.pointee.entries(of: place)
    guard let entry = entry(key, path.hash, in: view, range) else { return nil }
    let removed = view.removeEntry(at: entry - view.entries, place: place)
    View.shrink(slot)
    return removed
  }
}
