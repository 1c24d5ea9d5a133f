extension StreamProtocol {
  /// Sends the elements that satisfy a condition.
  ///
  ///     source                    --1--2--3--4--|
  ///     filter { $0 % 2 == 0 }    -----2-----4--|
  ///
  ///     numbers.filter { $0 % 2 == 0 }.observeNext { print($0) }  // 2 4
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public func filter(
    _ isIncluded: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            if try isIncluded(element) { observer.next(element) }
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}
