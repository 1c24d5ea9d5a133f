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
  /// Whether keys are being asked: what there is may be half of it meanwhile.
  @usableFromInline @exclusivity(unchecked) var isAskingKeys = false
  /// Whether there is to be an event also if the edits come to nothing.
  @usableFromInline @exclusivity(unchecked) var owesEvent = false
  /// Whether somebody has seen it in the middle of edits, and may wait for an event.
  @usableFromInline @exclusivity(unchecked) var mayHaveLatecomers = false
  /// Those who wait, if there are any left.
  @usableFromInline @exclusivity(unchecked) weak var latecomers: Latecomers?
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

  /// Makes the edits that come of an event of another collection.
  @inlinable
  func follow(_ body: () -> Void) {
    batch {
      if Base.Editor.canNest { return body() }
      let wasAskingKeys = isAskingKeys
      isAskingKeys = true
      defer { isAskingKeys = wasAskingKeys }
      body()
    }
  }

  /// Runs an edit that asks keys for their hashes and compares them. Nothing that it lets go of may be
  /// the last reference to it: a `deinit` may make another edit.
  @inlinable
  func askKeys<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    require(
      !isAskingKeys,
      "A key, asked for its hash or by ==, changed what it is a key of, which is being changed.")
    isAskingKeys = true
    defer { isAskingKeys = false }
    return try body()
  }

  @inlinable
  func publish() {
    let isOwed = isEventOwed
    owesEvent = false
    mayHaveLatecomers = false
    if !events.isObserved {
      editor.forget()
    } else if tellChange(isOwed: isOwed), depth > 0 {
      // Within a batch, what an observer has changed just now waits as well.
      return publish()
    }
    if depth == 0 && !afterwards.isEmpty { catchUp() }
  }

  /// Tells observers what has become of the collection since the last time; whether there was anything.
  @inlinable
  func tellChange(isOwed: Bool) -> Bool {
    if editor.isReset {
      tellReset()
    } else if let changes = editor.finish() {
      tell(.changes(changes))
    } else if isOwed {
      tell(.reset)
    } else {
      return false
    }
    return true
  }

  @inlinable
  func tellReset() {
    // What goes with the changes does so when all are told: its `deinit` may make an edit.
    let changes = editor.finish()
    editor.isReset = false
    tell(.reset)
    withExtendedLifetime(changes) {}
  }

  @inlinable
  func tell(_ change: consuming CollectionChange<Base.Changes>) {
    eventCount += 1
    events.next(CollectionEvent(editor.elements, change))
  }

  @inlinable var isEventOwed: Bool { owesEvent || mayHaveLatecomers && latecomers != nil }

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
  /// Hands each event from now on to a closure that has what there was in `start`. If there is something
  /// else by now, or are edits that nobody was told of, its first event is a reset.
  @inlinable
  func listen(
    since start: Base.Elements, _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> Disposable {
    if isHalfChanged { return events.observeNext(waiting(handle)) }
    guard !editor.elements.isIdentical(to: start) else { return events.observeNext(handle) }
    let (events, missed) = (events, CollectionEvent<Base>(editor.elements, .reset))
    return EventStream.unguarded { events.add($0) { $0.next(missed) } }.observeNext(handle)
  }

  /// Tells an observer what there is now, then of every change.
  @inlinable
  func tell(_ observer: Observer<CollectionEvent<Base>, Never>) {
    let initial = CollectionEvent<Base>(editor.elements, .initial)
    guard isHalfChanged else { return events.add(observer) { $0.next(initial) } }
    let later = Observer(before: observer, next: waiting { observer.next($0) })
    events.add(later) { _ in observer.next(initial) }
  }

  /// Whether what there is now may be no more when all is told.
  @inlinable var isHalfChanged: Bool { editor.isTouched || isAskingKeys }

  /// Makes the first event a reset, for one who has seen the collection half changed. There will be one,
  /// also if the edits come to nothing.
  @inlinable
  func waiting(
    _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> (CollectionEvent<Base>) -> Void {
    // Not those who wait for an event that is on its way.
    let waiting = mayHaveLatecomers ? self.latecomers : nil
    var latecomers: Latecomers? = waiting ?? Latecomers()
    self.latecomers = latecomers
    mayHaveLatecomers = true
    return { event in
      guard latecomers.take() != nil else { return handle(event) }
      handle(CollectionEvent(event.collection, .reset))
    }
  }
}

/// Those who wait for the same event. It is there as long as one of them waits.
@usableFromInline
final class Latecomers {
  @inlinable init() {}
}
