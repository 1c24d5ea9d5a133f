extension StreamProtocol {
  /// Divides the elements into streams by a key, and sends each such group when its key first comes.
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
  /// *Events*: a group is sent before its first element, so whoever observes it at once gets all of
  /// it; later, only what comes from then on. The groups end with the source, in the order they were
  /// made, and then the stream of groups does. An error thrown by the closure fails them all.
  ///
  /// *Disposal*: disposes the source; groups that are still observed fall silent.
  ///
  /// *Complexity*: a dictionary look-up for each element. A group is kept until the source ends, so
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

/// The elements of a stream that have one key: what ``StreamProtocol/groupBy(_:)`` sends.
///
/// It is hot: an observer gets what comes from now on, and the end of the source.
public struct GroupedStream<Key: Hashable, Element, Failure: Error>: StreamProtocol {
  /// What the elements have in common.
  public let key: Key
  @usableFromInline let elements: Subject<Element, Failure>

  @inlinable
  init(key: Key, elements: Subject<Element, Failure>) {
    self.key = key
    self.elements = elements
  }

  /// The elements from now on.
  @inlinable
  public var stream: EventStream<Element, Failure> { elements.stream }
}

/// One run of `groupBy`.
@usableFromInline
final class Grouping<Key: Hashable, Element, Failure: Error> {
  @usableFromInline typealias Group = GroupedStream<Key, Element, Failure>

  @usableFromInline let key: (Element) throws(Failure) -> Key
  @usableFromInline let observer: Observer<Group, Failure>
  /// In the order they were made, in which they end.
  @usableFromInline @exclusivity(unchecked) var groups: [Subject<Element, Failure>] = []
  @usableFromInline @exclusivity(unchecked) var places: [Key: Int] = [:]
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
    if let place = places[key] { return groups[place].next(element) }
    let group = Subject<Element, Failure>()
    places[key] = groups.count
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
    places = [:]
    for group in ending where observer.isActive { group.end(termination) }
    observer.end(termination)
  }
}
