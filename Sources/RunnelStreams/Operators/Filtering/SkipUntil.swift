extension StreamProtocol {
  /// Drops elements until another stream, the trigger, sends an element.
  ///
  ///     source                --1--2--3--4--|
  ///     trigger               -------x------|
  ///     skip(until: trigger)  --------3--4--|
  ///
  ///     keys.skip(until: window.opened).observeNext { show($0) }
  ///
  /// *Events*: the trigger is observed first. Its completion is ignored: if it never sends an
  /// element, only the end of the source is forwarded.
  ///
  /// *Disposal*: the trigger is disposed after its first element.
  @inlinable
  public func skip<Trigger>(
    until trigger: some StreamConvertible<Trigger, Never>
  ) -> EventStream<Element, Failure> {
    let trigger = trigger.stream.link
    return .gated(link, isOpen: false, afterSteps: trigger.steps) { gate, controlling in
      trigger.start(
        in: controlling,
        next: { _ in
          gate.isOpen = true
          controlling.dispose()
        },
        end: { _ in })
    }
  }
}
