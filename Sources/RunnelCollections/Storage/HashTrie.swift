/// A node of the hash trie behind ``SharedDictionary`` and ``SharedSet``. Five bits of the hash
/// select one of 32 places. A place holds up to three entries, or a child for the next five bits.
///
/// Three entries per place keep the trie shallow. At a million keys the cost is cache misses, so
/// one node less on a path outweighs comparing two more keys.
///
/// - Entries are at the front of the node's memory and children at its back, each in the order of
///   their places. Both share the space in between.
/// - Below the last bits of the hash a node is a bucket: any number of entries without places.
/// - Below the root, no node has three entries or fewer, so that removals also remove nodes.
///
/// Several tries may share a node. A node is modified only while one trie refers to it.
@usableFromInline
final class TrieNode<Entry>: ManagedBuffer<TrieHeader, Entry> {
  deinit {
    let view = TrieView(Unmanaged.passUnretained(self))
    view.entries.deinitialize(count: view.entryCount)
    let children = view.childCount
    (view.childEnd - children).deinitialize(count: children)
  }

  /// Creates an empty node with capacity for some bytes.
  @inlinable static func empty(room: Int) -> TrieNode {
    let stride = MemoryLayout<Entry>.stride
    let capacity = (max(room, 8) + stride - 1) / stride
    let node = create(minimumCapacity: capacity) { _ in
      TrieHeader(room: UInt32(capacity * stride) & ~7)
    }
    // Safety: `create` returns an instance of the class that it is called on.
    return unsafeDowncast(node, to: TrieNode.self)
  }
}

/// The layout of a node.
@usableFromInline
struct TrieHeader {
  /// The places with at least one entry, and in the upper half those with at least two.
  @usableFromInline var entryMap: UInt64 = 0
  /// The places with three entries.
  @usableFromInline var fullMap: UInt32 = 0
  /// The places with a child.
  @usableFromInline var childMap: UInt32 = 0
  /// A bucket has entries but no places.
  @usableFromInline var entryCount: UInt32 = 0
  /// The capacity for entries and children in bytes.
  @usableFromInline var room: UInt32

  @inlinable init(room: UInt32) { self.room = room }

  @inlinable static func both(_ places: UInt32) -> UInt64 { UInt64(places) &* 0x1_0000_0001 }

  /// Returns the index of the first entry of a place.
  @inlinable func start(of place: UInt32) -> Int {
    let before = place &- 1
    return (entryMap & TrieHeader.both(before)).nonzeroBitCount
      + (fullMap & before).nonzeroBitCount
  }

  @inlinable func entries(of place: UInt32) -> Range<Int> {
    let start = start(of: place)
    let first = entryMap & UInt64(place) == 0 ? 0 : 1
    let second = entryMap & UInt64(place) << 32 == 0 ? 0 : 1
    let third = fullMap & place == 0 ? 0 : 1
    return start..<(start &+ first &+ second &+ third)
  }

  @inlinable mutating func add(_ place: UInt32) {
    entryCount += 1
    if entryMap & UInt64(place) == 0 {
      entryMap |= UInt64(place)
    } else if entryMap & UInt64(place) << 32 == 0 {
      entryMap |= UInt64(place) << 32
    } else {
      fullMap |= place
    }
  }

  @inlinable mutating func subtract(_ place: UInt32) {
    entryCount -= 1
    if fullMap & place != 0 {
      fullMap &= ~place
    } else if entryMap & UInt64(place) << 32 != 0 {
      entryMap &= ~(UInt64(place) << 32)
    } else {
      entryMap &= ~UInt64(place)
    }
  }
}

/// A key with its value and its hash.
@usableFromInline
struct TrieEntry<Key, Value> {
  @usableFromInline let hash: Int
  @usableFromInline let key: Key
  @usableFromInline var value: Value

  @inlinable init(key: Key, value: Value, hash: Int) {
    self.hash = hash
    self.key = key
    self.value = value
  }
}

/// A view of a node's memory that does not retain the node.
// Safety: the caller keeps the node alive. Indices come from the node's maps. Every mutation
// first calls `prepare`, which makes the node unique and gives it enough capacity.
@usableFromInline
struct TrieView<Entry> {
  @usableFromInline typealias Node = TrieNode<Entry>

  @usableFromInline let header: UnsafeMutablePointer<TrieHeader>
  @usableFromInline let entries: UnsafeMutablePointer<Entry>

  @inlinable init(_ node: Unmanaged<Node>) {
    (header, entries) = node._withUnsafeGuaranteedRef {
      $0.withUnsafeMutablePointers { ($0, $1) }
    }
  }

  @inlinable init(_ slot: UnsafeMutablePointer<Node>) {
    self.init(UnsafeRawPointer(slot).load(as: Unmanaged<Node>.self))
  }

  @inlinable var entryCount: Int { Int(header.pointee.entryCount) }
  @inlinable var childCount: Int { header.pointee.childMap.nonzeroBitCount }

  @inlinable var used: Int {
    entryCount * MemoryLayout<Entry>.stride + childCount * MemoryLayout<Node>.stride
  }

  /// The end of the children, which are stored backwards: the first child is last.
  @inlinable var childEnd: UnsafeMutablePointer<Node> {
    // Safety: the memory before the end of the capacity holds as many children as the map has.
    (UnsafeMutableRawPointer(entries) + Int(header.pointee.room))
      .assumingMemoryBound(to: Node.self)
  }

  @inlinable func childSlot(_ index: Int) -> UnsafeMutablePointer<Node> { childEnd - 1 - index }

  @inlinable func child(_ index: Int) -> Unmanaged<Node> {
    UnsafeRawPointer(childSlot(index)).load(as: Unmanaged<Node>.self)
  }

  @inlinable func childIndex(_ place: UInt32) -> Int {
    (header.pointee.childMap & (place &- 1)).nonzeroBitCount
  }

  @inlinable func insert(_ entry: Entry, at index: Int, place: UInt32) {
    let source = entries + index
    (source + 1).moveInitialize(from: source, count: entryCount - index)
    source.initialize(to: entry)
    header.pointee.add(place)
  }

  @inlinable func removeEntry(at index: Int, place: UInt32) -> Entry {
    let hole = entries + index
    let entry = hole.move()
    header.pointee.subtract(place)
    hole.moveInitialize(from: hole + 1, count: entryCount - index)
    return entry
  }

  @inlinable func insertChild(_ child: Node, at index: Int, place: UInt32) {
    let count = childCount
    let lowest = childEnd - count
    (lowest - 1).moveInitialize(from: lowest, count: count - index)
    childSlot(index).initialize(to: child)
    header.pointee.childMap |= place
  }

  @inlinable func removeChild(at index: Int, place: UInt32) -> Node {
    let count = childCount
    let lowest = childEnd - count
    let child = childSlot(index).move()
    (lowest + 1).moveInitialize(from: lowest, count: count - 1 - index)
    header.pointee.childMap &= ~place
    return child
  }

  /// Moves the entries of a place into a new child, each to its place there.
  @inlinable func lower(
    _ range: Range<Int>, of place: UInt32, to places: (Entry) -> UInt32
  ) -> UnsafeMutablePointer<Node> {
    let node = Node.empty(room: (range.count + 1) * MemoryLayout<Entry>.stride)
    let child = TrieView(Unmanaged.passUnretained(node))
    for _ in range {
      let entry = removeEntry(at: range.lowerBound, place: place)
      let lower = places(entry)
      child.insert(entry, at: child.header.pointee.entries(of: lower).upperBound, place: lower)
    }
    let index = childIndex(place)
    insertChild(node, at: index, place: place)
    return childSlot(index)
  }

  /// Moves the entries of a child back into the parent's place, if they fit.
  @inlinable static func raise(
    _ slot: UnsafeMutablePointer<Node>, childAt index: Int, place: UInt32
  ) {
    var view = TrieView(slot)
    let child = TrieView(view.childSlot(index))
    let count = child.entryCount
    guard count <= 3, child.header.pointee.childMap == 0 else { return }
    let node = view.removeChild(at: index, place: place)
    prepare(slot, adding: count * MemoryLayout<Entry>.stride)
    view = TrieView(slot)
    let start = view.header.pointee.start(of: place)
    for offset in 0..<count {
      let entry = withExtendedLifetime(node) { (child.entries + offset).move() }
      view.insert(entry, at: start + offset, place: place)
    }
    withExtendedLifetime(node) { child.header.pointee.entryCount = 0 }
  }

  /// Makes the node of a slot unique, with capacity for some more bytes.
  @inlinable static func prepare(_ slot: UnsafeMutablePointer<Node>, adding bytes: Int) {
    let view = TrieView(slot)
    if isKnownUniquelyReferenced(&slot.pointee) {
      let needed = view.used + bytes
      guard needed > Int(view.header.pointee.room) else { return }
      view.move(into: slot, room: needed + needed / 2)
    } else {
      // A copy is often modified once and then released, so capacity for one more entry is enough.
      let spare = max(MemoryLayout<Entry>.stride, MemoryLayout<Node>.stride)
      slot.pointee = view.copy(room: view.used + max(bytes, spare))
    }
  }

  /// Reallocates a node with less capacity if most of it is unused.
  @inlinable static func shrink(_ slot: UnsafeMutablePointer<Node>) {
    let view = TrieView(slot)
    let (used, room) = (view.used, Int(view.header.pointee.room))
    if room > 128, used * 4 < room { view.move(into: slot, room: used * 2) }
  }

  @inlinable func copy(room: Int) -> Node {
    let node = Node.empty(room: room)
    let copy = TrieView(Unmanaged.passUnretained(node))
    let children = childCount
    touchChildren(children)
    copy.entries.initialize(from: entries, count: entryCount)
    (copy.childEnd - children).initialize(from: childEnd - children, count: children)
    copy.takeCounts(of: self)
    return node
  }

  /// Loads a word of each child. Retaining a child waits for memory, one child after the other;
  /// these loads overlap.
  @inlinable func touchChildren(_ count: Int) {
    var rooms: UInt32 = 0
    for index in 0..<count { rooms |= TrieView(child(index)).header.pointee.room }
    precondition(count == 0 || rooms != 0, "A node of a shared dictionary has no room.")
  }

  @inlinable func move(into slot: UnsafeMutablePointer<Node>, room: Int) {
    let node = Node.empty(room: room)
    let copy = TrieView(Unmanaged.passUnretained(node))
    let children = childCount
    copy.entries.moveInitialize(from: entries, count: entryCount)
    (copy.childEnd - children).moveInitialize(from: childEnd - children, count: children)
    copy.takeCounts(of: self)
    header.pointee.entryCount = 0
    header.pointee.childMap = 0
    slot.pointee = node
  }

  @inlinable func takeCounts(of other: TrieView) {
    let room = header.pointee.room
    header.pointee = other.header.pointee
    header.pointee.room = room
  }
}

/// The rest of a key's hash on the way down: five bits for each level, lowest bits first.
@usableFromInline
struct TriePath {
  /// The number of levels. The last one has four bits of the hash; buckets are below.
  @inlinable static var levels: Int { 13 }

  /// The complete hash.
  @usableFromInline let hash: Int
  @usableFromInline var rest: UInt
  @usableFromInline var level = 0

  @inlinable init<Key: Hashable>(_ key: Key) { self.init(hash: key.hashValue) }

  @inlinable init(hash: Int) {
    self.hash = hash
    rest = UInt(bitPattern: hash)
  }

  /// The place of the key in the node of this level, as a mask of one bit. Zero in a bucket.
  @inlinable var place: UInt32 {
    level < TriePath.levels ? 1 << UInt32(truncatingIfNeeded: rest & 31) : 0
  }
  @inlinable var isBucket: Bool { level == TriePath.levels }

  @inlinable mutating func descend() {
    rest >>= 5
    level += 1
  }

  @inlinable func at(level other: Int) -> TriePath {
    var path = self
    while path.level < other { path.descend() }
    return path
  }
}
