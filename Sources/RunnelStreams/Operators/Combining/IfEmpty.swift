extension StreamProtocol {
  /// Sends a default element if the stream completes without an element.
  ///
  ///     source                ------|
  ///     ifEmpty(default: 0)   ------0|
  ///
  ///     lines.ifEmpty(default: "nothing").observeNext { show($0) }
  ///
  /// *Events*: failures pass through.
  @inlinable
  public func ifEmpty(default element: Element) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      var isEmpty = true
      source.start(
        Observer(
          next: {
            isEmpty = false
            observer.next($0)
          },
          end: { termination in
            if case .completed = termination, isEmpty { observer.next(element) }
            observer.end(termination)
          }, observation: observer.observation))
    }
  }

  /// Continues with another stream if this one completes without an element.
  ///
  ///     source                        ------|
  ///     ifEmpty(switchTo: 1--2--|)    ------1--2--|
  ///
  ///     api.load().ifEmpty(switchTo: mirror.load()).observe(next: { show($0) })
  ///
  /// *Events*: failures pass through.
  @inlinable
  public func ifEmpty(
    switchTo other: EventStream<Element, Failure>
  ) -> EventStream<Element, Failure> {
    let source = link
    let other = other.link
    return .unguarded(after: source, and: other) { observer in
      var isEmpty = true
      let first = EventStream<Element, Failure>.unguarded { observer in
        source.start(
          Observer(before: observer) {
            isEmpty = false
            observer.next($0)
          })
      }
      SequentialObservation(observer) { end in
        guard case .completed = end, isEmpty else { return nil }
        isEmpty = false
        return .last(other)
      }.begin(with: .stream(first))
    }
  }

  /// Continues with another stream, trait or property if this stream completes without an element.
  @_disfavoredOverload
  @inlinable
  public func ifEmpty(
    switchTo other: some StreamConvertible<Element, Failure>
  ) -> EventStream<Element, Failure> {
    ifEmpty(switchTo: other.stream)
  }
}
