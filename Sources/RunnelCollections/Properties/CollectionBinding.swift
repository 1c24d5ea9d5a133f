import RunnelStreams

extension ObservableCollection {
  /// Makes another collection the same as this one, now and from now on.
  ///
  ///     let copy = CollectionProperty<[String]>()
  ///     shelf.bind(to: copy)
  ///
  /// *Events*: at first the other one is reset; then each change of this one is a change of it. What
  /// is done to it otherwise comes to nothing at the next change: it is made the same again.
  ///
  /// Two collections may be bound to each other: what one has already comes to nothing.
  ///
  /// *Disposal*: the binding ends with the other one, or when what is returned is disposed.
  @discardableResult
  public func bind(to target: CollectionProperty<Base>) -> Disposable {
    var known: Base.Elements?
    let binding = stream.observeNext(weak: target) { target, event in
      defer { known = event.collection }
      // Also what this one has from the other.
      if target.value.isIdentical(to: event.collection) { return }
      guard let changes = event.changes, let known, target.value.isIdentical(to: known) else {
        return target.live.edit { $0.reset(to: event.collection) }
      }
      target.live.edit {
        $0.apply(changes)
        $0.share(event.collection)
      }
    }
    target.live.observations.add(binding)
    return binding
  }
}

extension CollectionProperty {
  /// Makes a change that another collection has had, or the inverse of one that this one has had.
  ///
  ///     var done: [ListChanges<String>] = []
  ///     shelf.observe { if let changes = $0.changes { done.append(changes) } }
  ///     shelf.append("Dune")
  ///     if let last = done.last { shelf.apply(last.inverse) }
  ///
  /// It traps where there are not as many elements, or sections, as there were before the change.
  /// Those of dictionaries and sets can be made to any.
  public func apply(_ changes: Base.Changes) {
    live.edit { $0.apply(changes) }
  }
}
