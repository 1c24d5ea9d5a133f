import Synchronization

/// A flag that any thread can set, once.
@usableFromInline
final class Flag: Sendable {
  private let value = Atomic(false)

  @usableFromInline
  init() {}

  @usableFromInline var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  @usableFromInline
  func set() {
    value.store(true, ordering: .sequentiallyConsistent)
  }
}
