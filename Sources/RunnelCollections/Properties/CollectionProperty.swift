import RunnelStreams

/// A collection that can be changed and observed, and from which others are derived that follow it.
///
///     let names = CollectionProperty(["Bones", "Jim"])
///     let sorted = names.sorted()
///     names.append("Christine")
///     print(sorted.value)  // ["Bones", "Christine", "Jim"]
///
/// It is used like the array, the dictionary or the set that it is made of. Each change is one event,
/// a ``batch(_:)`` of them too.
public final class CollectionProperty<Base: CollectionBase>: ObservableCollection {
  /// The same, for those who may not change it.
  public let live: LiveCollection<Base>

  @inlinable
  init(editor: Base.Editor, file: StaticString, line: UInt) {
    live = LiveCollection(editor, file: file, line: line)
  }

  /// Makes one event of all changes in the closure, or none, if they come to nothing and nobody has
  /// begun to observe meanwhile.
  ///
  ///     let names = CollectionProperty(["Bones", "Jim"])
  ///     names.batch {
  ///       names.append("Christine")
  ///       names.remove(at: 0)
  ///     }
  ///
  /// *Events*: batches within a batch are part of it. If the closure throws, what it has changed
  /// until then is sent, and the error is thrown on. What operators derive from the collection
  /// follows after the batch.
  @inlinable
  @discardableResult
  public func batch<Output, Thrown: Error>(
    _ body: () throws(Thrown) -> Output
  ) throws(Thrown) -> Output {
    try live.batch(body)
  }

  /// A handle through which other threads change the collection.
  ///
  /// It is for the thread of a loop and for the main actor; in another actor write
  /// `Remote(names)`, which sees the actor.
  public var remote: Remote<CollectionProperty> { Remote(self) }
}

extension CollectionProperty: RemotelyUsed {
  package func protect(at home: any ExecutionContext) { live.core.events.protect(at: home) }
}
