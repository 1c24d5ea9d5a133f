import RunnelStreams

/// What a collection is and sends, without what it follows.
@usableFromInline
final class LiveCore<Base: CollectionBase> {
  @usableFromInline @exclusivity(unchecked) var editor: Base.Editor
  @usableFromInline let events: PushStream<CollectionEvent<Base>>
  /// How many batches are open.
  @usableFromInline @exclusivity(unchecked) var depth = 0
  /// How many events there were so far, also those that still wait for observers.
  @usableFromInline @exclusivity(unchecked) var eventCount = 0
  /// Whether there is an edit that must not be interrupted by another one.
  @usableFromInline @exclusivity(unchecked) var isInEdit = false
  /// Whether somebody has seen it in the middle of edits, and is owed an event even if they come to
  /// nothing.
  @usableFromInline @exclusivity(unchecked) var owesEvent = false
  /// What is to be done when all edits have been sent, or have come to nothing.
  @usableFromInline @exclusivity(unchecked) var afterwards: [() -> Void] = []
  private lazy var endings = DisposeBag()

  @inlinable
  init(_ editor: Base.Editor, file: StaticString, line: UInt) {
    self.editor = editor
    events = PushStream(file: file, line: line)
  }

  /// Runs a closure that makes edits, and sends one event of them all unless a batch is open.
  @inlinable
  func batch<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { publish() }
    }
    return try body()
  }

  @inlinable
  func beginEdit() {
    require(
      !isInEdit,
      "A key, asked for its hash or by ==, changed what it is a key of, which is being changed.")
    isInEdit = true
  }

  @inlinable
  func publish() {
    let change = editor.takeChange() ?? (owesEvent ? .reset : nil)
    owesEvent = false
    if let change {
      eventCount += 1
      events.next(CollectionEvent(editor.elements, change))
      // Within a batch, what an observer has changed just now waits as well.
      if depth > 0 { return publish() }
    }
    if depth == 0 && !afterwards.isEmpty { catchUp() }
  }

  /// Has something end with it: when no source and no collection has it any more.
  @usableFromInline
  func add(_ disposable: Disposable) { endings.add(disposable) }

  @usableFromInline
  func catchUp() {
    let actions = afterwards
    afterwards = []
    for action in actions { action() }
  }

  /// Whether there are edits for which there is no event yet, or there may be.
  @inlinable var isInEditing: Bool { depth > 0 || editor.isTouched }
}

// MARK: - Observing

extension LiveCore {
  /// Hands each event from now on to a closure that has what there was in `start`. If that is not all,
  /// because a batch is open or somebody has been asked meanwhile, the first event is a reset.
  @inlinable
  func listen(
    since start: Base.Elements, _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> Disposable {
    guard isHalfChanged || !editor.elements.isIdentical(to: start)
    else { return events.observeNext(handle) }
    let observation = events.observeNext(catchingUp(handle))
    // Otherwise it is sent when the edits have been made.
    if !isInEditing { publish() }
    return observation
  }

  /// Tells an observer what there is now, then of every change.
  @inlinable
  func add(_ observer: Observer<CollectionEvent<Base>, Never>) {
    let later =
      isHalfChanged ? Observer(before: observer, next: catchingUp { observer.next($0) }) : observer
    events.add(later) { _ in observer.next(CollectionEvent(self.editor.elements, .initial)) }
  }

  /// Whether what there is now may be no more when all is told.
  @inlinable var isHalfChanged: Bool { editor.isTouched || isInEdit }

  /// For the first event, which there will be, the closure gets a reset.
  @inlinable
  func catchingUp(
    _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> (CollectionEvent<Base>) -> Void {
    owesEvent = true
    var isBehind = true
    return { event in
      guard isBehind else { return handle(event) }
      isBehind = false
      handle(CollectionEvent(event.collection, .reset))
    }
  }
}
