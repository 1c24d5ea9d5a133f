extension StreamProtocol {
  /// Sends the latest element each time another stream, the trigger, sends an element.
  ///
  ///     source                --1--2--3-----4-|
  ///     trigger               ---x-----x---x---x--|
  ///     sample(by: trigger)   ---1-----3-------4|
  ///
  ///     prices.sample(by: seconds).observeNext { show($0) }
  ///
  /// *Events*: no element is sent twice. If the source completes while an element is pending, the
  /// next trigger sends the element and completes the stream. If the trigger completes, the pending
  /// element is sent and the stream completes. A failure discards the pending element. The source
  /// is observed before the trigger.
  @inlinable
  public func sample<Trigger>(
    by trigger: some StreamConvertible<Trigger, Never>
  ) -> EventStream<Element, Failure> {
    let source = link
    let trigger = trigger.stream.link
    return .unguarded(after: source, and: trigger) { observer in
      let sampler = Sampler(into: observer)
      source.start(
        in: sampler.source, next: { sampler.keep($0) }, end: { sampler.sourceEnded($0) })
      guard sampler.output.isOpen else { return }
      trigger.start(
        in: sampler.trigger, next: { _ in sampler.send() }, end: { _ in sampler.triggerEnded() })
    }
  }
}

@usableFromInline
final class Sampler<Element, Failure: Error> {
  @usableFromInline let output: SerializedObserver<Element, Failure>
  @usableFromInline let source = Disposable()
  @usableFromInline let trigger = Disposable()
  @usableFromInline var latest: Element?
  @usableFromInline var sourceHasCompleted = false

  @inlinable
  init(into observer: Observer<Element, Failure>) {
    let upstream = Disposable()
    upstream.add(source)
    upstream.add(trigger)
    output = SerializedObserver(observer, releasing: upstream)
  }

  /// Stores an element, and releases the previous one.
  ///
  /// The previous element is released last, because its `deinit` may send a trigger.
  @inlinable
  func keep(_ element: Element?) {
    release(exchange(&latest, with: element))
  }

  @inlinable
  func send() {
    let isLast = sourceHasCompleted
    sendLatest()
    if isLast { output.end(.completed) }
  }

  @inlinable
  func triggerEnded() {
    _ = source.beginEnding()
    sendLatest()
    output.end(.completed)
  }

  @inlinable
  func sourceEnded(_ termination: Termination<Failure>) {
    switch termination {
    case .failed:
      keep(nil)
      output.end(termination)
    case .completed:
      if latest == nil { output.end(.completed) } else { sourceHasCompleted = true }
    }
  }

  @inlinable
  func sendLatest() {
    guard let element = latest else { return }
    latest = nil
    output.next(element)
  }
}
