import RunnelStreams

extension ObservableCollection {
  /// Returns a property of a value computed from the collection.
  ///
  ///     let count = shelf.reading { $0.count }
  ///     let longest = shelf.reading { $0.max { $0.count < $1.count } }
  ///     print(count.value, longest.value ?? "")  // 3 Emma
  ///
  /// *Events*: one for each change of the collection, even if the value is the same. For equatable
  /// values, one for each value that differs from the previous one.
  public func reading<Value>(
    _ read: @escaping (Base.Elements) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(read: { read(self.value) }, stream: stream.map { read($0.collection) })
  }

  /// Returns a property of a value computed from the collection. It sends each value that differs
  /// from the previous one.
  public func reading<Value: Equatable>(
    _ read: @escaping (Base.Elements) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { read(self.value) },
      stream: stream.map { read($0.collection) }.distinctUntilChanged())
  }
}
