extension StreamProtocol {
  /// Sends elements while the latest element of another stream is true, and drops them while it is
  /// false.
  ///
  ///     source                    --1--2--3--4--|
  ///     isRunning                 ----f-----t---|
  ///     pausable(by: isRunning)   --1--------4--|
  ///
  ///     let isRunning = Property(false)
  ///     seconds.pausable(by: isRunning).observeNext { show($0) }
  ///
  /// *Events*: elements are sent until the other stream sends false. The other stream is observed
  /// first, so the value of a property applies from the start. If it completes, its last element
  /// continues to apply. The end of the source is always forwarded.
  @inlinable
  public func pausable(
    by isRunning: some StreamConvertible<Bool, Never>
  ) -> EventStream<Element, Failure> {
    let isRunning = isRunning.stream.link
    return .gated(link, isOpen: true, afterSteps: isRunning.steps) { gate, controlling in
      isRunning.start(in: controlling, next: { gate.isOpen = $0 }, end: { _ in })
    }
  }
}
