extension StreamProtocol {
  /// Sends an element when no other element has followed it for a given time.
  ///
  ///     source                   --1-2-3--------4--|
  ///     debounce(for: 3 ticks)   ---------3--------4|
  ///
  ///     searchText.debounce(for: .milliseconds(300)).observeNext { show("Results for \($0)") }
  ///
  /// *Events*: completion first sends the pending element. A failure discards it.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative
  /// duration counts as zero.
  ///
  /// *Complexity*: an element costs one clock read. There is one timer, which is set at most once
  /// per duration.
  @inlinable
  public func debounce(
    for quiet: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let debouncer = Debouncer(quiet, scheduler ?? Current.scheduler, into: observer)
      source.start(
        Observer(
          next: { debouncer.next($0) }, end: { debouncer.end($0) },
          observation: observer.observation))
    }
  }
}

@usableFromInline
final class Debouncer<Element, Failure: Error> {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let countdown: Countdown
  @usableFromInline var waiting: Element?

  @inlinable
  init(_ quiet: Duration, _ scheduler: any Scheduler, into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    countdown = Countdown(quiet, on: scheduler)
    observer.observation.add(countdown)
  }

  @inlinable
  func next(_ element: Element) {
    waiting = element
    countdown.restart { self.flush() }
  }

  @inlinable
  func end(_ termination: Termination<Failure>) {
    countdown.cancel()
    switch termination {
    case .completed: flush()
    case .failed: waiting = nil
    }
    output.end(termination)
  }

  @inlinable
  func flush() {
    guard let element = waiting else { return }
    waiting = nil
    output.next(element)
  }
}
