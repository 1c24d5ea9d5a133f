extension StreamProtocol {
  /// Fails when the next element takes too long: the first one after the observation, or any other
  /// after the one before.
  ///
  ///     source                                    --1--2---------3--|
  ///     timeout(after: 5 ticks, failingWith: e)   --1--2----X
  ///
  ///     api.load().timeout(after: .seconds(5), failingWith: .timedOut).observe { print($0) }
  ///
  /// *Events*: the error is made when it is needed. The end of the source stops the clock.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A limit that is negative
  /// counts as none, and leaves time only for what comes while the source is being observed.
  ///
  /// *Complexity*: an element costs a look at the clock; there is one timer, set at most once a
  /// limit.
  public func timeout(
    after limit: Duration, failingWith error: @autoclosure @escaping () -> Failure,
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      Watchdog(limit, scheduler ?? Current.scheduler, .fail(error), into: observer).watch(source)
    }
  }

  /// Goes on with another stream when the next element takes too long: the first one after the
  /// observation, or any other after the one before.
  ///
  ///     source                                        --1--2---------3--|
  ///     other                                                   8--9--|
  ///     timeout(after: 5 ticks, switchingTo: other)   --1--2----8--9--|
  ///
  ///     api.load().timeout(after: .seconds(5), switchingTo: mirror.load()).observe { print($0) }
  ///
  /// *Events*: the source is torn down, then the other stream is observed, which may take its time.
  /// The end of the source stops the clock.
  ///
  /// *Timing*: as ``timeout(after:failingWith:on:)``.
  public func timeout(
    after limit: Duration, switchingTo other: EventStream<Element, Failure>,
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      Watchdog(limit, scheduler ?? Current.scheduler, .goOn(with: other), into: observer)
        .watch(source)
    }
  }
}

private final class Watchdog<Element, Failure: Error> {
  enum Expiry {
    /// The stream fails.
    case fail(() -> Failure)
    /// The stream goes on with another.
    case goOn(with: EventStream<Element, Failure>)
  }

  private let expiry: Expiry
  private let output: SerializedObserver<Element, Failure>
  private let countdown: Countdown
  private let watched = Disposable()

  init(
    _ limit: Duration, _ scheduler: any Scheduler, _ expiry: Expiry,
    into observer: Observer<Element, Failure>
  ) {
    self.expiry = expiry
    let upstream = Disposable()
    output = SerializedObserver(observer, releasing: upstream)
    countdown = Countdown(limit, on: scheduler)
    upstream.add(countdown)
    upstream.add(watched)
  }

  func watch(_ source: EventStream<Element, Failure>) {
    restart()
    guard !watched.isDisposed && output.isOpen else { return }
    source.start(
      in: watched,
      next: { element in
        self.restart()
        self.output.next(element)
      },
      end: { termination in
        self.countdown.cancel()
        self.output.end(termination)
      })
  }

  private func restart() {
    countdown.restart { self.expired() }
  }

  private func expired() {
    switch expiry {
    case .fail(let error):
      guard watched.beginEnding() else { return }
      output.end(.failed(error()))
    case .goOn(with: let other):
      watched.dispose()
      let output = output
      other.start(
        Observer(
          next: { output.next($0) }, end: { output.end($0) }, observation: output.observation))
    }
  }
}
