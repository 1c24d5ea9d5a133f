extension StreamProtocol {
  /// Fails if the next element does not arrive within a time limit. The limit starts with the
  /// observation and restarts with each element.
  ///
  ///     source                                    --1--2---------3--|
  ///     timeout(after: 5 ticks, failingWith: e)   --1--2----X
  ///
  ///     api.load().timeout(after: .seconds(5), failingWith: .timedOut).observe { print($0) }
  ///
  /// *Events*: the error is created when the limit expires. No limit applies after the source ends.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative limit
  /// counts as zero, so that only elements sent while the source is being observed arrive in time.
  ///
  /// *Complexity*: an element costs one clock read. There is one timer, which is set at most once
  /// per limit.
  @inlinable
  public func timeout(
    after limit: Duration, failingWith error: @autoclosure @escaping () -> Failure,
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      Watchdog(limit, scheduler ?? Current.scheduler, .fail(error), into: observer).watch(source)
    }
  }

  /// Continues with another stream if the next element does not arrive within a time limit. The
  /// limit starts with the observation and restarts with each element.
  ///
  ///     source                                        --1--2---------3--|
  ///     other                                                   8--9--|
  ///     timeout(after: 5 ticks, switchingTo: other)   --1--2----8--9--|
  ///
  ///     api.load().timeout(after: .seconds(5), switchingTo: mirror.load()).observe { print($0) }
  ///
  /// *Events*: the source is disposed before the other stream is observed. No limit applies to the
  /// other stream, nor after the source ends.
  ///
  /// *Timing*: as for ``timeout(after:failingWith:on:)``.
  @inlinable
  public func timeout(
    after limit: Duration, switchingTo other: EventStream<Element, Failure>,
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    let other = other.link
    return .unguarded(after: source, and: other) { observer in
      Watchdog(limit, scheduler ?? Current.scheduler, .switchOver(to: other), into: observer)
        .watch(source)
    }
  }
}

@usableFromInline
final class Watchdog<Element, Failure: Error> {
  @usableFromInline
  enum Expiry {
    case fail(() -> Failure)
    case switchOver(to: EventStream<Element, Failure>)
  }

  @usableFromInline let expiry: Expiry
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let countdown: Countdown
  @usableFromInline let watched = Disposable()

  @inlinable
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

  @inlinable
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

  @inlinable
  func restart() {
    countdown.restart { self.expired() }
  }

  @inlinable
  func expired() {
    switch expiry {
    case .fail(let error):
      guard watched.beginEnding() else { return }
      output.end(.failed(error()))
    case .switchOver(to: let other):
      watched.dispose()
      let output = output
      other.start(
        Observer(
          next: { output.next($0) }, end: { output.end($0) }, observation: output.observation))
    }
  }
}
