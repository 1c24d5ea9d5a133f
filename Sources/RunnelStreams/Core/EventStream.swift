/// A sequence of events over time: any number of elements, then at most one terminal event (C1).
///
/// A stream does nothing until it is observed, and each observation starts a run of its own (C6). A
/// stream whose `Failure` is `Never` cannot fail, and the compiler knows it.
///
///     let counter = EventStream<Int, Never> { observer in
///       observer.next(1)
///       observer.next(2)
///       observer.completed()
///       return .none
///     }
///     counter.observeNext { print($0) }  // prints 1, then 2
///
/// A stream is confined to the isolation domain that created it: it is not `Sendable` and holds no
/// lock. Using it in another domain does not compile (C11).
public struct EventStream<Element, Failure: Error> {
  @usableFromInline let run: (Observer<Element, Failure>) -> Void
  /// The number of operators since the beginning of the chain, or since its last ``ChainLink``.
  @usableFromInline let steps: Int

  /// Creates a stream from a closure that runs at each observation.
  ///
  /// The closure sends events to the observer, at once or later. It returns the disposable of the
  /// resources that the observation needs, or ``Disposable/none``.
  ///
  /// *Events*: the observer sees a correct stream whatever the closure does. Events that are sent
  /// after the end are dropped (C1). Events that are sent while the observer handles one are queued
  /// (C2).
  ///
  /// *Disposal*: the returned disposable is disposed when the observation ends or is disposed,
  /// whichever is first. A source with a loop checks ``Observer/isActive`` (C8).
  @inlinable
  public init(_ producer: @escaping (Observer<Element, Failure>) -> Disposable) {
    run = { downstream in
      let guarded = GuardedObserver(downstream)
      let observation = downstream.observation
      observation.add(guarded)
      // As in `startCompletely`: the producer may do more work after it has started a stream.
      let postpones = observation.postponesTailStart
      observation.postponesTailStart = false
      let teardown = producer(guarded.observer(in: observation))
      observation.postponesTailStart = postpones
      observation.add(teardown)
    }
    steps = 0
  }

  @inlinable
  init(run: @escaping (Observer<Element, Failure>) -> Void, steps: Int = 0) {
    self.run = run
    self.steps = steps
  }

  /// Creates a stream without the checks of ``init(_:)``, for writing operators.
  ///
  /// The closure must follow the grammar (C1), send one event at a time (C2), and add its resources
  /// to `observer.observation`. A chain of such streams is fused into one loop when it is written
  /// in one function.
  /// - Where events come from several places, send through a ``SerializedObserver``.
  /// - Starting a source with the observation of `observer` must be the last statement. If the new
  ///   stream is the last one of a `concat`, that source may start only after the closure has
  ///   returned.
  ///
  ///     extension StreamProtocol where Element == Int {
  ///       func doubled() -> EventStream<Int, Failure> {
  ///         let source = stream
  ///         return .unguarded { observer in
  ///           source.start(Observer(before: observer) { observer.next($0 * 2) })
  ///         }
  ///       }
  ///     }
  @inlinable
  public static func unguarded(
    _ run: @escaping (Observer<Element, Failure>) -> Void
  ) -> EventStream {
    EventStream(run: run)
  }
}

extension EventStream: StreamProtocol {
  /// The stream itself.
  @inlinable
  public var stream: EventStream<Element, Failure> { self }
}

/// The serialised observer that a custom producer sends to.
///
/// It is released when the observation ends, because the producer may keep its own observer for
/// ever (C4).
@usableFromInline
final class GuardedObserver<Element, Failure: Error>: Teardown {
  @usableFromInline @exclusivity(unchecked) var output: SerializedObserver<Element, Failure>?

  @inlinable
  init(_ downstream: Observer<Element, Failure>) {
    output = SerializedObserver(downstream)
  }

  @inlinable
  func observer(in observation: Disposable) -> Observer<Element, Failure> {
    Observer(
      next: { self.output?.next($0) }, end: { self.output?.end($0) }, observation: observation)
  }

  @usableFromInline
  func tearDown() {
    output = nil
  }
}
