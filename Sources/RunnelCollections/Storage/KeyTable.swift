/// Keys, and small numbers that stand for them: that of a key that was taken out is used again.
///
/// A hash table with linear probing, of the numbers alone. Against `Dictionary` it takes out a key
/// without comparing it, so that one that is not equal to itself can go as well, and an `==` or a
/// hash that does not keep its word is no reason to trap: what is equal may have several numbers then.
@usableFromInline
package struct KeyTable<Key: Hashable> {
  /// A key and its hash, or nil for a number that stands for none.
  @usableFromInline var entries: [(key: Key, hash: Int)?] = []
  @usableFromInline var free: [Int32] = []
  /// A number plus one where its hash leads, or zero. No more than half are taken, so a search ends.
  @usableFromInline var slots: [Int32] = [0, 0]

  @inlinable
  package init() {}

  /// How many keys there are.
  @inlinable package var count: Int { entries.count - free.count }

  /// Whether there are none left of many: whoever has tables by their numbers can begin anew.
  @inlinable var canBeginAnew: Bool { entries.count > 64 && free.count == entries.count }

  /// The key that a number stands for, if any.
  @inlinable
  package subscript(number: Int32) -> Key? { entries[Int(number)]?.key }

  /// The number of a key that is there.
  @inlinable
  func existing(_ key: Key) -> Int32? {
    let number = slots[slot(of: key, key.hashValue)] - 1
    return number < 0 ? nil : number
  }

  /// The number of a key, which is put in if it is not there.
  @inlinable
  package mutating func number(of key: Key) -> Int32 { place(key).number }

  /// The number of a key, which is put in if it is not there; whether it was.
  @inlinable
  mutating func place(_ key: Key) -> (number: Int32, isOld: Bool) {
    let hash = key.hashValue
    let slot = slot(of: key, hash)
    guard slots[slot] == 0 else { return (slots[slot] - 1, true) }
    return (add(key, hash, at: slot), false)
  }

  /// Puts in a key that is known not to be there, whatever it says, and returns its number.
  @inlinable
  mutating func add(_ key: Key) -> Int32 {
    let hash = key.hashValue
    return add(key, hash, at: freeSlot(for: hash))
  }

  @inlinable
  mutating func add(_ key: Key, _ hash: Int, at slot: Int) -> Int32 {
    let number: Int32
    if let used = free.popLast() {
      number = used
      entries[Int(used)] = (key, hash)
    } else {
      number = Int32(entries.count)
      entries.append((key, hash))
    }
    slots[slot] = number + 1
    if count * 2 > slots.count { grow() }
    return number
  }

  /// Where a key's number is, or would be.
  @inlinable
  func slot(of key: Key, _ hash: Int) -> Int {
    var slot = home(of: hash)
    while slots[slot] != 0 {
      let number = slots[slot] - 1
      if let entry = entries[Int(number)], entry.hash == hash, entry.key == key { break }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  @inlinable
  func freeSlot(for hash: Int) -> Int {
    var slot = home(of: hash)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  /// Takes out the key that a number stands for, if any.
  @inlinable
  package mutating func remove(_ number: Int32) {
    guard let entry = entries[Int(number)] else { return }
    entries[Int(number)] = nil
    free.append(number)
    var gap = home(of: entry.hash)
    while slots[gap] != number + 1 { gap = (gap + 1) & (slots.count - 1) }
    // What was put behind the gap because it was taken comes forward.
    var slot = (gap + 1) & (slots.count - 1)
    while slots[slot] != 0, let other = entries[Int(slots[slot] - 1)] {
      let distance = (slot - home(of: other.hash)) & (slots.count - 1)
      if distance >= (slot - gap) & (slots.count - 1) {
        slots[gap] = slots[slot]
        gap = slot
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[gap] = 0
  }

  /// The hash of a type may be its own, and have its differences in the upper bits alone.
  @inlinable
  func home(of hash: Int) -> Int {
    let mixed = UInt64(truncatingIfNeeded: hash) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> UInt64(64 - slots.count.trailingZeroBitCount))
  }

  @inlinable
  mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, entry) in entries.enumerated() {
      if let entry { slots[freeSlot(for: entry.hash)] = Int32(number) + 1 }
    }
  }
}
