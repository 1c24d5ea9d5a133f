import Synchronization

/// A number that rises and falls, such as the count of open connections. Any thread may set it.
///
///     let length = Property(0.0)
///     length.bind(to: Metrics().gauge("queue_length", "Waiting jobs."))
public final class Gauge: Sendable {
  private let bits = Atomic(0.0.bitPattern)

  init() {}

  /// The number, at first 0.
  public var value: Double {
    get { Double(bitPattern: bits.load(ordering: .relaxed)) }
    set { bits.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// Adds a number, which may be negative.
  public func add(_ number: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + number).bitPattern
      let (isExchanged, current) = bits.weakCompareExchange(
        expected: old, desired: new, ordering: .relaxed)
      if isExchanged { return }
      old = current
    }
  }
}

extension Gauge: Bindable {
  /// Sets each element.
  public func bind(from source: EventStream<Double, Never>) -> Disposable {
    source.observeNext { self.value = $0 }
  }
}
