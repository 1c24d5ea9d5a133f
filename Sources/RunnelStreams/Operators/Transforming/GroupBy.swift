extension StreamProtocol {
  /// Divides the elements into groups by a key. Each group is a stream, which is sent when its key
  /// first occurs.
  ///
  ///     source                   --1-----2-----3--4--|
  ///     groupBy { $0 % 2 }       --odd---even--------|
  ///     odd                        1-----------3-----|
  ///     even                             2--------4--|
  ///
  ///     trades.groupBy(\.symbol).observeNext { group in
  ///       group.observeNext { print(group.key, $0.price) }
  ///     }
  ///
  /// *Events*: a group is sent before its first element. An observer that is added at once receives
  /// all elements of the group; a later one receives only new elements. When the source ends, the
  /// groups end in the order of their creation, and then the result ends. An error thrown by the
  /// closure fails all of them.
  ///
  /// *Disposal*: disposes the source. Groups that are still observed send no further events.
  ///
  /// *Complexity*: one dictionary look-up per element. A group is stored until the source ends, so
  /// the number of keys should be limited.
  @inlinable
  public func groupBy<Key: Hashable>(
    _ key: @escaping (Element) throws(Failure) -> Key
  ) -> EventStream<GroupedStream<Key, Element, Failure>, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let grouping = Grouping(by: key, into: observer)
      source.start(
        Observer(
          next: { grouping.next($0) }, end: { grouping.end($0) },
          observation: observer.observation))
    }
  }
}

/// The elements of a stream that have the same key. ``StreamProtocol/groupBy(_:)`` sends these
/// groups.
///
/// A group is hot: an observer receives new elements only, and the end of the source.
public struct GroupedStream<Key: Hashable, Element, Failure: Error>: StreamProtocol {
  /// The key of all elements of the group.
  public let key: Key
  @usableFromInline let elements: Subject<Element, Failure>

  @inlinable
  init(key: Key, elements: Subject<Element, Failure>) {
    self.key = key
    self.elements = elements
  }

  /// The elements that arrive after the observation begins.
  @inlinable
  public var stream: EventStream<Element, Failure> { elements.stream }
}

/// The state of one observation of `groupBy`.
@usableFromInline
final class Grouping<Key: Hashable, Element, Failure: Error> {
  @usableFromInline typealias Group = GroupedStream<Key, Element, Failure>

  @usableFromInline let key: (Element) throws(Failure) -> Key
  @usableFromInline let observer: Observer<Group, Failure>
  /// The groups in the order of their creation. They end in the same order.
  @usableFromInline @exclusivity(unchecked) var groups: [Subject<Element, Failure>] = []
  @usableFromInline @exclusivity(unchecked) var indices: [Key: Int] = [:]
  @usableFromInline @exclusivity(unchecked) var hasEnded = false

  @inlinable
  init(
    by key: @escaping (Element) throws(Failure) -> Key, into observer: Observer<Group, Failure>
  ) {
    self.key = key
    self.observer = observer
  }

  @inlinable
  func next(_ element: Element) {
    guard !hasEnded else { return }
    do throws(Failure) {
      send(element, to: try key(element))
    } catch {
      end(.failed(error))
    }
  }

  @inlinable
  func send(_ element: Element, to key: Key) {
    guard observer.isActive else { return }
    if let index = indices[key] { return groups[index].next(element) }
    let group = Subject<Element, Failure>()
    indices[key] = groups.count
    groups.append(group)
    observer.next(Group(key: key, elements: group))
    if observer.isActive { group.next(element) }
  }

  @usableFromInline
  func end(_ termination: Termination<Failure>) {
    guard !hasEnded else { return }
    hasEnded = true
    let ending = groups
    groups = []
    indices = [:]
    for group in ending where observer.isActive { group.end(termination) }
    observer.end(termination)
  }
}
