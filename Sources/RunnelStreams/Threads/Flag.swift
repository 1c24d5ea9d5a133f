import Synchronization

/// A flag that any thread can set, once.
@usableFromInline
package final class Flag: Sendable {
  private let value = Atomic(false)

  @usableFromInline
  package init() {}

  @usableFromInline package var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  @usableFromInline
  package func set() {
    value.store(true, ordering: .sequentiallyConsistent)
  }
}
