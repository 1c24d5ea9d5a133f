extension CollectionProperty where Base: ListBase, Base.Element: Hashable {
  /// Replaces the list. With `performDiff`, observers receive the differences in one event, or as
  /// part of a batch: deletes, inserts and a minimal number of moves. Without it they receive a
  /// reset.
  ///
  ///     shelf.replace(with: ["It", "Emma", "Dracula"], performDiff: true)
  ///
  /// Of equal elements, the k-th of the old list matches the k-th of the new one, and the old
  /// instance is kept. Elements in identical memory match, even if they are not equal to
  /// themselves.
  ///
  /// *Complexity*: that of ``ListDifference``.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: { _, _ in true }) { $0 }
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Identifiable & Equatable {
  /// Replaces the list. With `performDiff`, observers receive the differences: elements with the
  /// same id that are not equal are updates. Without it they receive a reset.
  ///
  ///     struct Book: Identifiable, Equatable {
  ///       let id: Int
  ///       var title: String
  ///     }
  ///     let books = CollectionProperty([Book(id: 1, title: "Emma")])
  ///     books.replace(with: [Book(id: 1, title: "Emma, 2nd edition")], performDiff: true)
  ///
  /// Of several elements with the same id, the k-th of the old list matches the k-th of the new
  /// one. If they are equal, the old instance is kept.
  ///
  /// *Complexity*: that of ``ListDifference``.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Identifiable & Hashable {
  /// Replaces the list. With `performDiff`, observers receive the differences: elements with the
  /// same id that are not equal are updates. Without it they receive a reset.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty where Base: ListBase {
  /// Replaces the list, matching elements by id.
  @inlinable
  func replace<ID: Hashable>(
    with elements: some Sequence<Base.Element>, performDiff: Bool,
    isSame: (Base.Element, Base.Element) -> Bool, by id: (Base.Element) -> ID
  ) {
    guard performDiff else { return replace(with: elements) }
    let new = SharedArray(elements)
    live.edit { $0.replace(with: new, isSame: isSame, by: id) }
  }
}

extension CollectionProperty where Base: DictionaryBase, Base.Value: Equatable {
  /// Replaces the dictionary. With `performDiff`, observers receive the differences: new keys,
  /// deleted keys and keys whose values differ. Without it they receive a reset.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     ages.replace(with: ["Jim": 34, "Bones": 39], performDiff: true)  // one update
  @inlinable
  public func replace(with elements: [Base.Key: Base.Value], performDiff: Bool) {
    guard performDiff else { return replace(with: elements) }
    let (old, new) = (value, SharedDictionary(elements))
    let changes = DictionaryChanges(from: old, to: new, isSame: ==)
    // A comparison may have edited the dictionary reentrantly.
    let isEdited = !value.isIdentical(to: old)
    live.edit { isEdited ? $0.reset(to: new) : $0.apply(changes, leadingTo: new) }
  }
}

extension CollectionProperty where Base: SetBase {
  /// Replaces the set. With `performDiff`, observers receive the new and the deleted members.
  /// Without it they receive a reset.
  ///
  ///     let tags = CollectionProperty(Set(["new", "red"]))
  ///     tags.replace(with: ["red", "round"], performDiff: true)
  @inlinable
  public func replace(with members: some Sequence<Base.Member>, performDiff: Bool) {
    guard performDiff else { return replace(with: members) }
    let new = SharedSet(members)
    live.edit { $0.replace(with: new) }
  }
}

extension ListEditor {
  /// Replaces the list, matching elements by id.
  @inlinable
  func replace<ID: Hashable>(
    with new: SharedArray<Element>, isSame: (Element, Element) -> Bool = { _, _ in true },
    by id: (Element) -> ID
  ) {
    let before = list
    // Most lists grow or shrink at their ends, or stay as they are.
    let sharesPrefix = before.beginsLike(new) { id($0) == id($1) && isSame($0, $1) }
    let matched = sharesPrefix ? nil : MatchedList(of: before, new, isSame: isSame, by: id)
    // A comparison may have edited the list reentrantly.
    guard list.isIdentical(to: before) else { return reset(to: new) }
    guard let matched else { return resize(to: new) }
    // Leave the storage identical, so that bindings detect that nothing has changed.
    if matched.isUnchanged { return }
    replaceList {
      $0.rebuild(matched.elements, of: before, matched.sources) { matched.isUpdated[$0] }
    }
  }

  /// Replaces the list with `new`. One of the two lists must be a prefix of the other.
  @inlinable
  func resize(to new: SharedArray<Element>) {
    let (count, newCount) = (list.count, new.count)
    if newCount < count {
      remove(newCount..<count)
    } else if count < newCount {
      insert(contentsOf: new.part(count..<newCount), at: count)
    }
  }

  /// `origins` holds the old index of each element of the new order.
  @inlinable
  func reorder(_ origins: [Int32]) {
    let before = list
    let new = SharedArray(origins.lazy.map { before[Int($0)] })
    replaceList { $0.rebuild(new, origins: origins) }
  }

  /// Replaces the list with the result of a closure that receives an editor without changes.
  @inlinable
  func replaceList(_ rebuild: (ListEditor) -> Void) {
    guard isTouched else { return rebuild(self) }
    // The state before earlier edits of the batch is not available. Their changes are composed with
    // those that the closure makes in an editor of its own.
    let editor = ListEditor(list)
    rebuild(editor)
    guard let changes = editor.finish() else { return }
    apply(changes)
    share(editor.list)
  }
}

/// A new list, and the matches of its elements in an old list by id.
@usableFromInline
struct MatchedList<Element> {
  @usableFromInline let sources: ListOrigins
  /// The new list, in which equal elements are the old instances, because no change is reported for
  /// them.
  @usableFromInline let elements: SharedArray<Element>
  @usableFromInline let isUpdated: [Bool]
  /// True if the lists are equal.
  @usableFromInline let isUnchanged: Bool

  @inlinable
  init<ID: Hashable>(
    of old: SharedArray<Element>, _ new: SharedArray<Element>,
    isSame: (Element, Element) -> Bool, by id: (Element) -> ID
  ) {
    self = withBuffer(old) { old in
      withBuffer(new) { new in
        let sources = ListOrigins(from: old, to: new, by: id)
        var elements = SharedArrayBuilder<Element>(expecting: new.count)
        var isUpdated = [Bool](repeating: false, count: new.count)
        var isUnchanged = new.count == old.count
        for (index, origin) in sources.origins.enumerated() {
          let isKept = origin >= 0 && isSame(old[Int(origin)], new[index])
          isUpdated[index] = origin >= 0 && !isKept
          if !isKept || Int(origin) != index { isUnchanged = false }
          elements.append(isKept ? old[Int(origin)] : new[index])
        }
        return MatchedList(
          sources: sources, elements: elements.finish(), isUpdated: isUpdated,
          isUnchanged: isUnchanged)
      }
    }
  }

  @inlinable
  init(
    sources: ListOrigins, elements: SharedArray<Element>, isUpdated: [Bool], isUnchanged: Bool
  ) {
    self.sources = sources
    self.elements = elements
    self.isUpdated = isUpdated
    self.isUnchanged = isUnchanged
  }
}
