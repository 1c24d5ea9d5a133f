import RunnelStreams

/// What a collection is and sends, without what it follows.
@usableFromInline
final class LiveCore<Base: CollectionBase> {
  @usableFromInline @exclusivity(unchecked) var editor: Base.Editor
  @usableFromInline let events: PushStream<CollectionEvent<Base>>
  /// How many batches are open.
  @usableFromInline @exclusivity(unchecked) var depth = 0

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
  func publish() {
    guard let change = editor.takeChange() else { return }
    events.next(CollectionEvent(editor.elements, change))
    // Within a batch, what an observer has changed just now waits as well.
    if depth > 0 { publish() }
  }
}
