extension StreamProtocol {
  /// Transforms each element like ``map(_:)``, with an object that the stream does not retain.
  ///
  ///     source                            --1-----2-----3--|
  ///     object                            -----------gone
  ///     map(weak: object) { … }           --1'----2'-------|
  ///
  ///     names.map(weak: self) { $0.heading + $1 }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and elements are dropped.
  @inlinable
  public func map<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> Output
  ) -> EventStream<Output, Failure> {
    compactMap { [weak object] (element: Element) throws(Failure) -> Output? in
      guard let object else { return .none }
      return .some(try transform(object, element))
    }
  }

  /// Transforms each element like ``compactMap(_:)``, with an object that the stream does not
  /// retain.
  ///
  ///     source                            --1-----2-----3--|
  ///     object                            -----------gone
  ///     compactMap(weak: object) { … }    --1'-------------|
  ///
  ///     names.compactMap(weak: self) { $0.phoneNumbers[$1] }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and elements are dropped.
  @inlinable
  public func compactMap<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> Output?
  ) -> EventStream<Output, Failure> {
    compactMap { [weak object] (element: Element) throws(Failure) -> Output? in
      guard let object else { return .none }
      return try transform(object, element)
    }
  }

  /// Creates inner streams like ``flatMap(_:)``, with an object that the stream does not retain.
  ///
  ///     source                                --1--2-----3--|
  ///     object                                --------gone
  ///     flatMap(weak: object) { just($1) }    --1--2--------|
  ///
  ///     names.flatMap(weak: self) { $0.entry(for: $1) }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and inner streams are
  /// empty.
  @inlinable
  public func flatMap<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(weakly(object, transform))
  }

  /// Creates inner streams like ``flatMap(maxConcurrent:_:)``, with an object that the stream does
  /// not retain.
  ///
  ///     source                                            --1--2-----3--|
  ///     object                                            --------gone
  ///     flatMap(maxConcurrent: 2, weak: object) { … }     --1--2--------|
  ///
  ///     files.flatMap(maxConcurrent: 4, weak: self) { $0.send($1) }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and inner streams are
  /// empty. A limit below 1 traps.
  @inlinable
  public func flatMap<Object: AnyObject, Output>(
    maxConcurrent limit: Int,
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMap(maxConcurrent: limit, weakly(object, transform))
  }

  /// Creates inner streams like ``flatMapFirst(_:)``, with an object that the stream does not
  /// retain.
  ///
  ///     source                                  --1--2-----3--|
  ///     object                                  --------gone
  ///     flatMapFirst(weak: object) { … }        --1-----------|
  ///
  ///     files.flatMapFirst(weak: self) { $0.send($1) }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and inner streams are
  /// empty.
  @inlinable
  public func flatMapFirst<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMapFirst(weakly(object, transform))
  }

  /// Creates inner streams like ``flatMapLatest(_:)``, with an object that the stream does not
  /// retain.
  ///
  ///     source                                  --1--2-----3--|
  ///     object                                  --------gone
  ///     flatMapLatest(weak: object) { … }       --1--2--------|
  ///
  ///     searchText.flatMapLatest(weak: self) { $0.suggestions(for: $1) }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and inner streams are
  /// empty. An element still disposes the previous inner stream.
  @inlinable
  public func flatMapLatest<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    flatMapLatest(weakly(object, transform))
  }

  /// Creates inner streams like ``concatMap(_:)``, with an object that the stream does not retain.
  ///
  ///     source                                --1--2-----3--|
  ///     object                                --------gone
  ///     concatMap(weak: object) { just($1) }  --1--2--------|
  ///
  ///     pages.concatMap(weak: self) { $0.contents(of: $1) }.observeNext { show($0) }
  ///
  /// *Events*: after the object is released, the closure is not called, and inner streams are
  /// empty.
  @inlinable
  public func concatMap<Object: AnyObject, Output>(
    weak object: Object,
    _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
  ) -> EventStream<Output, Failure> {
    concatMap(weakly(object, transform))
  }
}

/// Returns a transform that references an object weakly, and returns an empty stream after the
/// object is released.
@inlinable
func weakly<Object: AnyObject, Element, Output, Failure: Error>(
  _ object: Object,
  _ transform: @escaping (Object, Element) throws(Failure) -> EventStream<Output, Failure>
) -> (Element) throws(Failure) -> EventStream<Output, Failure> {
  { [weak object] (element: Element) throws(Failure) -> EventStream<Output, Failure> in
    guard let object else { return .completed }
    return try transform(object, element)
  }
}
