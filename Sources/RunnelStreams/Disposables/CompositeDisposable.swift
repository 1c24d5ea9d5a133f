/// A changing set of disposables that are disposed together.
///
/// What is added after it was disposed is disposed at once. Adding and removing take constant time,
/// and a place that was given up is used again, so that memory stays flat over any number (C9).
public final class CompositeDisposable: Teardown {
  /// Names a member, so that it can be removed.
  public struct Key: Hashable {
    @usableFromInline let index: Int

    @usableFromInline
    init(index: Int) {
      self.index = index
    }
  }

  // Most sets never have more than one member at a time: the first place needs no array.
  @usableFromInline @exclusivity(unchecked) var first: Disposable?
  @usableFromInline @exclusivity(unchecked) var others: [Disposable?] = []
  @usableFromInline @exclusivity(unchecked) var vacant: [Int] = []
  @usableFromInline @exclusivity(unchecked) var isOver = false

  /// A set of disposables.
  public init(_ members: [Disposable] = []) {
    for member in members { add(member) }
  }

  /// Whether it was disposed.
  public var isDisposed: Bool { isOver }

  /// How many members it has.
  public var count: Int { (first == nil ? 0 : 1) + others.count - vacant.count }

  /// Adds a member. Where this set is disposed already, so is the member, and there is no key.
  @inlinable
  @discardableResult
  public func add(_ disposable: Disposable) -> Key? {
    if !isOver && first == nil {
      first = disposable
      return Key(index: -1)
    }
    return addFurther(disposable)
  }

  /// Takes a member out without disposing it. A key is good once.
  @inlinable
  public func remove(_ key: Key) {
    if key.index < 0 { first = nil } else { removeFurther(key) }
  }

  /// Disposes every member, in the order of their places.
  public func dispose() {
    guard !isOver else { return }
    isOver = true
    let leaving = [first] + others
    first = nil
    others = []
    vacant = []
    for member in leaving { member?.dispose() }
  }

  /// Disposes it: what it was added to is being disposed.
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
    // It dies when the set is in order again: what it captured may come back here from its deinit.
    withExtendedLifetime(leaving) {}
  }
}
