/// A changing set of disposables that are disposed together.
///
/// A member that is added after disposal is disposed at once. Adding and removing are O(1). Slots
/// of removed members are reused, so memory stays flat over any number of members (C9).
public final class CompositeDisposable: Teardown {
  /// The identity of a member, with which it can be removed.
  public struct Key: Hashable {
    @usableFromInline let index: Int

    @usableFromInline
    init(index: Int) {
      self.index = index
    }
  }

  // Most sets have at most one member at a time, which needs no array.
  @usableFromInline @exclusivity(unchecked) var first: Disposable?
  @usableFromInline @exclusivity(unchecked) var others: [Disposable?] = []
  @usableFromInline @exclusivity(unchecked) var vacant: [Int] = []
  @usableFromInline @exclusivity(unchecked) var isOver = false

  /// Creates a set of disposables.
  public init(_ members: [Disposable] = []) {
    for member in members { add(member) }
  }

  /// True after ``dispose()``.
  public var isDisposed: Bool { isOver }

  /// The number of members.
  public var count: Int { (first == nil ? 0 : 1) + others.count - vacant.count }

  /// Adds a member. If the set is disposed, the member is disposed at once and the key is nil.
  @inlinable
  @discardableResult
  public func add(_ disposable: Disposable) -> Key? {
    if !isOver && first == nil {
      first = disposable
      return Key(index: -1)
    }
    return addFurther(disposable)
  }

  /// Removes a member without disposing it. A key can be used once.
  @inlinable
  public func remove(_ key: Key) {
    if key.index < 0 { first = nil } else { removeFurther(key) }
  }

  /// Disposes every member, in the order of their slots.
  public func dispose() {
    guard !isOver else { return }
    isOver = true
    disposeMembers()
  }

  /// Disposes every member. Others may be added afterwards.
  func disposeMembers() {
    let earliest = first.take()
    let leaving = others
    others = []
    vacant = []
    earliest?.dispose()
    for member in leaving { member?.dispose() }
  }

  var only: Disposable? {
    guard count == 1 else { return nil }
    return first ?? others.lazy.compactMap { $0 }.first
  }

  /// Disposes the set together with its owner.
  public func tearDown() { dispose() }

  @usableFromInline
  func addFurther(_ disposable: Disposable) -> Key? {
    guard !isOver else {
      disposable.dispose()
      return nil
    }
    if let index = vacant.popLast() {
      others[index] = disposable
      return Key(index: index)
    }
    others.append(disposable)
    return Key(index: others.count - 1)
  }

  @usableFromInline
  func removeFurther(_ key: Key) {
    guard !isOver, let leaving = others[key.index] else { return }
    others[key.index] = nil
    vacant.append(key.index)
    // Released after the set is consistent again: a `deinit` may call back into it.
    withExtendedLifetime(leaving) {}
  }
}
