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

  /// Hands each event of a collection to the closure, which edits this one, until what is returned is
  /// disposed.
  @inlinable
  func listen<Source>(
    to source: LiveCollection<Source>, _ handle: @escaping (CollectionEvent<Source>) -> Void
  ) -> Disposable {
    source.core.events.observeNext { event in
      self.batch { handle(event) }
    }
  }

  @inlinable
  func publish() {
    if let change = editor.takeChange() {
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
