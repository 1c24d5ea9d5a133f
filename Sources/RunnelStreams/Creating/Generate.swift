extension EventStream {
  /// Returns a stream that computes each element from the previous one while a condition holds.
  ///
  ///     generate(1, while: { $0 < 10 }) { $0 * 2 }   1248|
  ///
  ///     EventStream<Int, Never>.generate(1, while: { $0 < 10 }) { $0 * 2 }
  ///       .observeNext { print($0) }  // 1 2 4 8
  ///
  /// *Events*: an error thrown by a closure fails the stream.
  ///
  /// *Disposal*: the stream checks its observation between elements (C8).
  @inlinable
  public static func generate(
    _ initial: Element,
    while condition: @escaping (Element) throws(Failure) -> Bool,
    next: @escaping (Element) throws(Failure) -> Element
  ) -> EventStream {
    .unguarded { observer in
      do throws(Failure) {
        var element = initial
        while try condition(element) {
          observer.next(element)
          guard observer.isActive else { return }
          element = try next(element)
          guard observer.isActive else { return }
        }
        observer.completed()
      } catch {
        observer.failed(error)
      }
    }
  }
}
