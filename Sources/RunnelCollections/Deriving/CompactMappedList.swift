import RunnelStreams

extension ObservableList {
  /// Returns the live list of the closure's non-nil results, in the order of the source.
  ///
  ///     let entries = CollectionProperty(["1", "two", "3"])
  ///     let numbers = entries.compactMap { Int($0) }
  ///     print(numbers.value)  // [1, 3]
  ///
  /// Updating an element can insert it into, or remove it from, the result. The closure runs once
  /// for each initial, inserted or updated element.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Base.Element) -> Output?
  ) -> LiveCollection<[Output]> {
    map(transform).filter { $0 != nil }.map { output in
      guard let output else { preconditionFailure("A nil result passed the filter.") }
      return output
    }
  }
}
