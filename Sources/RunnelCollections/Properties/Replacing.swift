extension CollectionProperty where Base: ListBase, Base.Element: Hashable {
  /// Makes it another list. With a diff, observers are told what is different, in one event or as
  /// part of a batch: what to delete, to insert, and as few moves as there can be. Without one it is a
  /// reset.
  ///
  ///     shelf.replace(with: ["It", "Emma", "Dracula"], performDiff: true)
  ///
  /// Of elements that are equal the k-th stays the k-th, as it was. What is the same memory in both
  /// is the same, whether it is equal to itself or not.
  ///
  /// *Complexity*: as that of ``ListDifference``.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: { _, _ in true }) { $0 }
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Identifiable & Equatable {
  /// Makes it another list. With a diff, observers are told what is different: an element with the
  /// same id that is not equal to what it was is updated. Without one it is a reset.
  ///
  ///     struct Book: Identifiable, Equatable {
  ///       let id: Int
  ///       var title: String
  ///     }
  ///     let books = CollectionProperty([Book(id: 1, title: "Emma")])
  ///     books.replace(with: [Book(id: 1, title: "Emma, 2nd edition")], performDiff: true)
  ///
  /// Of elements with the same id the k-th stays the k-th, and if they are equal as it was.
  ///
  /// *Complexity*: as that of ``ListDifference``.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty where Base: ListBase, Base.Element: Identifiable & Hashable {
  /// Makes it another list. With a diff, observers are told what is different: an element with the
  /// same id that is not equal to what it was is updated. Without one it is a reset.
  @inlinable
  public func replace(with elements: some Sequence<Base.Element>, performDiff: Bool) {
    replace(with: elements, performDiff: performDiff, isSame: ==) { $0.id }
  }
}

extension CollectionProperty where Base: ListBase {
  /// Makes it another list, whose elements are told apart by an id.
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
  /// Makes it another dictionary. With a diff, observers are told which keys are new, which are gone
  /// and which have values that differ. Without one it is a reset.
  ///
  ///     let ages = CollectionProperty(["Jim": 33, "Bones": 39])
  ///     ages.replace(with: ["Jim": 34, "Bones": 39], performDiff: true)  // one update
  @inlinable
  public func replace(with elements: [Base.Key: Base.Value], performDiff: Bool) {
    guard performDiff else { return replace(with: elements) }
    let (old, new) = (value, SharedDictionary(elements))
    let changes = DictionaryChanges(from: old, to: new, isSame: ==)
    // Whoever was asked may have edited the dictionary.
    let isEdited = !value.isIdentical(to: old)
    live.edit { isEdited ? $0.reset(to: new) : $0.apply(changes, leadingTo: new) }
  }
}

extension CollectionProperty where Base: SetBase {
  /// Makes it another set. With a diff, observers are told which members are new and which are gone.
  /// Without one it is a reset.
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
  /// Makes it another list, whose elements are told apart by an id.
  @inlinable
  func replace<ID: Hashable>(
    with new: SharedArray<Element>, isSame: (Element, Element) -> Bool = { _, _ in true },
    by id: (Element) -> ID
  ) {
    let before = list
    let common = Swift.min(before.count, new.count)
    // Most lists grow or shrink at their ends, or stay as they are.
    let beginAlike = before.beginsLike(new) { id($0) == id($1) && isSame($0, $1) }
    // Whoever was asked may have edited the list.
    guard list.isIdentical(to: before) else { return reset(to: new) }
    if beginAlike {
      if common < before.count {
        remove(common..<before.count)
      } else if common < new.count {
        insert(contentsOf: new.part(common..<new.count), at: common)
      }
      return
    }
    makeAnother { editor in
      withBuffer(before) { old in
        withBuffer(new) { all in
          let sources = ListOrigins(from: old, to: all, by: id)
          // What is the same stays what it was: nobody is told of it, and so it has to be for all.
          var elements = SharedArrayBuilder<Element>(expecting: all.count)
          var isUpdated = [Bool](repeating: false, count: all.count)
          var isAsItWas = all.count == old.count
          for (index, origin) in sources.origins.enumerated() {
            let isKept = origin >= 0 && isSame(old[Int(origin)], all[index])
            isUpdated[index] = origin >= 0 && !isKept
            if !isKept || Int(origin) != index { isAsItWas = false }
            elements.append(isKept ? old[Int(origin)] : all[index])
          }
          // Those that it is bound to see by its identity that nothing has happened.
          if isAsItWas, !editor.isTouched, editor.list.isIdentical(to: before) { return }
          editor.rebuild(elements.finish(), of: before, sources) { isUpdated[$0] }
        }
      }
    }
  }

  /// Puts its elements in another order: the old index of each is given.
  @inlinable
  func reorder(_ origins: [Int32]) {
    let before = list
    let new = SharedArray(origins.lazy.map { before[Int($0)] })
    makeAnother { $0.rebuild(new, origins: origins) }
  }

  /// Makes it another list by a closure that rebuilds the one that an editor has, to which nothing has
  /// happened.
  @inlinable
  func makeAnother(_ rebuild: (ListEditor) -> Void) {
    // What there was before other edits of the batch is not known any more: theirs come to be one
    // change with what a list without them would say.
    let before = list
    let editor = isTouched ? ListEditor(before) : self
    rebuild(editor)
    guard editor !== self else { return }
    let changes = editor.finish()
    // Whoever was asked may have edited the list.
    guard list.isIdentical(to: before) else { return reset(to: editor.list) }
    guard let changes else { return }
    apply(changes)
    share(editor.list)
  }
}
