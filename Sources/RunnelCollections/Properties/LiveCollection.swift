import RunnelStreams

/// A collection that can be read and observed, and that follows another one: what operators such as
/// `filter` make.
///
///     let long = shelf.filter { $0.count > 3 }
///     long.observe { event in show(event.collection) }  // as it is, then after every change
///
/// It is kept up to date as long as it is there, whether it is observed or not, and it keeps what it
/// follows. Whoever observes it need not keep it: then it follows on until the observation is disposed
/// or all that it follows is released. Each change costs what the change is worth, not what the
/// collection is.
public final class LiveCollection<Base: CollectionBase> {
  @usableFromInline let core: LiveCore<Base>
  /// What it follows.
  @usableFromInline @exclusivity(unchecked) var sources: [AnyObject] = []
  /// What those who observe it keep in its place.
  @usableFromInline let following = Following()
  /// The bindings to it, which end with it.
  @usableFromInline lazy var bindings = DisposeBag()

  @inlinable
  package init(_ editor: Base.Editor, file: StaticString = #fileID, line: UInt = #line) {
    core = LiveCore(editor, file: file, line: line)
  }

  // MARK: - Changing

  /// What makes the edits. They are sent with the next event.
  @inlinable
  package var editor: Base.Editor {
    get { core.editor }
    _modify { yield &core.editor }
  }

  /// Makes edits, and sends one event of them all unless a batch is open.
  @inlinable
  package func edit<Output, Thrown: Error>(
    _ body: (inout Base.Editor) throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    let core = core
    return try core.batch { () throws(Thrown) in
      if Base.Editor.canNest { return try body(&core.editor) }
      // What goes is kept until the edit is over.
      let before = core.editor
      defer { withExtendedLifetime(before) {} }
      return try core.askKeys { () throws(Thrown) in try body(&core.editor) }
    }
  }

  /// The same for one key or member, where the closure returns all that goes: to keep all of it would
  /// have the edit make copies.
  @inlinable
  func editOne<Output>(_ body: (inout Base.Editor) -> Output) -> Output {
    let core = core
    return core.batch { core.askKeys { body(&core.editor) } }
  }

  /// Runs a closure that makes edits by other ways, and sends one event of them all.
  @inlinable
  func batch<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    try core.batch(body)
  }

  @inlinable
  func publish() { core.publish() }

  // MARK: - Following

  /// Follows another collection, of which it was made when there was `start`: hands each event from now
  /// on to the closure, which edits.
  @inlinable
  package func follow<Source>(
    _ source: LiveCollection<Source>, since start: Source.Elements,
    _ handle: @escaping (CollectionEvent<Source>) -> Void
  ) {
    keep(source)
    let core = core
    following.add(source.core.listen(since: start) { event in core.follow { handle(event) } })
  }

  /// Keeps what it follows, and has those who observe it keep what that follows in turn.
  @inlinable
  func keep(_ source: LiveCollection<some Any>) {
    sources.append(source)
    following.upstream.append(source.following)
  }

  /// Follows another collection as a stream says: hands each element of the stream to `change`, with
  /// the collection as it is known here. The latest element waits while there are changes that are not:
  /// those of a batch that is open, and events that are on their way.
  ///
  /// What is known is not kept, or each change of the collection would copy a path.
  @inlinable
  package func follow<Source: ListBase, Element>(
    _ source: LiveCollection<Source>, since start: Source.Elements,
    by stream: EventStream<Element, Never>,
    _ handle: @escaping (CollectionEvent<Source>) -> Void,
    change: @escaping (Element, SharedArray<Source.Element>) -> Void
  ) {
    // Weak, for the one has the closures and the other is had by them.
    weak let core = source.core
    weak let derived = self.core
    var waiting: Element?
    // How many events of the collection are known here.
    var known = 0
    func catchUp(with elements: SharedArray<Source.Element>) {
      guard known == core?.eventCount, let element = waiting.take() else { return }
      change(element, elements)
    }
    func catchUpAfterEdits() {
      guard let core else { return }
      guard core.isInEditing else { return catchUp(with: core.editor.elements) }
      // They may come to nothing, without an event.
      core.afterwards.append { derived?.batch(catchUpAfterEdits) }
    }
    follow(source, since: start) { event in
      known += 1
      handle(event)
      catchUp(with: event.collection)
    }
    known = source.core.eventCount
    follow(stream) { element in
      let isFirst = waiting == nil
      waiting = element
      if isFirst { catchUpAfterEdits() }
    }
  }

  /// What an operator keeps, which follows a list from now on, and was made when there was `start`.
  @inlinable
  convenience init<Source: ListBase, Follower: ListFollower>(
    of follower: Follower, following source: LiveCollection<Source>, since start: Source.Elements
  ) where Base.Editor == Follower.Editor, Source.Element == Follower.Element {
    self.init(follower.output)
    keep(source)
    // Not by `follow`, whose closure would call another one for each event.
    let core = core
    following.add(
      source.core.listen(since: start) { event in core.follow { follower.follow(event) } })
  }

  /// Follows a stream from now on: hands each element of it to the closure, which edits.
  @inlinable
  package func follow<Element>(
    _ stream: EventStream<Element, Never>, _ handle: @escaping (Element) -> Void
  ) {
    endsWithSources(
      stream.observeNext { [weak core] element in
        core?.batch { handle(element) }
      })
  }

  /// Has something end when nobody follows any more, and also when there is nothing to follow: an
  /// observation that was not disposed of may be kept then.
  @inlinable
  func endsWithSources(_ disposable: Disposable) {
    following.add(disposable)
    core.add(disposable)
  }
}

/// What keeps a derived collection in step with what it follows. The collection has it, and so has
/// each observation of it and whatever follows it: it ends when none of them is left.
@usableFromInline
final class Following {
  //   events of the source ─► node ─► core of the derived ─► its events ─► node ─► observation
  //                            ▲                                                       │
  //                            └──────── observation of the source ◄─── following ◄────┘
  //
  // This is a circle, on purpose: it is broken by `dispose()`, and by the events of the source, which
  // let go of their nodes when they are released. No following has a collection or a core.

  private lazy var observations = DisposeBag()
  /// What keeps the sources in step.
  @usableFromInline @exclusivity(unchecked) var upstream: [Following] = []

  @inlinable init() {}

  /// Has something end with it.
  @usableFromInline func add(_ disposable: Disposable) { observations.add(disposable) }
}

extension Following: Teardown {
  /// An observation that ends lets go of it, which is all.
  @usableFromInline func tearDown() {}
}

/// Collections that can be observed: ``CollectionProperty``, and the ``LiveCollection`` that each
/// operator makes of it.
///
/// As sequences they are what there is now. Where an operator goes by the name that something has for
/// all sequences, as the `map` of a list does, it is the operator that is meant: what it makes is live.
public protocol ObservableCollection<Base>: AnyObject, Sequence
where Element == Base.Elements.Element {
  /// The collection that it is like: an `Array`, a `Dictionary` or a `Set`.
  associatedtype Base: CollectionBase
  /// The same, for reading only.
  var live: LiveCollection<Base> { get }
}

extension LiveCollection: ObservableCollection {
  /// The collection itself.
  public var live: LiveCollection { self }
}

extension ObservableCollection {
  /// All there is now. To keep it copies nothing: it shares with what comes later.
  @inlinable
  public var value: Base.Elements { live.editor.elements }

  /// How many elements there are now.
  @inlinable
  public var count: Int { value.count }

  /// Whether there are none now.
  @inlinable
  public var isEmpty: Bool { value.isEmpty }

  /// Iterates over what there is now, whatever becomes of it meanwhile.
  @inlinable
  public func makeIterator() -> Base.Elements.Iterator { value.makeIterator() }

  /// How many elements there are now.
  @inlinable
  public var underestimatedCount: Int { count }

  /// The collection as it is, then every change of it.
  ///
  /// *Events*: one event for each change, or for each batch. What an observer changes is there at
  /// once, and its event waits until all observers know of the one before (C2). Who begins to observe
  /// in the middle of a batch, or from a closure that an operator calls in the middle of a change,
  /// begins with what has been done by then, and gets a reset when all is done. If that is nothing,
  /// and somebody waits for it, all get a reset.
  ///
  /// *Disposal*: a property that is released lets its observers go without an event, and so does what
  /// was derived from it alone. What was derived need not be kept as long as it is observed; only a
  /// ``ListGroup`` does not keep the grouping. Disposed of in the middle of a change, what was derived
  /// is brought to its end first.
  @inlinable
  public var stream: EventStream<CollectionEvent<Base>, Never> {
    let live = live
    return .unguarded { observer in
      // What follows nothing would only have each observation keep one thing more.
      if !live.sources.isEmpty { observer.observation.add(live.following) }
      live.core.tell(observer)
    }
  }

  /// Calls the closure with the collection as it is, then with every change.
  ///
  ///     shelf.observe { event in
  ///       guard let changes = event.changes else { return show("\(event.collection.count)") }
  ///       show("\(changes.inserts.count) more, \(changes.deletes.count) less")
  ///     }
  @inlinable
  @discardableResult
  public func observe(_ next: @escaping (CollectionEvent<Base>) -> Void) -> Disposable {
    stream.observeNext(next)
  }

  /// The same on behalf of an object, which it does not keep alive.
  ///
  ///     shelf.filter { $0.count > 3 }.observe(weak: self) { screen, event in
  ///       screen.heading = "\(event.collection.count) long titles"
  ///     }
  ///
  /// *Disposal*: the observation ends at the first change after the object has gone. Until then
  /// what was derived follows on.
  @discardableResult
  public func observe<Target: AnyObject>(
    weak target: Target, _ next: @escaping (Target, CollectionEvent<Base>) -> Void
  ) -> Disposable {
    stream.observeNext(weak: target, next)
  }

  /// Whether anybody observes it.
  public var isObserved: Bool { live.core.events.isObserved }
}
