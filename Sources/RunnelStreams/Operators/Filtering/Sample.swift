extension StreamProtocol {
  /// Sends the latest element whenever another stream sends something.
  ///
  ///     source                --1--2--3-----4-|
  ///     trigger               ---x-----x---x---x--|
  ///     sample(by: trigger)   ---1-----3-------4|
  ///
  ///     prices.sample(by: seconds).observeNext { show($0) }
  ///
  /// *Events*: no element is sent twice. When the source completes while one waits, the next trigger
  /// sends it, and completes. When the trigger completes, what waits is sent, and the stream
  /// completes, since nothing more could be. A failure discards what waits. The source is observed
  /// first.
  public func sample<Trigger>(
    by trigger: some StreamConvertible<Trigger, Never>
  ) -> EventStream<Element, Failure> {
    let source = link
    let trigger = trigger.stream
    return .unguarded(after: source) { observer in
      let sampling = Sampling(into: observer)
      source.start(
        in: sampling.source, next: { sampling.keep($0) }, end: { sampling.sourceEnded($0) })
      guard sampling.output.isOpen else { return }
      trigger.start(
        in: sampling.trigger, next: { _ in sampling.send() }, end: { _ in sampling.triggerEnded() })
    }
  }
}

private final class Sampling<Element, Failure: Error> {
  let output: SerializedObserver<Element, Failure>
  let source = Disposable()
  let trigger = Disposable()
  private var latest: Element?
  private var sourceHasCompleted = false

  init(into observer: Observer<Element, Failure>) {
    let upstream = Disposable()
    upstream.add(source)
    upstream.add(trigger)
    output = SerializedObserver(observer, releasing: upstream)
  }

  /// Keeps an element in place of the one before.
  ///
  /// That one dies when the new one is in its place: its deinit may trigger.
  func keep(_ element: Element?) {
    let previous = latest
    latest = element
    withExtendedLifetime(previous) {}
  }

  func send() {
    let isLast = sourceHasCompleted
    sendLatest()
    if isLast { output.end(.completed) }
  }

  func triggerEnded() {
    _ = source.beginEnding()
    sendLatest()
    output.end(.completed)
  }

  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed:
      keep(nil)
      output.end(termination)
    case .completed:
      if latest == nil { output.end(.completed) } else { sourceHasCompleted = true }
    }
  }

  private func sendLatest() {
    guard let element = latest else { return }
    latest = nil
    output.next(element)
  }
}
