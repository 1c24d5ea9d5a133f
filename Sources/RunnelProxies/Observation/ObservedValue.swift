import Observation
import RunnelStreams

extension Reactive where Base: LifetimeOwner & Observable {
  /// The value of a property of an `@Observable` object: the current one, then each change.
  ///
  ///     track.rx.observe(\.title).observeNext { show($0) }
  ///
  /// The object is not kept alive, and the stream completes when it goes.
  ///
  /// *Events*: `Observation` tells before a change, so it reaches observers as the next job of their
  /// context; several changes made in one job all do, in their order. Until then the object is kept,
  /// so that its last change is not missed.
  ///
  /// *Threads*: of a change on another thread, the observer's context is told before it happens, and
  /// may read the former value once more. Where each one counts, make changes at home.
  public func observe<Value>(_ keyPath: KeyPath<Base, Value>) -> EventStream<Value, Never> {
    let lifetime = base.lifetime
    let ended = lifetime.endedAtHome
    return EventStream.unguarded { [weak base] observer in
      guard let base else { return observer.end(.completed) }
      let watch = Watch(keyPath, observer)
      observer.observation.add(watch)
      watch.begin(with: base)
    }.take(until: ended)
  }
}

/// What `Observation` tells of: without the types, which closures that may run anywhere cannot name.
private protocol Watching: AnyObject {
  func valueWillChange(afterReading reading: Int)
  func deliver()
  func readAgain(afterReading reading: Int)
}

/// One observation of a property.
private final class Watch<Base: AnyObject & Observable, Value>: Watching, Teardown {
  private let keyPath: KeyPath<Base, Value>
  private let home: any ExecutionContext
  private weak var base: Base?
  private var output: SerializedObserver<Value, Never>?
  /// The object, from a change to its delivery.
  private var changed: Base?
  /// Counts how often the value was read: what `Observation` tells of an earlier reading is dropped.
  private var reading = 0
  /// The values that were there when the next change began.
  private var passed: [Value] = []
  private let dismissal = Dismissal()

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
    release(exchange(&passed, with: []))
    dismissal.takePlace()
  }

  /// Reads the value, and asks to hear of the next change.
  private func track(_ base: Base) -> Value {
    // Safety: the reference is handed about, and only used at home.
    nonisolated(unsafe) weak let watch: (any Watching)? = self
    let home = home
    reading += 1
    let reading = reading
    return withObservationTracking {
      dismissal.isAwaited()
      return base[keyPath: keyPath]
    } onChange: {
      if home.isCurrent {
        watch?.valueWillChange(afterReading: reading)
      } else {
        home.execute { watch?.readAgain(afterReading: reading) }
      }
    }
  }

  /// At home, before a change. It is asked again at once, so that no change is missed.
  func valueWillChange(afterReading reading: Int) {
    guard reading == self.reading, output != nil, let base else { return }
    let value = track(base)
    guard changed == nil else { return passed.append(value) }
    changed = base
    // Safety: the job runs at home, where the watch lives.
    nonisolated(unsafe) let watch: any Watching = self
    home.execute { watch.deliver() }
  }

  /// At home, after changes. The value is tracked anew: the key path may lead through other objects.
  func deliver() {
    // Its last reference may be this one.
    guard let base = exchange(&changed, with: nil), output != nil else { return }
    let values = exchange(&passed, with: []) + [track(base)]
    for value in values { output?.next(value) }
  }

  /// At home, after a change on another thread.
  func readAgain(afterReading reading: Int) {
    guard reading == self.reading, output != nil, let base else { return }
    let value = track(base)
    output?.next(value)
  }
}

/// Makes `Observation` forget what was read: it cannot be asked to, but forgets all that was read
/// together when one of it changes. So each reading has this beside it, which changes at the end.
private final class Dismissal: Observable {
  private let registrar = ObservationRegistrar()
  private var hasTakenPlace: Bool { false }

  func isAwaited() {
    registrar.access(self, keyPath: \.hasTakenPlace)
  }

  func takePlace() {
    registrar.withMutation(of: self, keyPath: \.hasTakenPlace) {}
  }
}
