import Synchronization

/// The sources that wait until a place in another context has room.
@usableFromInline
final class DistantSources: Sendable {
  // Safety: the source is only used and released in a job of its context, which is given when the
  // caller keeps no reference.
  private struct Held: @unchecked Sendable {
    let source: any PausableSource
    let context: any ExecutionContext
    let place: ObjectIdentifier

    func resume() {
      WaitGraph.remove(place, for: source)
      context.execute { source.resume() }
    }
  }

  private let held = Monitor<[Held]>([])
  /// False only if no source is held.
  private let mayHold = Atomic(false)

  @usableFromInline
  init() {}

  deinit {
    resumeAll()
  }

  /// Pauses the source that delivers now, in its context, if the place is still full.
  ///
  /// A source never waits for a place that waits for it.
  @usableFromInline
  func hold(
    _ source: any PausableSource, in context: any ExecutionContext, for place: AnyObject,
    while isFull: () -> Bool
  ) {
    // Before the question whether the place is full: who makes room afterwards finds this.
    mayHold.store(true, ordering: .sequentiallyConsistent)
    let place = ObjectIdentifier(place)
    let isHeld = held.withLock { held in
      guard !held.contains(where: { $0.source === source }), isFull(),
        WaitGraph.add(place, for: source)
      else { return false }
      held.append(Held(source: source, context: context, place: place))
      return true
    }
    if isHeld { source.pause() }
  }

  /// Resumes all sources, each in a job of its context.
  @usableFromInline
  func resumeAll() {
    guard mayHold.exchange(false, ordering: .sequentiallyConsistent) else { return }
    for held in held.withLock({ exchange(&$0, with: []) }) { held.resume() }
  }
}
