import RunnelStreams

/// The part of a ``WriteQueue`` that knows whether there is room, and pauses sources if not.
final class RoomState {
  /// True from the time when the limit is reached until half of it is free again.
  private var isFull = false
  private var hasEnded = false
  private let held = HeldSources()
  /// Made when it is first asked for.
  private var writable: Property<Bool>?

  func property(isOpen: Bool) -> ReadOnlyProperty<Bool> {
    let property = writable ?? Property(isOpen && !isFull)
    writable = property
    return property.readOnly
  }

  func becomeFull() {
    if isFull { return }
    isFull = true
    writable?.value = false
  }

  /// Pauses a source until there is room.
  func hold(_ source: any PausableSource) {
    held.hold(source)
  }

  func becomeFree() {
    if !isFull { return }
    isFull = false
    // Sources read on later. Observers may fill the queue again at once.
    resumeSources()
    if !hasEnded && !isFull { writable?.value = true }
  }

  /// The queue accepts no more bytes.
  func end() {
    hasEnded = true
    writable?.value = false
  }

  func resumeSources() {
    held.resumeAll()
  }
}
