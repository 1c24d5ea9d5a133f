/// A table that assigns small numbers to keys. The number of a removed key is reused.
///
/// It is a hash table of the numbers with linear probing. Unlike `Dictionary`, it can remove a key
/// without comparing it, even a key that is not equal to itself. Inconsistent `Hashable`
/// conformances are tolerated; equal keys can then have several numbers.
@usableFromInline
package struct KeyTable<Key: Hashable> {
  /// The keys with their hashes by number, or nil for an unused number.
  @usableFromInline var entries: [(key: Key, hash: Int)?] = []
  @usableFromInline var free: [Int32] = []
  /// For each slot a number plus one, or zero. At most half of the slots are used, so every search
  /// ends.
  @usableFromInline var slots: [Int32] = [0, 0]

  @inlinable
  package init() {}

  @inlinable package var count: Int { entries.count - free.count }

  /// True when all of many numbers are unused, so that tables indexed by number can be discarded.
  @inlinable var canBeDiscarded: Bool { entries.count > 64 && free.count == entries.count }

  @inlinable
  package subscript(number: Int32) -> Key? { entries[Int(number)]?.key }

  /// Returns the number of a key, or nil if the table does not contain it.
  @inlinable
  func existing(_ key: Key) -> Int32? {
    let number = slots[slot(of: key, key.hashValue)] - 1
    return number < 0 ? nil : number
  }

  /// Returns the number of a key, which is inserted if needed.
  @inlinable
  package mutating func number(of key: Key) -> Int32 { place(key).number }

  /// Returns the number of a key, which is inserted if needed, and true if the key existed.
  @inlinable
  mutating func place(_ key: Key) -> (number: Int32, isOld: Bool) {
    let hash = key.hashValue
    let slot = slot(of: key, hash)
    guard slots[slot] == 0 else { return (slots[slot] - 1, true) }
    return (add(key, hash, at: slot), false)
  }

  /// Inserts a key without looking for an equal one, and returns its number.
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

  /// Returns the slot of a key, or the slot to insert it into.
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

  /// Removes the key with a number, if there is one.
  @inlinable
  package mutating func remove(_ number: Int32) {
    guard let entry = entries[Int(number)] else { return }
    entries[Int(number)] = nil
    free.append(number)
    var gap = home(of: entry.hash)
    while slots[gap] != number + 1 { gap = (gap + 1) & (slots.count - 1) }
    // Move back the entries that were displaced by the removed one.
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

  /// Returns the preferred slot of a hash. A custom hash may differ in the upper bits only.
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
