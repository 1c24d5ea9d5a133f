extension EventStream {
  /// Returns a stream that sends the value of an optional, if there is one, and completes.
  ///
  ///     from(1)     1|
  ///     from(nil)   |
  ///
  ///     EventStream<Int, Never>.from(Int("12")).observeNext { print($0) }  // 12
  @inlinable
  public static func from(_ optional: Element?) -> EventStream {
    .unguarded { observer in
      if let optional { observer.next(optional) }
      observer.completed()
    }
  }

  /// Returns a stream that sends the value of a result and completes, or fails with its error.
  ///
  ///     from(.success(1))   1|
  ///     from(.failure(e))   X
  ///
  ///     EventStream.from(Result { try read(path) }).observe { print($0) }
  @inlinable
  public static func from(_ result: Result<Element, Failure>) -> EventStream {
    .unguarded { observer in
      switch result {
      case .success(let element):
        observer.next(element)
        observer.completed()
      case .failure(let error): observer.failed(error)
      }
    }
  }
}
