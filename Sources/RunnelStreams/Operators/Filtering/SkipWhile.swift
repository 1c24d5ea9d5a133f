extension StreamProtocol {
  /// Drops elements while they satisfy a condition, and sends all elements after that.
  ///
  ///     source                    --1--2--3--1--|
  ///     skip(while: { $0 < 3 })   --------3--1--|
  ///
  ///     lines.skip(while: \.isEmpty).observeNext { print($0) }
  ///
  /// *Events*: the closure is not called again after it has returned false. An error thrown by it
  /// fails the stream.
  @inlinable
  public func skip(
    while isDropped: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let gate = Gate(isOpen: false)
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            if !gate.isOpen {
              if try isDropped(element) { return }
              gate.isOpen = true
            }
            observer.next(element)
          } catch {
            observer.failed(error)
          }
        })
    }
  }

  /// Drops elements up to and including the first one that satisfies a condition, and sends all
  /// elements after that.
  ///
  ///     source                      --1--2--3--1--|
  ///     skip(through: { $0 == 2 })  --------3--1--|
  ///
  ///     lines.skip(through: { $0 == "BEGIN" }).observeNext { print($0) }
  ///
  /// *Events*: the closure is not called again after it has returned true. An error thrown by it
  /// fails the stream.
  @inlinable
  public func skip(
    through isLastDropped: @escaping (Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let gate = Gate(isOpen: false)
      source.start(
        Observer(before: observer) { element in
          if gate.isOpen { return observer.next(element) }
          do throws(Failure) {
            gate.isOpen = try isLastDropped(element)
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}
