import RunnelStreams

/// A collection that can be changed and observed, and from which live collections can be derived.
///
///     let names = CollectionProperty(["Bones", "Jim"])
///     let sorted = names.sorted()
///     names.append("Christine")
///     print(sorted.value)  // ["Bones", "Christine", "Jim"]
///
/// Use it like the array, dictionary or set that it holds. Each change sends one event. A
/// ``batch(_:)`` of changes sends one event too.
public final class CollectionProperty<Base: CollectionBase>: ObservableCollection {
  /// The read-only view of this collection.
  public let live: LiveCollection<Base>

  @inlinable
  init(editor: Base.Editor, file: StaticString, line: UInt) {
    live = LiveCollection(editor, file: file, line: line)
  }

  /// Combines all changes in the closure into one event.
  ///
  ///     let names = CollectionProperty(["Bones", "Jim"])
  ///     names.batch {
  ///       names.append("Christine")
  ///       names.remove(at: 0)
  ///     }
  ///
  /// *Events*: nested batches join the outermost one. If the changes cancel out and no observer was
  /// added during the batch, no event is sent. If the closure throws, the changes made so far are
  /// sent and the error is rethrown. Derived collections are updated after the batch.
  @inlinable
  @discardableResult
  public func batch<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    try live.batch(body)
  }

  /// A handle for changing the collection from other threads.
  ///
  /// Use this property on the thread of a loop or on the main actor. In another actor write
  /// `Remote(names)`, which captures that actor's isolation.
  public var remote: Remote<CollectionProperty> { Remote(self) }
}

extension CollectionProperty: RemotelyUsed {
  package func protect(at home: any ExecutionContext) { live.core.events.protect(at: home) }
}
