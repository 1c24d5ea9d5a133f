extension StreamProtocol {
  /// Delays each element and the completion by a given time.
  ///
  ///     source                --1--2-----3--|
  ///     delay(for: 4 ticks)   ------1--2-----3--|
  ///
  ///     keys.delay(for: .milliseconds(100)).observeNext { show($0) }
  ///
  /// *Events*: the order is kept. A failure is not delayed, and discards the pending elements.
  ///
  /// *Timing*: uses the given scheduler, or by default ``Current/scheduler``. A negative
  /// duration counts as zero. With a delay of zero, elements are sent in a later turn of the
  /// scheduler.
  @inlinable
  public func delay(
    for delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let queue = DelayQueue(delay, scheduler ?? Current.scheduler, into: observer)
      source.start(
        under: observer.observation,
        next: { queue.add(.next($0)) },
        end: { termination in
          switch termination {
          case .completed: queue.add(.completed)
          case .failed: queue.fail(termination)
          }
        })
    }
  }
}

@usableFromInline
final class DelayQueue<Element, Failure: Error> {
  @usableFromInline let delay: Duration
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let timer: RestartableTimer
  @usableFromInline var waiting = Queue<(due: Duration, event: StreamEvent<Element, Failure>)>()

  @inlinable
  init(_ delay: Duration, _ scheduler: any Scheduler, into observer: Observer<Element, Failure>) {
    self.delay = max(delay, .zero)
    output = SerializedObserver(observer)
    timer = RestartableTimer(on: scheduler)
    observer.observation.add(timer)
  }

  @inlinable
  func add(_ event: StreamEvent<Element, Failure>) {
    let isFirst = waiting.isEmpty
    waiting.append((due: timer.now.plus(delay), event: event))
    if isFirst { waitForFirst() }
  }

  @inlinable
  func fail(_ termination: Termination<Failure>) {
    waiting = Queue()
    timer.cancel()
    output.end(termination)
  }

  @inlinable
  func waitForFirst() {
    guard let first = waiting.front else { return }
    timer.set(at: first.due) { self.sendDue() }
  }

  /// Sends the events that are due. An observer may send to the source or fail it, so the queue is
  /// checked again after each event. Events that are added meanwhile wait for the next turn, even
  /// without a delay.
  @inlinable
  func sendDue() {
    let now = timer.now
    var left = waiting.count
    while left > 0, output.isOpen, let first = waiting.front, first.due <= now {
      left -= 1
      _ = waiting.popFirst()
      output.send(first.event)
    }
    if output.isOpen { waitForFirst() }
  }
}

extension Queue {
  @inlinable
  var front: Element? { isEmpty ? nil : storage[head] }
}
