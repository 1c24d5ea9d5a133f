extension Driver {
  /// Returns a driver of the transformed elements, without those for which the closure returns nil.
  @inlinable
  public func compactMap<Output>(_ transform: @escaping (Element) -> Output?) -> Driver<Output> {
    through { $0.compactMap(transform) }
  }

  /// Returns a driver of the elements of all drivers that the closure creates.
  @inlinable
  public func flatMap<Output>(
    _ transform: @escaping (Element) -> Driver<Output>
  ) -> Driver<Output> {
    through { $0.flatMap { transform($0).stream } }
  }

  /// Returns a driver that accumulates the elements into a value.
  @inlinable
  public func scan<Value>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> Driver<Value> {
    through { $0.scan(initial, combine) }
  }

  /// Returns a driver that sends an element before all others.
  @inlinable
  public func startWith(_ element: Element) -> Driver {
    through { $0.startWith(element) }
  }

  /// Returns a driver that calls a closure with each element.
  @inlinable
  public func `do`(next: @escaping (Element) -> Void) -> Driver {
    through { $0.do(next: next) }
  }

  /// Returns a driver that sends an element when no other one has followed for some time.
  @inlinable
  public func debounce(for interval: Duration, on scheduler: (any Scheduler)? = nil) -> Driver {
    through { $0.debounce(for: interval, on: scheduler) }
  }

  /// Returns a driver that sends at most one element in each interval.
  @inlinable
  public func throttle(for interval: Duration, on scheduler: (any Scheduler)? = nil) -> Driver {
    through { $0.throttle(for: interval, on: scheduler) }
  }

  /// Returns a driver that sends each element later.
  @inlinable
  public func delay(for delay: Duration, on scheduler: (any Scheduler)? = nil) -> Driver {
    through { $0.delay(for: delay, on: scheduler) }
  }

  /// Returns a driver of the first elements.
  @inlinable
  public func take(_ count: Int) -> Driver {
    through { $0.take(count) }
  }

  /// Returns a driver without the first elements.
  @inlinable
  public func skip(_ count: Int) -> Driver {
    through { $0.skip(count) }
  }

  /// Returns a driver that combines each element with the latest element of another source.
  @inlinable
  public func withLatestFrom<Other>(
    _ other: some StreamConvertible<Other, Never>
  ) -> Driver<(Element, Other)> {
    through { $0.withLatestFrom(other) }
  }

  /// Returns a driver of the latest elements of this driver and another source.
  @inlinable
  public func combineLatest<Other>(
    _ other: some StreamConvertible<Other, Never>
  ) -> Driver<(Element, Other)> {
    through { $0.combineLatest(other) }
  }

  /// Returns a driver of the elements of this driver and another source.
  @inlinable
  public func merge(_ other: some StreamConvertible<Element, Never>) -> Driver {
    through { $0.merge(other) }
  }

  /// Returns the later elements as events. A pulse does not send the current element.
  @inlinable
  public func asPulse() -> Pulse<Element> {
    Pulse(stream.droppingInitial)
  }
}

extension Driver where Element: Equatable {
  /// Returns a driver without the elements that equal the one before.
  @inlinable
  public func distinctUntilChanged() -> Driver {
    through { $0.distinctUntilChanged() }
  }
}

extension Pulse {
  /// Returns a pulse of the transformed elements, without those for which the closure returns nil.
  @inlinable
  public func compactMap<Output>(_ transform: @escaping (Element) -> Output?) -> Pulse<Output> {
    through { $0.compactMap(transform) }
  }

  /// Returns a pulse that accumulates the elements into a value.
  @inlinable
  public func scan<Value>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> Pulse<Value> {
    through { $0.scan(initial, combine) }
  }

  /// Returns a pulse that calls a closure with each element.
  @inlinable
  public func `do`(next: @escaping (Element) -> Void) -> Pulse {
    through { $0.do(next: next) }
  }

  /// Returns a pulse that sends an element when no other one has followed for some time.
  @inlinable
  public func debounce(for interval: Duration, on scheduler: (any Scheduler)? = nil) -> Pulse {
    through { $0.debounce(for: interval, on: scheduler) }
  }

  /// Returns a pulse that sends at most one element in each interval.
  @inlinable
  public func throttle(for interval: Duration, on scheduler: (any Scheduler)? = nil) -> Pulse {
    through { $0.throttle(for: interval, on: scheduler) }
  }

  /// Returns a pulse of the elements of this pulse and another source.
  @inlinable
  public func merge(_ other: some StreamConvertible<Element, Never>) -> Pulse {
    through { $0.merge(other) }
  }

  /// Returns a pulse that combines each element with the latest element of another source.
  @inlinable
  public func withLatestFrom<Other>(
    _ other: some StreamConvertible<Other, Never>
  ) -> Pulse<(Element, Other)> {
    through { $0.withLatestFrom(other) }
  }

  /// Returns the elements as state: a driver replays the latest one, and starts with the given one.
  @inlinable
  public func asDriver(startingWith element: Element) -> Driver<Element> {
    Driver(stream.startWith(element))
  }
}
