import RunnelStreams

extension ObservableList where Base.Element: Collection {
  /// Returns the live list of the elements of all collections in this list, one collection after
  /// the other.
  ///
  ///     let words = CollectionProperty([["to", "be"], ["or", "not"]])
  ///     let all = words.flattened()
  ///     words.append(["to", "be"])
  ///     print(all.value)  // ["to", "be", "or", "not", "to", "be"]
  ///
  /// *Events*: moving a collection moves its elements. Updating a collection deletes its elements
  /// and inserts the new ones. For equatable elements, those at a common start and end stay; for
  /// hashable elements, only the differences are reported.
  @inlinable
  public func flattened() -> LiveCollection<[Base.Element.Element]> {
    flattened { $0.replaceAll(with: $1) }
  }

  /// Returns the live list of the elements of all collections in this list, one collection after
  /// the other.
  @inlinable
  public func flattened() -> LiveCollection<[Base.Element.Element]>
  where Base.Element.Element: Equatable {
    flattened { $0.replaceMiddle(with: $1) }
  }

  /// Returns the live list of the elements of all collections in this list, one collection after
  /// the other.
  @inlinable
  public func flattened() -> LiveCollection<[Base.Element.Element]>
  where Base.Element.Element: Hashable {
    flattened { editor, new in editor.replace(with: new) { $0 } }
  }

  @inlinable
  func flattened(
    rewriting rewrite:
      @escaping (
        ListEditor<Base.Element.Element>, SharedArray<Base.Element.Element>
      ) -> Void
  ) -> LiveCollection<[Base.Element.Element]> {
    let start = value
    return LiveCollection(of: FlattenedCollection(start, rewrite), following: live, since: start)
  }
}

extension ObservableList {
  /// Returns the live list of the elements of the closure's results, one collection after the
  /// other.
  ///
  ///     let characters = shelf.flatMap { Array($0) }
  ///     print(characters.count)  // 10
  ///
  /// This is a `map` followed by `flattened()`.
  @inlinable
  public func flatMap<Inner: Collection>(
    _ transform: @escaping (Base.Element) -> Inner
  ) -> LiveCollection<[Inner.Element]> {
    map(transform).flattened()
  }

  /// Returns the live list of the elements of the closure's results, one collection after the
  /// other.
  @inlinable
  public func flatMap<Inner: Collection>(
    _ transform: @escaping (Base.Element) -> Inner
  ) -> LiveCollection<[Inner.Element]> where Inner.Element: Equatable {
    map(transform).flattened()
  }

  /// Returns the live list of the elements of the closure's results, one collection after the
  /// other.
  @inlinable
  public func flatMap<Inner: Collection>(
    _ transform: @escaping (Base.Element) -> Inner
  ) -> LiveCollection<[Inner.Element]> where Inner.Element: Hashable {
    map(transform).flattened()
  }
}

/// A follower that flattens a list of collections.
@usableFromInline
final class FlattenedCollection<Inner: Collection>: ListFollower {
  @usableFromInline typealias Element = Inner
  @usableFromInline typealias Output = Inner.Element

  @usableFromInline @exclusivity(unchecked) var blocks: ListBlocks<Output>
  /// Rewrites the list in an editor into another list.
  @usableFromInline let rewrite: (ListEditor<Output>, SharedArray<Output>) -> Void

  @inlinable var output: ListEditor<Output> { blocks.output }

  @inlinable
  init(
    _ list: SharedArray<Inner>,
    _ rewrite: @escaping (ListEditor<Output>, SharedArray<Output>) -> Void
  ) {
    blocks = ListBlocks(list.map { SharedArray($0) })
    self.rewrite = rewrite
  }

  @inlinable
  func update(_ index: Int, to inner: Inner) {
    let editor = ListEditor(output.elements.part(blocks.range(of: index)))
    rewrite(editor, SharedArray(inner))
    if let changes = editor.finish() { blocks.apply(changes, to: index) }
  }

  @inlinable
  func remove(_ range: Range<Int>) { blocks.remove(range) }

  @inlinable
  func lift(_ index: Int) -> ListBlocks<Output>.Lifted { blocks.lift(index) }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Inner>) {
    blocks.insert(list[range].map { SharedArray($0) }, at: range.lowerBound)
  }

  @inlinable
  func drop(_ lifted: ListBlocks<Output>.Lifted, at index: Int) { blocks.drop(lifted, at: index) }

  @inlinable
  func reset(to list: SharedArray<Inner>) {
    blocks.reset(to: list.map { SharedArray($0) })
  }
}

extension ListEditor {
  @inlinable
  func replaceAll(with new: SharedArray<Element>) {
    remove(0..<elements.count)
    insert(contentsOf: new, at: 0)
  }

  /// Replaces the list, keeping the elements at a common start and end.
  @inlinable
  func replaceMiddle(with new: SharedArray<Element>) where Element: Equatable {
    let common = min(elements.count, new.count)
    let start = elements.commonStart(with: new, where: ==)
    let end = zip(elements.reversed(), new.reversed()).prefix(common - start).prefix { $0 == $1 }
      .count
    remove(start..<elements.count - end)
    insert(contentsOf: new[start..<new.count - end], at: start)
  }
}
