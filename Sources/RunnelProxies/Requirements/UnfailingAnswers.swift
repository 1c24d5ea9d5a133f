import RunnelStreams

/// The same for closures that do not throw, where the requirement may: Swift takes such a closure for
/// one that throws `Never`, and not for what the requirement throws.
extension ProtocolProxy {
  /// What a closure pushes when the requirement is called; the closure answers the call, and cannot
  /// fail.
  @inlinable
  public func stream<Element, Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>,
    _ body: @escaping (PushStream<Element>, repeat each Argument) -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.handlers.add { (argument: (repeat each Argument)) in
        body(push, repeat each argument)
      }
    }
  }

  /// Answers a requirement until it is disposed, without fail.
  @inlinable
  @discardableResult
  public func answer<Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>,
    with body: @escaping (repeat each Argument) -> Value
  ) -> Disposable {
    requirements[keyPath: key].handlers.add { (argument: (repeat each Argument)) in
      body(repeat each argument)
    }
  }

  /// What a closure pushes when an `async` requirement is called; the closure answers the call, and
  /// cannot fail.
  public func stream<Element, Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    _ body: nonisolated(nonsending) @escaping (PushStream<Element>, Arguments) async -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.add { arguments async in await body(push, arguments) }
    }
  }

  /// Answers an `async` requirement until it is disposed, without fail.
  @discardableResult
  public func answer<Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    with body: nonisolated(nonsending) @escaping (Arguments) async -> Value
  ) -> Disposable {
    requirements[keyPath: key].add { arguments async in await body(arguments) }
  }
}
