extension StreamProtocol {
  /// Sends each element with the time at which it came.
  ///
  ///     source         --a---b--|
  ///     timestamps()   --2a--6b-|   in ticks
  ///
  ///     keys.timestamps().observeNext { time, key in log("\(key) at \(time)") }
  ///
  /// *Timing*: the time of the given scheduler, else that of the current loop, since that
  /// scheduler's origin. No timer is set.
  public func timestamps(
    on scheduler: (any Scheduler)? = nil
  ) -> EventStream<(time: Duration, element: Element), Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let scheduler = scheduler ?? Current.scheduler
      source.start(
        Observer(before: observer) { observer.next((time: scheduler.now, element: $0)) })
    }
  }
}
