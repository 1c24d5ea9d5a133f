import RunnelStreams

extension ObservableList {
  /// Makes another list the same as this one, now and from now on.
  ///
  ///     let copy = CollectionProperty<[String]>()
  ///     shelf.bind(to: copy)
  ///
  /// *Events*: at first the other one is reset; then each change of this one is a change of it. What
  /// is done to it otherwise comes to nothing at the next change: it is made the same again.
  ///
  /// Two lists may be bound to each other: what one has already comes to nothing.
  ///
  /// *Disposal*: the binding ends with the other list, or when what is returned is disposed.
  @discardableResult
  public func bind<Target: ListBase>(to target: CollectionProperty<Target>) -> Disposable
  where Target.Element == Base.Element {
    var known = SharedArray<Base.Element>()
    let binding = stream.observeNext(weak: target) { target, event in
      defer { known = event.collection }
      // Also what this one has from the other.
      if target.value.isIdentical(to: event.collection) { return }
      guard let changes = event.changes, target.value.isIdentical(to: known) else {
        return target.live.edit { $0.reset(to: event.collection) }
      }
      target.live.edit { $0.apply(changes) }
    }
    target.live.observations.add(binding)
    return binding
  }
}

extension CollectionProperty where Base: ListBase {
  /// Makes a change that another list has had, or the inverse of one that this list has had.
  ///
  ///     var done: [ListChanges<String>] = []
  ///     shelf.observe { if let changes = $0.changes { done.append(changes) } }
  ///     shelf.append("Dune")
  ///     if let last = done.last { shelf.apply(last.inverse) }
  ///
  /// It traps where the list is not as long as the one that has had the change was before it.
  public func apply(_ changes: ListChanges<Base.Element>) {
    precondition(
      changes.oldCount == count,
      """
      A change of a list of \(changes.oldCount) elements cannot be made to one of \(count). Apply \
      changes in the order in which they were made, and their inverses the other way round.
      """)
    live.edit { $0.apply(changes) }
  }
}

extension ListEditor {
  /// Makes all edits of a change. The list is then the one that the change has, and shares with it.
  @inlinable
  package func apply(_ changes: ListChanges<Element>) {
    changes.replay(to: Mapping(self) { $0 })
    list = changes.elements
  }
}
