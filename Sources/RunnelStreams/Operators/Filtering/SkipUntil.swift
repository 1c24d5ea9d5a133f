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
    let source = link
    let trigger = trigger.stream
    return .unguarded(after: source) { observer in
      let gate = Gate(isOpen: false)
      let watching = Disposable()
      observer.observation.add(watching)
      trigger.start(
        in: watching,
        next: { _ in
          gate.isOpen = true
          watching.dispose()
        },
        end: { _ in })
      source.start(
        Observer(
          next: { element in
            if gate.isOpen { observer.next(element) }
          },
          end: { termination in
            observer.end(termination)
            watching.dispose()
          }, observation: observer.observation))
    }
  }
}
