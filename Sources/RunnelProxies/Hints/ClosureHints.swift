import RunnelStreams

// Hints for closures whose parameters do not fit the requirement, and for the answer of a
// requirement without a result. `Sources/RunnelStreams/Hints/Unavailable.swift` explains hints.
//
// A hint must not replace the error for a mistake within a closure that fits. Hints for other
// numbers of parameters would, so these closures get the error of the compiler.

// MARK: - Answers

extension ProtocolProxy {
  /// A requirement without a result has no answer.
  @available(*, unavailable, message: "an event requirement has no answer: use stream(_:_:)")
  @discardableResult
  public func answer<each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>,
    with body: @escaping (repeat each Argument) -> Void
  ) -> Disposable { unavailable() }

  /// A requirement without a result has no answer, and the closure returns one.
  @available(*, unavailable, message: "an event requirement has no answer: use stream(_:_:)")
  @discardableResult
  public func answer<Value, each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<repeat each Argument>>,
    with body: @escaping (repeat each Argument) -> Value
  ) -> Disposable { unavailable() }

  /// The closure has no parameter, and the requirement has some.
  @available(*, unavailable, message: "the closure needs all parameters; write _ for unused ones")
  @discardableResult
  public func answer<Value, Failure, First, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, First, repeat each Argument>>,
    with body: @escaping () -> Value
  ) -> Disposable { unavailable() }

  /// The closure has one parameter, and the requirement has two.
  @available(*, unavailable, message: "the closure needs all parameters; write _ for unused ones")
  @discardableResult
  public func answer<Value, Failure, First, Second>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, First, Second>>,
    with body: @escaping (Second) -> Value
  ) -> Disposable { unavailable() }

  /// The closure has two parameters, and the requirement has one.
  @available(*, unavailable, message: "the closure has more parameters than the requirement")
  @discardableResult
  public func answer<Value, Failure, First>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, First>>,
    with body: @escaping (First, Any) -> Value
  ) -> Disposable { unavailable() }

  /// The closure has a parameter, and the requirement has none.
  @available(*, unavailable, message: "the closure has more parameters than the requirement")
  @discardableResult
  public func answer<Value, Failure>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure>>,
    with body: @escaping (Any) -> Value
  ) -> Disposable { unavailable() }
}

// MARK: - Streams

extension ProtocolProxy {
  /// A requirement with a result needs one from the closure.
  @available(
    *, unavailable,
    message: """
      the requirement has a result, which the closure must return; to observe only the calls, use \
      stream(_:) without a closure
      """
  )
  public func stream<Element, Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>,
    _ body: @escaping (PushStream<Element>, repeat each Argument) -> Void
  ) -> EventStream<Element, Never> { unavailable() }

  /// The closure lacks a parameter, or the `PushStream`.
  @available(
    *, unavailable,
    message: "the closure needs a PushStream and all parameters; write _ for unused ones"
  )
  public func stream<Element, First, each Argument>(
    _ key: KeyPath<Requirements, EventRequirement<First, repeat each Argument>>,
    _ body: @escaping (PushStream<Element>, repeat each Argument) -> Void
  ) -> EventStream<Element, Never> { unavailable() }

  /// The closure has no parameter after the `PushStream`, and the requirement has some.
  @available(
    *, unavailable,
    message: "the closure needs a PushStream and all parameters; write _ for unused ones"
  )
  public func stream<Element, Value, Failure, First, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, First, repeat each Argument>>,
    _ body: @escaping (PushStream<Element>) -> Value
  ) -> EventStream<Element, Never> { unavailable() }

  /// The closure has one parameter after the `PushStream`, and the requirement has two.
  @available(
    *, unavailable,
    message: "the closure needs a PushStream and all parameters; write _ for unused ones"
  )
  public func stream<Element, Value, Failure, First, Second>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, First, Second>>,
    _ body: @escaping (PushStream<Element>, Second) -> Value
  ) -> EventStream<Element, Never> { unavailable() }
}
