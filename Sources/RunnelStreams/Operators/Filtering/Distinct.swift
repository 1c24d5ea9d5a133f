extension StreamProtocol where Element: Hashable {
  /// Drops every element that equals an earlier one.
  ///
  ///     source       --1--2--1--3--2--|
  ///     distinct()   --1--2-----3-----|
  ///
  ///     names.distinct().observeNext { print("\($0) is new") }
  ///
  /// *Complexity*: stores each distinct element for the duration of the observation.
  @inlinable
  public func distinct() -> EventStream<Element, Failure> {
    distinct(by: { $0 })
  }
}

extension StreamProtocol {
  /// Drops every element whose key equals that of an earlier one.
  ///
  ///     source                  --a1--b1--a2--|
  ///     distinct(by: \.letter)  --a1--b1------|
  ///
  ///     messages.distinct(by: \.sender).observeNext { print("\($0.sender) has joined") }
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  ///
  /// *Complexity*: stores each distinct key for the duration of the observation.
  @inlinable
  public func distinct<Key: Hashable>(
    by key: @escaping (Element) throws(Failure) -> Key
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var seen: Set<Key> = []
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            let key = try key(element)
            if seen.insert(key).inserted { observer.next(element) }
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}
