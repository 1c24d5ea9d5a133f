/// An operator that keeps an output in step with a list.
///
/// It receives a change as edits, one after the other, each in terms of the list at that time:
/// updates first, then removals from the end, then insertions from the start. Moved elements are
/// lifted with the removals and dropped with the insertions.
@usableFromInline
package protocol ListFollower<Element>: AnyObject {
  associatedtype Element
  associatedtype Editor: CollectionEditor
  /// An element that was taken out, to be inserted elsewhere.
  associatedtype Lifted

  var output: Editor { get }

  /// Makes the edits of a change.
  func follow(_ changes: ListChanges<Element>)
  func update(_ index: Int, to element: Element)
  func remove(_ range: Range<Int>)
  /// Removes an element that will be dropped again.
  func lift(_ index: Int) -> Lifted
  /// The range refers to the list after the change.
  func insert(_ range: Range<Int>, of list: SharedArray<Element>)
  /// The index refers to the list after the change.
  func insert(_ element: Element, at index: Int, of list: SharedArray<Element>)
  /// Handles the insertion of a lifted element.
  func drop(_ lifted: Lifted, at index: Int)
  /// Completes a change, after all of its edits.
  func settle()
  func reset(to list: SharedArray<Element>)
}

extension ListFollower {
  @inlinable
  package func settle() {}

  @inlinable
  package func insert(_ element: Element, at index: Int, of list: SharedArray<Element>) {
    insert(index..<index + 1, of: list)
  }

  @inlinable
  package func follow(_ changes: ListChanges<Element>) { changes.replay(to: self) }

  @inlinable
  package func follow<Base: ListBase>(_ event: CollectionEvent<Base>)
  where Base.Element == Element {
    guard let changes = event.changes else { return reset(to: event.collection) }
    follow(changes)
  }
}

extension ListChanges {
  /// Reports the edits of the change to a follower, one after the other.
  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    switch contents {
    case .single(let change): change.replay(to: follower)
    case .many(let changes): changes.replay(to: follower)
    }
    follower.settle()
  }
}
