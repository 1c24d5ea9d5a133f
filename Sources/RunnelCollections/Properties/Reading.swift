import RunnelStreams

extension ObservableCollection {
  /// A property of what the closure makes of the collection.
  ///
  ///     let count = shelf.reading { $0.count }
  ///     let longest = shelf.reading { $0.max { $0.count < $1.count } }
  ///     print(count.value, longest.value ?? "")  // 3 Emma
  ///
  /// *Events*: one for each change of the collection, also if it makes no difference, unless
  /// the values can be compared: then one for each that differs from the one before.
  public func reading<Value>(
    _ read: @escaping (Base.Elements) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(read: { read(self.value) }, stream: stream.map { read($0.collection) })
  }

  /// A property of what the closure makes of the collection, which sends values that differ.
  public func reading<Value: Equatable>(
    _ read: @escaping (Base.Elements) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { read(self.value) },
      stream: stream.map { read($0.collection) }.distinctUntilChanged())
  }
}
