import RunnelStreams

/// A read-only collection that can be observed and that follows its sources. Operators such as
/// `filter` return one.
///
///     let long = shelf.filter { $0.count > 3 }
///     long.observe { event in show(event.collection) }  // as it is, then after every change
///
/// It is kept up to date as long as it exists, observed or not, and it keeps its sources alive. An
/// observation keeps it up to date as well, until the observation is disposed or all sources are
/// released. The cost of a change is proportional to the change, not to the collection.
public final class LiveCollection<Base: CollectionBase> {
  @usableFromInline let core: LiveCore<Base>
  @usableFromInline @exclusivity(unchecked) var sources: [AnyObject] = []
  /// The connection to the sources, which observations retain instead of this object.
  @usableFromInline let following = Following()
  /// The bindings to this collection. They end when it is released.
  @usableFromInline lazy var bindings = DisposeBag()

  @inlinable
  package init(_ editor: Base.Editor, file: StaticString = #fileID, line: UInt = #line) {
    core = LiveCore(editor, file: file, line: line)
  }

  deinit {
    if !sources.isEmpty { ReleaseQueue.ofThisThread.release(exchange(&sources, with: [])) }
  }

  // MARK: - Changing

  /// Edits are sent with the next event.
  @inlinable
  package var editor: Base.Editor {
    get { core.editor }
    _modify { yield &core.editor }
  }

  /// Makes edits, and sends them as one event unless a batch is open.
  @inlinable
  package func edit<Output, Thrown: Error>(
    _ body: (inout Base.Editor) throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    let core = core
    return try core.batch { () throws(Thrown) in
      if Base.Editor.canNest { return try body(&core.editor) }
      // Keep removed values until the edit has ended.
      let before = core.editor
      defer { withExtendedLifetime(before) {} }
      return try core.askKeys { () throws(Thrown) in try body(&core.editor) }
    }
  }

  /// Makes an edit of one key or member, and sends it as one event unless a batch is open. The
  /// closure must return all removed values. Retaining the whole editor instead would make the edit
  /// copy.
  @inlinable
  func editOne<Output>(_ body: (inout Base.Editor) -> Output) -> Output {
    let core = core
    return core.batch { core.askKeys { body(&core.editor) } }
  }

  /// Runs a closure that makes edits, and sends them as one event unless a batch is open.
  @inlinable
  func batch<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    try core.batch(body)
  }

  @inlinable
  func publish() { core.publish() }

  // MARK: - Following

  /// Follows another collection. Each event since the state `start` is passed to the closure, which
  /// edits this collection. Events and stream elements are handled one at a time, in order.
  @inlinable
  package func follow<Source>(
    _ source: LiveCollection<Source>, since start: Source.Elements,
    _ handle: @escaping (CollectionEvent<Source>) -> Void
  ) {
    keep(source)
    let core = core
    following.add(source.core.listen(since: start) { event in core.take(event, handle) })
  }

  /// Retains a source, and makes observations of this collection retain its connection.
  @inlinable
  func keep(_ source: LiveCollection<some Any>) {
    sources.append(source)
    following.upstream.append(source.following)
  }

  /// Follows another collection under the control of a stream. Each element of the stream is passed
  /// to `change`, with the source's state as of the events handled so far. The latest element waits
  /// while there are unhandled changes: those of an open batch and pending events.
  ///
  /// The state is not stored, because a stored copy would make each change of the source copy a
  /// path.
  @inlinable
  package func follow<Source: ListBase, Element>(
    _ source: LiveCollection<Source>, since start: Source.Elements,
    by stream: EventStream<Element, Never>,
    _ handle: @escaping (CollectionEvent<Source>) -> Void,
    change: @escaping (Element, SharedArray<Source.Element>) -> Void
  ) {
    // Weak references: the source retains these closures, and the derived collection owns its core.
    weak let core = source.core
    weak let derived = self.core
    var waiting: Element?
    // The number of events of the source that were handled.
    var known = 0
    func catchUp(with elements: SharedArray<Source.Element>) {
      guard known == core?.eventCount, let element = waiting.take() else { return }
      change(element, elements)
    }
    func catchUpAfterEdits() {
      guard let core else { return }
      guard core.isInEditing else { return catchUp(with: core.editor.elements) }
      // The edits may have no effect, and then there is no event.
      core.afterwards.append { derived?.take((), catchUpAfterEdits) }
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

  /// Creates the output of a follower, which follows a list from the state `start` on.
  @inlinable
  convenience init<Source: ListBase, Follower: ListFollower>(
    of follower: Follower, following source: LiveCollection<Source>, since start: Source.Elements
  ) where Base.Editor == Follower.Editor, Source.Element == Follower.Element {
    self.init(follower.output)
    keep(source)
    // A single source sends one event at a time, so no queue is needed.
    let core = core
    following.add(
      source.core.listen(since: start) { event in core.follow { follower.follow(event) } })
  }

  /// Follows a stream. The latest element is passed to the closure, which edits this collection. An
  /// element that waits is replaced by the next one.
  @inlinable
  package func follow<Element>(
    _ stream: EventStream<Element, Never>, _ handle: @escaping (Element) -> Void
  ) {
    var latest: Element?
    endsWithSources(
      stream.observeNext { [weak core] element in
        let isWaiting = latest != nil
        latest = element
        if isWaiting { return }
        core?.take(()) { if let element = latest.take() { handle(element) } }
      })
  }

  /// Disposes something when this collection no longer follows its sources, or when there are none.
  /// In the latter case an undisposed observation may retain the connection.
  @inlinable
  func endsWithSources(_ disposable: Disposable) {
    following.add(disposable)
    core.add(disposable)
  }
}

/// The connection between a derived collection and its sources. It is retained by the collection,
/// by each observation of it and by everything that follows it.
@usableFromInline
final class Following {
  //   events of the source ─► node ─► core of the derived ─► its events ─► node ─► observation
  //                            ▲                                                       │
  //                            └──────── observation of the source ◄─── following ◄────┘
  //
  // This cycle is intended. `dispose()` breaks it, and so do the events of the source, which
  // release their nodes when they are deallocated. A `Following` never retains a collection or a
  // core.

  private lazy var observations = DisposeBag()
  /// The connections of the sources to their own sources.
  @usableFromInline @exclusivity(unchecked) var upstream: [Following] = []

  @inlinable init() {}

  deinit {
    if !upstream.isEmpty { ReleaseQueue.ofThisThread.release(exchange(&upstream, with: [])) }
  }

  /// Disposes something when the connection is released.
  @usableFromInline func add(_ disposable: Disposable) { observations.add(disposable) }
}

extension Following: Teardown {
  /// Does nothing: an observation that ends only releases the connection.
  @usableFromInline func tearDown() {}
}

/// A collection that can be observed: a ``CollectionProperty``, or the ``LiveCollection`` that an
/// operator returns.
///
/// As a sequence it yields the current elements. Where an operator has the name of a sequence
/// method, such as `map` on a list, the operator is called and the result is live.
public protocol ObservableCollection<Base>: AnyObject, Sequence
where Element == Base.Elements.Element {
  /// The standard collection that it resembles: an `Array`, a `Dictionary` or a `Set`.
  associatedtype Base: CollectionBase
  /// The read-only view of this collection.
  var live: LiveCollection<Base> { get }
}

extension LiveCollection: ObservableCollection {
  /// The collection itself.
  public var live: LiveCollection { self }
}

extension ObservableCollection {
  /// The current elements. Storing them copies nothing, because versions share storage.
  @inlinable
  public var value: Base.Elements { live.editor.elements }

  /// The current number of elements.
  @inlinable
  public var count: Int { value.count }

  /// True when there are no elements now.
  @inlinable
  public var isEmpty: Bool { value.isEmpty }

  /// Returns an iterator over the current elements. Later changes do not affect it.
  @inlinable
  public func makeIterator() -> Base.Elements.Iterator { value.makeIterator() }

  /// The current number of elements.
  @inlinable
  public var underestimatedCount: Int { count }

  /// A stream of the current collection, then of every change.
  ///
  /// *Events*: one event for each change or batch. A change made by an observer is visible at once;
  /// its event waits until all observers have received the previous one (C2). An observer that is
  /// added during a batch, or from a closure that an operator calls during a change, starts from
  /// the current state and receives a reset when the change ends. If the change has no effect in
  /// the end and such an observer exists, all observers receive a reset.
  ///
  /// *Disposal*: when a property is released, its observations end without an event, and so do
  /// those of collections derived from it alone. A derived collection need not be stored while it
  /// is observed; however, a ``ListGroup`` does not retain its grouping. If an observation is
  /// disposed during a change, the derived collection finishes that change first.
  @inlinable
  public var stream: EventStream<CollectionEvent<Base>, Never> {
    let live = live
    return .unguarded { observer in
      // A collection without sources has no connection that observations must retain.
      if !live.sources.isEmpty { observer.observation.add(live.following) }
      live.core.addObserver(observer)
    }
  }

  /// Calls a closure with the current collection, then with every change.
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

  /// Calls a closure with the current collection, then with every change, as `observe` does. It has
  /// the name of the method of streams.
  ///
  ///     shelf.observeNext { event in
  ///       print("inserts: \(event.inserts), updates: \(event.updates), deletes: \(event.deletes)")
  ///     }
  @inlinable
  @discardableResult
  public func observeNext(_ next: @escaping (CollectionEvent<Base>) -> Void) -> Disposable {
    observe(next)
  }

  /// Calls a closure with an object, which is not retained, and the current collection, then every
  /// change.
  ///
  ///     shelf.filter { $0.count > 3 }.observe(weak: self) { screen, event in
  ///       screen.heading = "\(event.collection.count) long titles"
  ///     }
  ///
  /// *Disposal*: the observation ends at the first change after the object was released. Until then
  /// it keeps derived collections up to date.
  @discardableResult
  public func observe<Target: AnyObject>(
    weak target: Target, _ next: @escaping (Target, CollectionEvent<Base>) -> Void
  ) -> Disposable {
    stream.observeNext(weak: target, next)
  }

  /// True while the collection has observers.
  public var isObserved: Bool { live.core.events.isObserved }
}
