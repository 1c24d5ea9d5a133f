/// A hash table from types to objects, without removal.
///
/// It is faster than a dictionary, which spends most of the time on hashing the address of the
/// type.
@usableFromInline
final class TypeTable {
  @usableFromInline
  struct Slot {
    @usableFromInline var type: Int
    // Safety: retained by the table.
    @usableFromInline var object: Unmanaged<AnyObject>?
  }

  /// The slots of an open-addressing table with linear probing. At least one slot is always free.
  @usableFromInline @exclusivity(unchecked) var slots: UnsafeMutableBufferPointer<Slot>
  private var count = 0

  @usableFromInline
  init() {
    slots = Self.emptySlots(8)
  }

  deinit {
    for slot in slots { slot.object?.release() }
    slots.deallocate()
  }

  private static func emptySlots(_ capacity: Int) -> UnsafeMutableBufferPointer<Slot> {
    // Safety: the table deallocates it.
    let slots = UnsafeMutableBufferPointer<Slot>.allocate(capacity: capacity)
    slots.initialize(repeating: Slot(type: 0, object: nil))
    return slots
  }

  /// Returns the slot of a type, or the free slot for it.
  @inlinable
  func slot(of type: Int) -> Int {
    let mask = slots.count &- 1
    // The addresses of types differ mainly in their middle bits.
    var slot = ((type &>> 4) ^ (type &>> 12)) & mask
    while slots[slot].type != type && slots[slot].object != nil { slot = (slot &+ 1) & mask }
    return slot
  }

  @inlinable
  subscript(type: Any.Type) -> Unmanaged<AnyObject>? {
    slots[slot(of: Int(bitPattern: ObjectIdentifier(type)))].object
  }

  /// Adds an object for a type that has none.
  @usableFromInline
  func add(_ object: AnyObject, of type: Any.Type) {
    if (count + 1) * 2 > slots.count { grow() }
    let id = Int(bitPattern: ObjectIdentifier(type))
    slots[slot(of: id)] = Slot(type: id, object: .passRetained(object))
    count += 1
  }

  private func grow() {
    let old = slots
    slots = Self.emptySlots(old.count * 2)
    for entry in old where entry.object != nil { slots[slot(of: entry.type)] = entry }
    old.deallocate()
  }
}
