extension StreamProtocol {
  /// Sends an element when nothing has followed it for a while.
  ///
  ///     source                   --1-2-3--------4--|
  ///     debounce(for: 3 ticks)   ---------3--------4|
  ///
  ///     searchText.debounce(for: .milliseconds(300)).observeNext { show("Results for \($0)") }
  ///
  /// *Events*: completion sends the element that waits, then completes; a failure discards it.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A duration that is negative
  /// counts as none.
  ///
  /// *Complexity*: an element costs a look at the clock; there is one timer, set at most once a
  /// duration.
  public func debounce(
    for quiet: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let debouncing = Debouncing(quiet, scheduler ?? Current.scheduler, into: observer)
      source.start(
        Observer(
          next: { debouncing.next($0) }, end: { debouncing.end($0) },
          observation: observer.observation))
    }
  }
}

private final class Debouncing<Element, Failure: Error> {
  private let output: SerializedObserver<Element, Failure>
  private let countdown: Countdown
  private var waiting: Element?

  init(_ quiet: Duration, _ scheduler: any Scheduler, into observer: Observer<Element, Failure>) {
    output = SerializedObserver(observer)
    countdown = Countdown(quiet, on: scheduler)
    observer.observation.add(countdown)
  }

  func next(_ element: Element) {
    waiting = element
    countdown.restart { self.flush() }
  }

  func end(_ termination: Termination<Failure>) {
    countdown.cancel()
    switch termination {
    case .completed: flush()
    case .failed: waiting = nil
    }
    output.end(termination)
  }

  private func flush() {
    guard let element = waiting else { return }
    waiting = nil
    output.next(element)
  }
}
