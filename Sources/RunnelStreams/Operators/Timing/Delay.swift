extension StreamProtocol {
  /// Sends each element and the completion a while later.
  ///
  ///     source                --1--2-----3--|
  ///     delay(for: 4 ticks)   ------1--2-----3--|
  ///
  ///     keys.delay(for: .milliseconds(100)).observeNext { show($0) }
  ///
  /// *Events*: the order is kept. A failure is let through at once, and discards what waits.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop. A duration that is negative
  /// counts as none, which still means a turn of the scheduler.
  public func delay(
    for delay: Duration, on scheduler: (any Scheduler)? = nil
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let delaying = Delaying(delay, scheduler ?? Current.scheduler, into: observer)
      source.start(
        under: observer.observation,
        next: { delaying.add(.next($0)) },
        end: { termination in
          switch termination {
          case .completed: delaying.add(.completed)
          case .failed: delaying.fail(termination)
          }
        })
    }
  }
}

private final class Delaying<Element, Failure: Error> {
  private let delay: Duration
  private let output: SerializedObserver<Element, Failure>
  private let alarm: RestartableTimer
  private var waiting = Queue<(due: Duration, event: StreamEvent<Element, Failure>)>()

  init(_ delay: Duration, _ scheduler: any Scheduler, into observer: Observer<Element, Failure>) {
    self.delay = max(delay, .zero)
    output = SerializedObserver(observer)
    alarm = RestartableTimer(on: scheduler)
    observer.observation.add(alarm)
  }

  func add(_ event: StreamEvent<Element, Failure>) {
    let isFirst = waiting.isEmpty
    waiting.append((due: alarm.now.addingWithSaturation(delay), event: event))
    if isFirst { waitForFirst() }
  }

  func fail(_ termination: Termination<Failure>) {
    waiting = Queue()
    alarm.cancel()
    output.end(termination)
  }

  private func waitForFirst() {
    guard let first = waiting.front else { return }
    alarm.set(at: first.due) { self.sendDue() }
  }

  /// An observer may send to the source, or fail it: the queue is looked at anew each time. What is
  /// added meanwhile waits for another turn, even without a delay.
  private func sendDue() {
    let now = alarm.now
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
  fileprivate var front: Element? { isEmpty ? nil : storage[head] }
}
