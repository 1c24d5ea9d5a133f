import RunnelStreams

extension ObservableCollection {
  /// Keeps another collection equal to this one.
  ///
  ///     let copy = CollectionProperty<[String]>()
  ///     shelf.bind(to: copy)
  ///
  /// *Events*: the target is reset first; then each change of this collection is a change of the
  /// target. Other edits of the target are undone at the next change. If observers change this
  /// collection while it delivers a change, the target receives all of these changes in one event.
  /// For dictionaries and sets that event is a reset.
  ///
  /// Two collections may be bound to each other, and more may be bound in a circle, because a
  /// change that makes no difference is not passed on. A circle that contains a derived collection
  /// never comes to rest. In a circle of three or more, an observer may undo a change as soon as it
  /// arrives; the collections before it can then keep that change until the next one.
  ///
  /// *Disposal*: the binding ends when the target is released or the returned disposable is
  /// disposed.
  @discardableResult
  public func bind(to target: CollectionProperty<Base>) -> Disposable {
    let binding = CollectionBinding(from: live.core, to: target.live)
    let observation = stream.observeNext { binding.take($0) }
    target.live.bindings.add(observation)
    return observation
  }
}

extension CollectionProperty: Bindable where Base: ListBase {
  /// Resets the property to each array that the stream sends.
  ///
  ///     let answers = PushStream<[String]>()
  ///     answers.bind(to: shelf)
  ///     answers.next(["Emma", "Dracula"])
  ///
  /// For events that describe the difference, replace with a diff: `answers.observeNext(weak:
  /// shelf) { $0.replace(with: $1, performDiff: true) }`.
  @inlinable
  public func bind(from source: EventStream<[Base.Element], Never>) -> Disposable {
    // Not the property: collections derived from it outlive it.
    source.bind(in: live.bindings) { [weak live] elements in
      live?.edit { $0.reset(to: SharedArray(elements)) }
    }
  }
}

/// A binding that keeps one collection equal to another.
///
/// It waits until the source has delivered all pending events. Otherwise, with two collections
/// bound to each other, the result of a first change would arrive back before the second change and
/// undo it.
private final class CollectionBinding<Base: CollectionBase> {
  // Safety: used only while the source sends an event or runs its `afterwards` closures.
  private unowned let source: LiveCore<Base>
  private weak var target: LiveCollection<Base>?
  /// The number of events received from the source.
  private var eventCount: Int
  /// The state of both collections when they were last equal.
  private var known: Base.Elements?
  /// The changes of the source since then, or nil if one of the events was a reset.
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
    // An edit in progress may have no effect, and then sends no event.
    source.afterwards.append { [weak self] in self?.catchUp() }
  }

  private func make(_ elements: Base.Elements) {
    guard let target else { return }
    if target.value.isIdentical(to: elements) {
      // The target may have reached the same state without this binding. Its observers need an
      // event.
      if target.core.depth > 0, target.core.editor.isTouched { target.core.owesEvent = true }
      return note(elements)
    }
    target.edit { editor in
      // A key or member that is removed and inserted within one event keeps the old instance, while
      // the source may hold an equal new one. So several changes do not lead to the same state
      // there.
      let isExact = Base.Editor.canNest || changes?.count == 1 && !editor.isTouched
      if isExact, let changes, let known, editor.elements.isIdentical(to: known) {
        for change in changes { editor.apply(change) }
        editor.share(elements)
      } else {
        editor.reset(to: elements)
      }
      note(elements)
    }
    // If a batch of the target undoes these edits, collections that it is bound to still need an
    // event.
    if target.core.depth > 0 { target.core.owesEvent = true }
  }

  private func note(_ elements: Base.Elements) {
    known = elements
    changes = []
  }
}

extension CollectionProperty {
  /// Applies a change of another collection, or the inverse of a change of this one.
  ///
  ///     var done: [ListChanges<String>] = []
  ///     shelf.observe { if let changes = $0.changes { done.append(changes) } }
  ///     shelf.append("Dune")
  ///     if let last = done.last { shelf.apply(last.inverse) }
  ///
  /// Traps if the count of elements or sections differs from the count before the change. Changes
  /// of dictionaries and sets can be applied to any dictionary or set.
  public func apply(_ changes: Base.Changes) {
    live.edit { $0.apply(changes) }
  }
}
