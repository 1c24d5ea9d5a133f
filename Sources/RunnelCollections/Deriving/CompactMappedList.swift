import RunnelStreams

extension ObservableList {
  /// What the closure makes of each element, in the same order, without those of which it makes nil.
  ///
  ///     let entries = CollectionProperty(["1", "two", "3"])
  ///     let numbers = entries.compactMap { Int($0) }
  ///     print(numbers.value)  // [1, 3]
  ///
  /// An update may make one come or go. The closure runs once for each element that is there, inserted
  /// or updated.
  @inlinable
  public func compactMap<Output>(
    _ transform: @escaping (Base.Element) -> Output?
  ) -> LiveCollection<[Output]> {
    map(transform).filter { $0 != nil }.map { output in
      guard let output else { preconditionFailure("What is nil was left out.") }
      return output
    }
  }
}
