// Hints for moving work to another context. A stream stays on its context, and only the steps in a
// `via` section run elsewhere. See `Unavailable.swift`.

extension StreamProtocol {
  /// RxSwift's form of ``via(_:isolation:_:)``.
  @available(
    *, unavailable,
    message: "write via(context) { $0.map { } } around the steps, or observe(on:) { } at the end"
  )
  public func observe(on context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's earlier form of ``via(_:isolation:_:)``.
  @available(
    *, unavailable,
    message: "write via(context) { $0.map { } } around the steps, or observe(on:) { } at the end"
  )
  public func observeOn(_ context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's earlier form of ``via(_:isolation:_:)``.
  @available(
    *, unavailable,
    message: "write via(context) { $0.map { } } around the steps, or observe(on:) { } at the end"
  )
  public func observeIn(_ context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// Combine's and ReactiveKit's form of ``via(_:isolation:_:)``.
  @available(
    *, unavailable,
    message: "write via(context) { $0.map { } } around the steps, or observe(on:) { } at the end"
  )
  public func receive(on context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// The form of ``EventStream/perform(on:isolation:_:)`` in other libraries.
  @available(
    *, unavailable, message: "only the work can move: write EventStream.perform(on: context) { }"
  )
  public func subscribe(on context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// RxSwift's earlier form of ``EventStream/perform(on:isolation:_:)``.
  @available(
    *, unavailable, message: "only the work can move: write EventStream.perform(on: context) { }"
  )
  public func subscribeOn(_ context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// ReactiveKit's earlier form of ``EventStream/perform(on:isolation:_:)``.
  @available(
    *, unavailable, message: "only the work can move: write EventStream.perform(on: context) { }"
  )
  public func executeOn(_ context: AnyObject) -> EventStream<Element, Failure> { unavailable() }

  /// ``EventStream/perform(on:isolation:_:)`` creates a stream, and is no operator.
  @available(
    *, unavailable,
    message: "perform(on:) creates a stream: for work on elements write via(context) { $0.map { } }"
  )
  public func perform<Output>(
    on context: any ExecutionContext, _ work: @escaping @Sendable (Element) -> Output
  ) -> EventStream<Output, Failure> { unavailable() }
}

// MARK: - Sections

extension StreamProtocol {
  /// The section of ``via(_:isolation:_:)`` is missing.
  @available(
    *, unavailable, message: "put the steps to move in its closure: via(context) { $0.map { } }"
  )
  public func via(_ context: any ExecutionContext) -> EventStream<Element, Failure> {
    unavailable()
  }

  /// The section of ``via(_:isolation:_:)`` gets the stream.
  @available(
    *, unavailable,
    message: "the closure gets the stream, not an element: write via(context) { $0.map { } }"
  )
  public func via<Output>(
    _ context: any ExecutionContext, _ transform: @escaping @Sendable (Element) -> Output
  ) -> EventStream<Output, Failure> { unavailable() }
}
