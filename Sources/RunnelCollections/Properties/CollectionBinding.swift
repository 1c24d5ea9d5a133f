import RunnelStreams

extension ObservableCollection {
  /// Makes another collection the same as this one, now and from now on.
  ///
  ///     let copy = CollectionProperty<[String]>()
  ///     shelf.bind(to: copy)
  ///
  /// *Events*: at first the other one is reset; then each change of this one is a change of it. What
  /// is done to it otherwise comes to nothing at the next change: it is made the same again. Where
  /// observers change this one while it tells of a change, the other one has all of that in one event:
  /// a reset, for dictionaries and sets.
  ///
  /// Two collections may be bound to each other, and more of them in a circle: what one has already
  /// comes to nothing. A circle through something that is derived never comes to rest. In a circle of
  /// three or more, where an observer of one takes back at once what has come to it, those before it
  /// may keep that until the next change.
  ///
  /// *Disposal*: the binding ends with the other one, or when what is returned is disposed.
  @discardableResult
  public func bind(to target: CollectionProperty<Base>) -> Disposable {
    let binding = CollectionBinding(from: live.core, to: target.live)
    let observation = stream.observeNext { binding.take($0) }
    target.live.bindings.add(observation)
    return observation
  }
}

extension CollectionProperty: Bindable where Base: ListBase {
  /// Becomes each array that the stream sends, by a reset.
  ///
  ///     let answers = PushStream<[String]>()
  ///     answers.bind(to: shelf)
  ///     answers.next(["Emma", "Dracula"])
  ///
  /// To have observers told what is different, replace it with a diff:
  /// `answers.observeNext(weak: shelf) { $0.replace(with: $1, performDiff: true) }`.
  @inlinable
  public func bind(from source: EventStream<[Base.Element], Never>) -> Disposable {
    // Not the property: what is derived of it goes on without it.
    source.bind(in: live.bindings) { [weak live] elements in
      live?.edit { $0.reset(to: SharedArray(elements)) }
    }
  }
}

/// Makes a collection the same as another one.
///
/// It waits until the other one has told all that it has to tell. Otherwise what has come of the first
/// of two changes would come back, where both are bound to each other, before the second one: as one
/// that takes it back.
private final class CollectionBinding<Base: CollectionBase> {
  // Safety: only what the source sends, or does afterwards, comes here.
  private unowned let source: LiveCore<Base>
  private weak var target: LiveCollection<Base>?
  /// How many events of the source have come.
  private var eventCount: Int
  /// What both were when they were last the same.
  private var known: Base.Elements?
  /// What has become of the source since then, if all of that are changes.
  private var changes: [Base.Changes]? = []

  init(from source: LiveCore<Base>, to target: LiveCollection<Base>) {
    self.source = source
    self.target = target
    eventCount = source.eventCount
  }

  func take(_ event: CollectionEvent<Base>) {
    if case .initial = event.change {
      eventCount = source.eventCount
      return make(event.collection)
    }
    eventCount += 1
    if let change = event.changes { changes?.append(change) } else { changes = nil }
    if target?.value.isIdentical(to: event.collection) == true { note(event.collection) }
    catchUp()
  }

  private func catchUp() {
    guard source.eventCount == eventCount else { return }
    guard source.editor.isTouched else { return make(source.editor.elements) }
    // What it is being changed into may come to nothing, without an event.
    source.afterwards.append { [weak self] in self?.catchUp() }
  }

  private func make(_ elements: Base.Elements) {
    guard let target else { return }
    if target.value.isIdentical(to: elements) {
      // It may have come to the same by itself, as all that are empty are: of which it is to tell.
      if target.core.depth > 0, target.core.editor.isTouched { target.core.owesEvent = true }
      return note(elements)
    }
    target.edit { editor in
      // What goes and comes back in one event is what it was, by key or as a member: not the equal one
      // that the source may have in place of it. So more than one change is not what they lead to there.
      let isExact = Base.Editor.canNest || changes?.count == 1 && !editor.isTouched
      if isExact, let changes, let known, editor.elements.isIdentical(to: known) {
        for change in changes { editor.apply(change) }
        editor.share(elements)
      } else {
        editor.reset(to: elements)
      }
      note(elements)
    }
    // Where a batch of the target takes that back, so that nothing comes of it, those that it is bound
    // to are to be told.
    if target.core.depth > 0 { target.core.owesEvent = true }
  }

  private func note(_ elements: Base.Elements) {
    known = elements
    changes = []
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
