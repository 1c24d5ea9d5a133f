import Synchronization

/// A number that only grows, such as the count of served requests. Any thread may count.
public final class Counter: Sendable {
  private let count = Atomic(0)

  init() {}

  /// The number.
  public var value: Int { count.load(ordering: .relaxed) }

  /// Adds a number, which must not be negative.
  public func increment(by number: Int = 1) {
    require(number >= 0, "A Counter only grows. Use a Gauge for a number that falls.")
    count.add(number, ordering: .relaxed)
  }
}

extension Counter: Bindable {
  /// Adds each element.
  public func bind(from source: EventStream<Int, Never>) -> Disposable {
    source.observeNext { self.increment(by: $0) }
  }
}
