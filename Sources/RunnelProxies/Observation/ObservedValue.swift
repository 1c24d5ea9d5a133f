import Observation
import RunnelStreams

extension Reactive where Base: LifetimeOwner & Observable {
  /// Returns the value of a property of an `@Observable` object: the current one, then each change.
  ///
  ///     track.rx.observe(\.title).observeNext { show($0) }
  ///
  /// The object is not kept alive, and the stream completes when it is released.
  ///
  /// *Events*: `Observation` reports a change before it happens. The change therefore reaches
  /// observers in the next job of their context. Several changes in one job are all delivered, in
  /// order. The object is kept alive until then, so that its last change is not lost.
  ///
  /// *Threads*: a change on another thread is reported before it happens, and the observer's
  /// context may read the previous value once more. To receive every value, make changes on the
  /// observer's context.
  public func observe<Value>(_ keyPath: KeyPath<Base, Value>) -> EventStream<Value, Never> {
    let lifetime = base.lifetime
    let ended = lifetime.endedAtHome
    return EventStream.unguarded { [weak base] observer in
      guard let base else { return observer.end(.completed) }
      let tracker = PropertyTracker(keyPath, observer)
      observer.observation.add(tracker)
      tracker.begin(with: base)
    }.take(until: ended)
  }
}

/// The callbacks of a tracked change, without generic types, which `@Sendable` closures cannot
/// capture.
private protocol ChangeHandler: AnyObject {
  func valueWillChange(afterReading reading: Int)
  func deliver()
  func readAgain(afterReading reading: Int)
}

/// The observation of one property.
private final class PropertyTracker<Base: AnyObject & Observable, Value>: ChangeHandler, Teardown {
  private let keyPath: KeyPath<Base, Value>
  private let home: any ExecutionContext
  private weak var base: Base?
  private var output: SerializedObserver<Value, Never>?
  /// The object, retained from a change until its delivery.
  private var changed: Base?
  /// The number of reads so far. A callback for an earlier read is dropped.
  private var reading = 0
  /// The values before later changes in the same job.
  private var intermediateValues: [Value] = []
  private let canceller = TrackingCanceller()

  init(_ keyPath: KeyPath<Base, Value>, _ observer: Observer<Value, Never>) {
    self.keyPath = keyPath
    output = SerializedObserver(observer)
    home = Current.context(orOf: nil)
  }

  func begin(with base: Base) {
    self.base = base
    let value = track(base)
    output?.next(value)
  }

  func tearDown() {
    release(exchange(&output, with: nil))
    release(exchange(&intermediateValues, with: []))
    canceller.cancel()
  }

  /// Reads the value and tracks its next change.
  private func track(_ base: Base) -> Value {
    // Safety: the reference is passed between threads, and only used on `home`.
    nonisolated(unsafe) weak let tracker: (any ChangeHandler)? = self
    let home = home
    reading += 1
    let reading = reading
    return withObservationTracking {
      canceller.register()
      return base[keyPath: keyPath]
    } onChange: {
      if home.isCurrent {
        tracker?.valueWillChange(afterReading: reading)
      } else {
        home.execute { tracker?.readAgain(afterReading: reading) }
      }
    }
  }

  /// Called on the observer's context, before a change. Tracks the next change at once, so that
  /// none is missed.
  func valueWillChange(afterReading reading: Int) {
    guard reading == self.reading, output != nil, let base else { return }
    let value = track(base)
    guard changed == nil else { return intermediateValues.append(value) }
    changed = base
    // Safety: the job runs on `home`, where the tracker is used.
    nonisolated(unsafe) let tracker: any ChangeHandler = self
    home.execute { tracker.deliver() }
  }

  /// Called on the observer's context, after changes. Tracks again, because the key path may lead
  /// through other objects now.
  func deliver() {
    // This may release the last reference to the object.
    guard let base = exchange(&changed, with: nil), output != nil else { return }
    let values = exchange(&intermediateValues, with: []) + [track(base)]
    for value in values { output?.next(value) }
  }

  /// Called on the observer's context, after a change on another thread.
  func readAgain(afterReading reading: Int) {
    guard reading == self.reading, output != nil, let base else { return }
    let value = track(base)
    output?.next(value)
  }
}

/// A means to cancel tracking, which `Observation` does not offer.
///
/// `Observation` drops all properties of a read when one of them changes. Each read therefore
/// includes a property of this object, and changing that property cancels the tracking.
private final class TrackingCanceller: Observable {
  private let registrar = ObservationRegistrar()
  private var isCancelled: Bool { false }

  func register() {
    registrar.access(self, keyPath: \.isCancelled)
  }

  func cancel() {
    registrar.withMutation(of: self, keyPath: \.isCancelled) {}
  }
}
