import Synchronization

/// The sources that wait until a place in another context has room.
@usableFromInline
final class DistantSources: Sendable {
  /// A source that waits.
  // Safety: the source is only used before the object is stored, and in the job that takes it, in its
  // context. Other threads only compare its identity, while the object is stored.
  private final class Held: @unchecked Sendable {
    var source: (any PausableSource)?
    let context: any ExecutionContext
    let place: ObjectIdentifier

    init(
      _ source: any PausableSource, in context: any ExecutionContext, for place: ObjectIdentifier
    ) {
      self.source = source
      self.context = context
      self.place = place
    }

    func resume() {
      context.execute { self.source.take()?.resume() }
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
  @usableFromInline
  func hold(
    _ source: any PausableSource, in context: any ExecutionContext, for place: AnyObject,
    while isFull: () -> Bool
  ) {
    let place = ObjectIdentifier(place)
    let isHeld = held.withLock { held in
      // Before `isFull()`, so that the receiver sees it when it makes room afterwards.
      mayHold.store(true, ordering: .sequentiallyConsistent)
      guard !held.contains(where: { $0.source === source }), isFull(),
        WaitGraph.add(place, for: source)
      else { return false }
      held.append(Held(source, in: context, for: place))
      return true
    }
    if isHeld { source.pause() }
  }

  /// Resumes all sources, each in a job of its context.
  @usableFromInline
  func resumeAll() {
    guard mayHold.load(ordering: .sequentiallyConsistent) else { return }
    let released = held.withLock { held in
      mayHold.store(false, ordering: .sequentiallyConsistent)
      for held in held {
        if let source = held.source { WaitGraph.remove(held.place, for: source) }
      }
      return exchange(&held, with: [])
    }
    for held in released { held.resume() }
  }
}
