import RunnelStreams

extension ObservableCollection {
  /// A property of what comes of all elements, one after the other; those of dictionaries and sets are in
  /// no order of their own.
  ///
  ///     let letters = shelf.reduced(0) { $0 + $1.count }
  ///     print(letters.value)  // 10
  ///
  /// *Events*: as ``ObservableCollection/reading(_:)``: values that differ, if they can be compared.
  ///
  /// *Complexity*: each change goes through all elements.
  public func reduced<Value>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(initial, combine) }
  }

  /// A property of what comes of all elements, one after the other, which sends values that differ.
  public func reduced<Value: Equatable>(
    _ initial: Value, _ combine: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(initial, combine) }
  }

  /// A property of what all elements add to a value.
  ///
  ///     let initials = shelf.reduced(into: Set<Character>()) { $0.formUnion($1.prefix(1)) }
  ///     print(initials.value.count)  // 3
  ///
  /// *Events*: as ``ObservableCollection/reading(_:)``: values that differ, if they can be compared.
  ///
  /// *Complexity*: each change goes through all elements.
  public func reduced<Value>(
    into initial: Value, _ update: @escaping (inout Value, Element) -> Void
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(into: initial, update) }
  }

  /// A property of what all elements add to a value, which sends values that differ.
  public func reduced<Value: Equatable>(
    into initial: Value, _ update: @escaping (inout Value, Element) -> Void
  ) -> ReadOnlyProperty<Value> {
    reading { $0.reduce(into: initial, update) }
  }
}

extension ObservableCollection
where Base.Changes: ElementChangeset, Base.Changes.Element == Element {
  /// A property of what comes of all elements where it can be taken back what one of them did.
  ///
  ///     let letters = shelf.reduced(0, adding: { $0 + $1.count }, removing: { $0 - $1.count })
  ///     letters.observeNext { show($0) }  // 10, then what it is after every change
  ///
  /// It must make no difference in what order elements are added and removed.
  ///
  /// *Events*: as ``ObservableCollection/reading(_:)``: values that differ, if they can be compared.
  ///
  /// *Complexity*: for those who observe it a change costs as much as it is worth. To read it, and
  /// to begin to observe it, goes through all elements.
  public func reduced<Value>(
    _ initial: Value, adding: @escaping (Value, Element) -> Value,
    removing: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { self.value.reduce(initial, adding) },
      stream: running(initial, adding: adding, removing: removing))
  }

  /// A property of what comes of all elements where it can be taken back what one of them did,
  /// which sends values that differ.
  public func reduced<Value: Equatable>(
    _ initial: Value, adding: @escaping (Value, Element) -> Value,
    removing: @escaping (Value, Element) -> Value
  ) -> ReadOnlyProperty<Value> {
    ReadOnlyProperty(
      read: { self.value.reduce(initial, adding) },
      stream: running(initial, adding: adding, removing: removing).distinctUntilChanged())
  }

  /// What comes of all elements, at first and after each change of them.
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
