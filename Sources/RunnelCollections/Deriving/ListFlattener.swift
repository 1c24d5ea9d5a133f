import RunnelStreams

/// A follower of a list of lists and of the lists in it.
@usableFromInline
final class ListFlattener<Inner: ObservableList>: ListFollower {
  @usableFromInline typealias Element = Inner
  @usableFromInline typealias Output = Inner.Base.Element

  /// The state of an inner list, shared by all of its occurrences.
  @usableFromInline
  final class Part {
    /// The connection of the inner list. It identifies the list, and retains what keeps the list up
    /// to date.
    @usableFromInline let following: Following
    /// The elements of the inner list in the output, as of its last handled event. Others may be
    /// pending.
    @usableFromInline @exclusivity(unchecked) var known: SharedArray<Output>
    /// The handles of the occurrences of the inner list.
    @usableFromInline @exclusivity(unchecked) var handles: Set<Int32> = []
    @usableFromInline @exclusivity(unchecked) var observation = Disposable.none

    @inlinable
    init(_ source: LiveCollection<Inner.Base>) {
      following = source.following
      known = source.value
    }
  }

  @usableFromInline @exclusivity(unchecked) var blocks = ListBlocks<Output>([])
  /// The inner lists by the identity of their connection.
  @usableFromInline @exclusivity(unchecked) var parts: [ObjectIdentifier: Part] = [:]
  /// The handles of the blocks, in order.
  @usableFromInline @exclusivity(unchecked) var order = HandleList()
  /// The inner lists by handle.
  @usableFromInline @exclusivity(unchecked) var holders: [Part?] = []
  @usableFromInline @exclusivity(unchecked) var pool = HandlePool()
  /// True when the output was released.
  @usableFromInline @exclusivity(unchecked) var hasEnded = false
  /// The inner lists that may have no occurrences left.
  @usableFromInline @exclusivity(unchecked) var leaving: [Part] = []
  @usableFromInline weak var core: LiveCore<[Output]>?

  @inlinable var output: ListEditor<Output> { blocks.output }

  @inlinable
  init(_ list: SharedArray<Inner>) {
    blocks = ListBlocks(admit(list, at: 0))
  }

  /// Follows the inner lists of the initial state from now on.
  @inlinable
  func begin(for derived: LiveCollection<[Output]>, _ inners: SharedArray<Inner>) {
    core = derived.core
    for inner in inners { if let part = parts[id(of: inner)] { observe(inner, part) } }
    // A bag, so that a release on another thread disposes in this context.
    derived.endsWithSources(Disposable { self.end() })
  }

  @usableFromInline
  func end() {
    hasEnded = true
    for part in parts.values { part.observation.dispose() }
    parts = [:]
    // A change in progress still reads the positions.
    for handle in holders.indices { holders[handle] = nil }
  }

  // MARK: - Inner lists

  @inlinable
  func id(of inner: Inner) -> ObjectIdentifier { ObjectIdentifier(inner.live.following) }

  @inlinable
  func part(of inner: Inner) -> Part {
    let id = id(of: inner)
    if let part = parts[id] { return part }
    let part = Part(inner.live)
    parts[id] = part
    observe(inner, part)
    return part
  }

  @inlinable
  func observe(_ inner: Inner, _ part: Part) {
    guard !hasEnded, let core, part.observation.isDisposed else { return }
    let id = id(of: inner)
    part.observation = inner.live.core.listen(since: part.known) { [weak self] event in
      core.take(event) { self?.follow($0, of: id) }
    }
    if hasEnded { part.observation.dispose() }
  }

  @inlinable
  func follow(_ event: CollectionEvent<Inner.Base>, of id: ObjectIdentifier) {
    guard let part = parts[id] else { return }
    part.known = event.collection
    for handle in part.handles {
      let index = order.index(of: handle)
      if let changes = event.changes {
        blocks.apply(changes, to: index)
      } else {
        blocks.replace(index, with: event.collection)
      }
    }
  }

  /// Assigns handles to inserted inner lists, and returns their elements.
  @inlinable
  func admit(_ inners: some Collection<Inner>, at index: Int) -> [SharedArray<Output>] {
    var handles: [Int32] = []
    var contents: [SharedArray<Output>] = []
    for inner in inners {
      let part = part(of: inner)
      let handle = pool.take()
      while holders.count < pool.count { holders.append(nil) }
      holders[Int(handle)] = part
      part.handles.insert(handle)
      handles.append(handle)
      contents.append(part.known)
    }
    order.insert(contentsOf: handles, at: index)
    return contents
  }

  @inlinable
  func dismiss(_ handle: Int32) {
    guard let part = holders[Int(handle)] else { return }
    holders[Int(handle)] = nil
    part.handles.remove(handle)
    if part.handles.isEmpty { leaving.append(part) }
  }

  // MARK: - Edits

  @inlinable
  func update(_ index: Int, to inner: Inner) {
    let handle = order[index]
    let part = part(of: inner)
    if part === holders[Int(handle)] { return }
    dismiss(handle)
    holders[Int(handle)] = part
    part.handles.insert(handle)
    blocks.replace(index, with: part.known)
  }

  @inlinable
  func remove(_ range: Range<Int>) {
    for index in range {
      let handle = order[index]
      dismiss(handle)
      pool.give(handle)
    }
    order.removeSubrange(range)
    blocks.remove(range)
  }

  @inlinable
  func lift(_ index: Int) -> (handle: Int32, block: ListBlocks<Output>.Lifted) {
    (order.remove(at: index), blocks.lift(index))
  }

  @inlinable
  func insert(_ range: Range<Int>, of list: SharedArray<Inner>) {
    blocks.insert(admit(list[range], at: range.lowerBound), at: range.lowerBound)
  }

  @inlinable
  func drop(_ lifted: (handle: Int32, block: ListBlocks<Output>.Lifted), at index: Int) {
    order.insert(lifted.handle, at: index)
    blocks.drop(lifted.block, at: index)
  }

  /// Releases the inner lists that have no occurrences left.
  @inlinable
  func settle() {
    let candidates = leaving
    leaving = []
    for part in candidates where part.handles.isEmpty {
      parts[ObjectIdentifier(part.following)] = nil
      part.observation.dispose()
    }
    if pool.canBeDiscarded { (pool, order, holders, parts) = (HandlePool(), HandleList(), [], [:]) }
  }

  @inlinable
  func reset(to list: SharedArray<Inner>) {
    for handle in order { dismiss(handle) }
    order = HandleList()
    pool = HandlePool()
    blocks.reset(to: admit(list, at: 0))
    settle()
  }
}
