/// What follows a list: an operator that keeps another one in step with it.
///
/// A change reaches it as edits, one after the other, each in terms of the list as it stands then:
/// first the updates, then what goes, from the end, then what comes, from the start. What moves goes
/// into a hand and comes out of it.
@usableFromInline
package protocol ListFollower<Element>: AnyObject {
  associatedtype Element
  associatedtype Editor: CollectionEditor

  /// What is kept in step.
  var output: Editor { get }

  /// Makes the edits of a change.
  func follow(_ changes: ListChanges<Element>)
  /// An element has become another one.
  func update(_ index: Int, to element: Element)
  /// Some elements are not there any more.
  func remove(_ range: Range<Int>)
  /// An element is taken out, to be put in again: `number` says which of those it is.
  func lift(_ index: Int, number: Int)
  /// What is in a range of the list as it is in the end has been put there.
  func insert(_ range: Range<Int>, of list: SharedArray<Element>)
  /// An element has been put at an index of the list as it is in the end.
  func insert(_ element: Element, at index: Int, of list: SharedArray<Element>)
  /// An element that was taken out is put in again.
  func drop(number: Int, at index: Int)
  /// All edits of a change have been made.
  func settle()
  /// It is another list.
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

  /// Makes the edits of an event.
  @inlinable
  package func follow<Base: ListBase>(_ event: CollectionEvent<Base>)
  where Base.Element == Element {
    guard let changes = event.changes else { return reset(to: event.collection) }
    follow(changes)
  }
}

extension ListChanges {
  /// Tells a follower of the change, edit by edit.
  @inlinable
  func replay(to follower: some ListFollower<Element>) {
    switch contents {
    case .lone(let change): change.replay(to: follower)
    case .many(let changes): changes.replay(to: follower)
    }
    follower.settle()
  }
}

/// The elements that were taken out of a list and wait to be put in again, by number.
@usableFromInline
package struct LiftedElements<Thing> {
  @usableFromInline var things: [Thing?] = []
  /// How many are in it now.
  @usableFromInline var count = 0

  @inlinable
  package init() {}

  @inlinable
  package mutating func put(_ thing: Thing, number: Int) {
    while things.count <= number { things.append(nil) }
    things[number] = thing
    count += 1
  }

  /// Takes out what was put in under a number, if anything.
  @inlinable
  package mutating func take(number: Int) -> Thing? {
    guard number < things.count, let thing = things[number].take() else { return nil }
    count -= 1
    if count == 0 && things.count > 64 { things = [] }
    return thing
  }
}
