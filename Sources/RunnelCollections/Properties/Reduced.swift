import RunnelStreams

extension ObservableCollection {
  /// Returns a property of all elements combined, one after the other. The elements of dictionaries
  /// and sets have no defined order.
  ///
  ///     let letters = shelf.reduced(0) { $0 + $1.count }
  ///     print(letters.value)  // 10
  ///
  /// *Events*: as those of `ObservableCollection.reading(_:)`.
  ///
  /// *Complexity*: each change visits all elements.
  public func reduced<Value>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(initial, combine) }
  }

  /// Returns a property of all elements combined, one after the other. It sends each value that
  /// differs from the previous one.
  public func reduced<Value: Equatable>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(initial, combine) }
  }

  /// Returns a property of a value that each element updates in place.
  ///
  ///     let initials = shelf.reduced(into: Set<Character>()) { $0.formUnion($1.prefix(1)) }
  ///     print(initials.value.count)  // 3
  ///
  /// *Events*: as those of `ObservableCollection.reading(_:)`.
  ///
  /// *Complexity*: each change visits all elements.
  public func reduced<Value>(
    into initial: Value, _ update: @escaping (inout Value, Element) -> Void
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(into: initial, update) }
  }

  /// Returns a property of a value that each element updates in place. It sends each value that
  /// differs from the previous one.
  public func reduced<Value: Equatable>(
    into initial: Value, _ update: @escaping (inout Value, Element) -> Void
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(into: initial, update) }
  }
}

extension ObservableCollection
where Base.Changes: ElementChangeset, Base.Changes.Element == Element {
  /// Returns a property of all elements combined, for an operation that has an inverse.
  ///
  ///     let letters = shelf.reduced(0, adding: { $0 + $1.count }, removing: { $0 - $1.count })
  ///     letters.observeNext { show($0) }  // 10, then what it is after every change
  ///
  /// The order in which elements are added and removed must not affect the result.
  ///
  /// *Events*: as those of `ObservableCollection.reading(_:)`.
  ///
  /// *Complexity*: while observed, the cost of a change is proportional to the change. Reading the
  /// property, and starting to observe it, visits all elements.
  public func reduced<Value>(
    _ initial: Value, adding: @escaping (Value, Element) -> Value,
    removing: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { self.value.reduce(initial, adding) },
      stream: running(initial, adding: adding, removing: removing))
  }

  /// Returns a property of all elements combined, for an operation that has an inverse. It sends
  /// each value that differs from the previous one.
  public func reduced<Value: Equatable>(
    _ initial: Value, adding: @escaping (Value, Element) -> Value,
    removing: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { self.value.reduce(initial, adding) },
      stream: running(initial, adding: adding, removing: removing).distinctUntilChanged())
  }

  /// Returns a stream of the combined value, first of all elements and then after each change.
  private func running<Value>(
    _ initial: Value, adding: @escaping (Value, Element) -> Value,
    removing: @escaping (Value, Element) -> Value
  ) -> EventStream<Value, Never> {
    let events = stream
    return .deferred {
      var value = initial
      return events.map { event in
        if let changes = event.changes {
          changes.visit {
            value = removing(value, $0)
          } come: {
            value = adding(value, $0)
          }
        } else {
          value = event.collection.reduce(initial, adding)
        }
        return value
      }
    }
  }
}
