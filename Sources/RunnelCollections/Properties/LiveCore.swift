import RunnelStreams

/// The elements and events of a collection, without its connection to sources.
@usableFromInline
final class LiveCore<Base: CollectionBase> {
  @usableFromInline @exclusivity(unchecked) var editor: Base.Editor
  @usableFromInline let events: PushStream<CollectionEvent<Base>>
  /// The number of open batches.
  @usableFromInline @exclusivity(unchecked) var depth = 0
  /// The number of events sent, including those that are still pending.
  @usableFromInline @exclusivity(unchecked) var eventCount = 0
  /// True while an edit hashes or compares keys. The collection may be in an intermediate state.
  @usableFromInline @exclusivity(unchecked) var isAskingKeys = false
  /// True when an event is due even if the edits have no effect.
  @usableFromInline @exclusivity(unchecked) var owesEvent = false
  /// A marker for the current edits. Observers that are added during the edits retain it until their
  /// reset.
  @usableFromInline @exclusivity(unchecked) var latecomers: Latecomers?
  /// Closures to run when all edits were sent or had no effect.
  @usableFromInline @exclusivity(unchecked) var afterwards: [() -> Void] = []
  /// The inputs that wait until the current one has been handled; nil when none is being handled.
  @usableFromInline @exclusivity(unchecked) var waitingInputs: [() -> Void]?
  private lazy var endings = DisposeBag()

  @inlinable
  init(_ editor: Base.Editor, file: StaticString, line: UInt) {
    self.editor = editor
    events = PushStream(file: file, line: line)
  }

  /// Runs a closure that makes edits, and sends them as one event unless a batch is open.
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

  /// Makes the edits that follow from an event of another collection.
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

  /// Handles an event of a source or an element of a stream, and sends the resulting edits as one
  /// event. An input that arrives meanwhile is handled afterwards, in order.
  ///
  /// During a change, a closure of the user may edit the source, or send a predicate. Handling such
  /// an input at once would mix old and new state.
  @inlinable
  func take<Input>(_ input: Input, _ handle: @escaping (Input) -> Void) {
    guard waitingInputs == nil else {
      waitingInputs?.append { handle(input) }
      return
    }
    waitingInputs = []
    follow {
      handle(input)
      while let inputs = waitingInputs, !inputs.isEmpty {
        waitingInputs = []
        for handleNext in inputs { handleNext() }
      }
      waitingInputs = nil
    }
  }

  /// Runs an edit that hashes and compares keys. It must not release the last reference to a value,
  /// because a `deinit` may make another edit.
  @inlinable
  func askKeys<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    require(
      !isAskingKeys,
      "A key's hash or `==` changed the collection during an edit. Make it free of side effects.")
    isAskingKeys = true
    defer { isAskingKeys = false }
    return try body()
  }

  @inlinable
  func publish() {
    let isOwed = isEventOwed
    owesEvent = false
    // The check avoids a store per event.
    if latecomers != nil { latecomers = nil }
    if !events.isObserved {
      editor.forget()
    } else if sendChanges(isOwed: isOwed), depth > 0 {
      // Within a batch, a change that an observer made during delivery is sent too.
      return publish()
    }
    if depth == 0 && !afterwards.isEmpty { catchUp() }
  }

  /// Sends the changes since the last event. Returns true if an event was sent.
  @inlinable
  func sendChanges(isOwed: Bool) -> Bool {
    if editor.isReset {
      sendReset()
    } else if let changes = editor.finish() {
      send(.changes(changes))
    } else if isOwed {
      send(.reset)
    } else {
      return false
    }
    return true
  }

  @inlinable
  func sendReset() {
    // Release removed values after delivery: a `deinit` may make an edit.
    let changes = editor.finish()
    editor.isReset = false
    send(.reset)
    withExtendedLifetime(changes) {}
  }

  @inlinable
  func send(_ change: consuming CollectionChange<Base.Changes>) {
    eventCount += 1
    events.next(CollectionEvent(editor.elements, change))
  }

  @inlinable var isEventOwed: Bool {
    owesEvent || latecomers != nil && !isKnownUniquelyReferenced(&latecomers)
  }

  /// Disposes something when this core is released.
  @usableFromInline
  func add(_ disposable: Disposable) { endings.add(disposable) }

  @usableFromInline
  func catchUp() {
    let actions = afterwards
    afterwards = []
    for action in actions { action() }
  }

  /// True while there are edits, or may be edits, without an event.
  @inlinable var isInEditing: Bool { depth > 0 || editor.isTouched }
}

// MARK: - Observing

extension LiveCore {
  /// Passes each event since the state `start` to a closure. If the state has changed since, or
  /// unsent edits exist, the first event is a reset.
  @inlinable
  func listen(
    since start: Base.Elements, _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> Disposable {
    if isHalfChanged { return events.observeNext(waiting(handle)) }
    guard !editor.elements.isIdentical(to: start) else { return events.observeNext(handle) }
    let (events, missed) = (events, CollectionEvent<Base>(editor.elements, .reset))
    return EventStream.unguarded { events.add($0) { $0.next(missed) } }.observeNext(handle)
  }

  /// Sends the current collection to an observer, then every change.
  @inlinable
  func addObserver(_ observer: Observer<CollectionEvent<Base>, Never>) {
    let initial = CollectionEvent<Base>(editor.elements, .initial)
    guard isHalfChanged else { return events.add(observer) { $0.next(initial) } }
    let later = Observer(before: observer, next: waiting { observer.next($0) })
    events.add(later) { _ in observer.next(initial) }
  }

  /// True when the current state may differ from the one after the pending edits.
  @inlinable var isHalfChanged: Bool { editor.isTouched || isAskingKeys }

  /// Wraps the handler of an observer that was added during edits, so that its first event is a
  /// reset. That event is sent even if the edits have no effect.
  @inlinable
  func waiting(
    _ handle: @escaping (CollectionEvent<Base>) -> Void
  ) -> (CollectionEvent<Base>) -> Void {
    var latecomers: Latecomers? = self.latecomers ?? Latecomers()
    self.latecomers = latecomers
    return { event in
      guard latecomers.take() != nil else { return handle(event) }
      handle(CollectionEvent(event.collection, .reset))
    }
  }
}

/// A marker retained by the observers that wait for the same event.
@usableFromInline
final class Latecomers {
  @inlinable init() {}
}
