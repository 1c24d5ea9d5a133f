extension StreamProtocol {
  /// Sends elements until another stream, the trigger, sends an element, then completes.
  ///
  ///     source                 --1--2--3--4--|
  ///     trigger                ---------x----|
  ///     take(until: trigger)   --1--2--3|
  ///
  ///     mouse.moves.take(until: mouse.released).observeNext { show($0) }
  ///
  /// *Events*: the trigger is observed first. If it sends an element at once, the source is not
  /// observed. The completion of the trigger is ignored.
  @inlinable
  public func take<Trigger>(
    until trigger: some StreamConvertible<Trigger, Never>
  ) -> EventStream<Element, Failure> {
    let source = link
    let trigger = trigger.stream.link
    return .unguarded(after: source, and: trigger) { observer in
      let upstream = Disposable()
      let output = SerializedObserver(observer, releasing: upstream)
      let watching = Disposable()
      let taking = Disposable()
      upstream.add(watching)
      upstream.add(taking)
      trigger.start(
        in: watching,
        next: { _ in
          _ = taking.beginEnding()
          output.end(.completed)
        },
        end: { _ in })
      guard output.isOpen else { return }
      source.start(in: taking, next: { output.next($0) }, end: { output.end($0) })
    }
  }
}
