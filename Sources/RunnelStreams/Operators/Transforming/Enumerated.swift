extension StreamProtocol {
  /// Pairs each element with its number, counted from zero.
  ///
  ///     source          --a-----b-----c-----|
  ///     enumerated()    --(0,a)-(1,b)-(2,c)-|
  ///
  ///     lines.enumerated().observeNext { print($0.offset + 1, $0.element) }
  ///
  /// *Events*: each observation counts from zero (C6).
  @inlinable
  public func enumerated() -> EventStream<(offset: Int, element: Element), Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var count = 0
      source.start(
        Observer(before: observer) { element in
          let offset = count
          count += 1
          observer.next((offset: offset, element: element))
        })
    }
  }
}
