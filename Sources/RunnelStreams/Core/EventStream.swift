/// A description of events over time: any number of elements, then at most one end (C1).
///
/// Nothing happens until somebody observes it, and each observation is a run of its own (C6). A
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
/// A stream is confined to the isolation domain that it was made in: it is not `Sendable`, holds
/// no lock, and calling it from elsewhere does not compile (C11).
public struct EventStream<Element, Failure: Error> {
  @usableFromInline let run: (Observer<Element, Failure>) -> Void
  /// The operators since the beginning of the chain or its last ``ChainLink``.
  @usableFromInline let steps: Int

  /// Makes a stream from what it does when it is observed.
  ///
  /// The closure runs once for each observation. It sends events to the observer, now or later, and
  /// returns what to dispose when the observation ends, or ``Disposable/none``.
  ///
  /// *Events*: whatever the closure does, the observer sees a correct stream: events sent after the
  /// end are dropped (C1), and events sent while it is handling one wait their turn (C2).
  ///
  /// *Disposal*: what the closure returned is disposed at the end or on disposal, whichever comes
  /// first; a source that loops asks ``Observer/isActive`` (C8).
  public init(_ producer: @escaping (Observer<Element, Failure>) -> Disposable) {
    run = { downstream in
      let guarded = GuardedObserver(downstream)
      let observation = downstream.observation
      observation.add(guarded)
      // The producer may do more after it has started a stream with its observer.
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

  /// Makes a stream without the guard of ``init(_:)``: the way operators are written.
  ///
  /// The closure must send by the grammar (C1), one event at a time (C2), and add what it holds to
  /// `observer.observation`. A chain of such streams fuses to a loop when it is written in one
  /// function. Where events come from more than one place, send through an ``SerializedObserver``. Start a
  /// source that gets the observation of `observer` as the last thing: where the new stream is the
  /// last one of a `concat`, such a source may start when the closure has returned.
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

/// The guard in front of a producer that a user wrote: an output that can be let go of, because the
/// producer may keep its observer for ever (C4).
final class GuardedObserver<Element, Failure: Error>: Teardown {
  private var output: SerializedObserver<Element, Failure>?

  init(_ downstream: Observer<Element, Failure>) {
    output = SerializedObserver(downstream)
  }

  func observer(in observation: Disposable) -> Observer<Element, Failure> {
    Observer(
      next: { self.output?.next($0) }, end: { self.output?.end($0) }, observation: observation)
  }

  func tearDown() {
    output = nil
  }
}
