extension StreamProtocol where Element: Equatable {
  /// Drops each element that equals the previous one.
  ///
  ///     source                   --1--1--2--2--1--|
  ///     distinctUntilChanged()   --1-----2-----1--|
  ///
  ///     name.distinctUntilChanged().observeNext { show($0) }
  @inlinable
  public func distinctUntilChanged() -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let previous = LastSeen<Element>()
      source.start(
        Observer(before: observer) { element in
          if let value = previous.value, value == element { return }
          previous.value = element
          observer.next(element)
        })
    }
  }
}

extension StreamProtocol {
  /// Drops each element whose key equals that of the previous one.
  ///
  ///     source                              --a1--a2--b2--b3--|
  ///     distinctUntilChanged(by: \.letter)  --a1------b2------|
  ///
  ///     users.distinctUntilChanged(by: \.id).observeNext { show($0) }
  ///
  /// *Events*: an error thrown by the closure fails the stream.
  @inlinable
  public func distinctUntilChanged<Key: Equatable>(
    by key: @escaping (Element) throws(Failure) -> Key
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let previous = LastSeen<Key>()
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            let key = try key(element)
            if let value = previous.value, value == key { return }
            previous.value = key
            observer.next(element)
          } catch {
            observer.failed(error)
          }
        })
    }
  }

  /// Drops each element that a closure considers equal to the last element sent.
  ///
  ///     source                                       --1.0--1.1--1.9--|
  ///     distinctUntilChanged { abs($0 - $1) < 0.5 }  --1.0-------1.9--|
  ///
  ///     prices.distinctUntilChanged { abs($0 - $1) < 0.01 }.observeNext { show($0) }
  ///
  /// *Events*: the closure receives the last element sent, then the new one. A series of small
  /// differences is therefore sent once it adds up. An error thrown by the closure fails the
  /// stream.
  @inlinable
  public func distinctUntilChanged(
    comparing areEqual: @escaping (Element, Element) throws(Failure) -> Bool
  ) -> EventStream<Element, Failure> {
    let source = link
    return .unguarded(after: source) { observer in
      let previous = LastSeen<Element>()
      source.start(
        Observer(before: observer) { element in
          do throws(Failure) {
            if let value = previous.value, try areEqual(value, element) { return }
            previous.value = element
            observer.next(element)
          } catch {
            observer.failed(error)
          }
        })
    }
  }
}

/// The last value that one observation of an operator has seen.
@usableFromInline
final class LastSeen<Value> {
  @usableFromInline @exclusivity(unchecked) var value: Value?

  @inlinable
  init() {}
}
