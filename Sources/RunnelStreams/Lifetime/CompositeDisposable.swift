/// A changing set of disposables that are disposed together.
///
/// What is added after it was disposed is disposed at once. Adding and removing take constant time,
/// and a place that was given up is used again, so that memory stays flat over any number (C9).
public final class CompositeDisposable: Teardown {
  /// Names a member, so that it can be removed.
  public struct Key: Hashable {
    @usableFromInline let index: Int
    @usableFromInline init(index: Int) { self.index = index }
  }

  @usableFromInline var members: [Disposable?] = []
  @usableFromInline var vacant: [Int] = []

  /// Whether it was disposed.
  public private(set) var isDisposed = false

  /// A set of disposables.
  public init(_ members: [Disposable] = []) {
    self.members = members
  }

  /// How many members it has.
  public var count: Int { members.count - vacant.count }

  /// Adds a member; nil if it was disposed at once, because this set already is.
  @discardableResult
  public func add(_ disposable: Disposable) -> Key? {
    guard !isDisposed else {
      disposable.dispose()
      return nil
    }
    if let index = vacant.popLast() {
      members[index] = disposable
      return Key(index: index)
    }
    members.append(disposable)
    return Key(index: members.count - 1)
  }

  /// Takes a member out without disposing it. A key is good once.
  public func remove(_ key: Key) {
    guard !isDisposed, members[key.index] != nil else { return }
    members[key.index] = nil
    vacant.append(key.index)
  }

  /// Disposes every member, in the order of their places.
  public func dispose() {
    guard !isDisposed else { return }
    isDisposed = true
    let leaving = members
    members = []
    vacant = []
    for member in leaving { member?.dispose() }
  }

  /// Disposes it, with what it was added to.
  public func tearDown() { dispose() }
}
