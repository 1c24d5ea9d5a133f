import RunnelStreams

/// Overloads for closures that do not throw, where the requirement may throw. Swift infers such a
/// closure to throw `Never` instead of the failure of the requirement.
extension ProtocolProxy {
  /// Returns the elements that a closure pushes when the requirement is called. The closure answers
  /// the call and does not throw.
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

  /// Answers a requirement with a closure that does not throw, until the result is disposed.
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

  /// Returns the elements that a closure pushes when an `async` requirement is called. The closure
  /// answers the call and does not throw.
  public func stream<Element, Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    _ body: nonisolated(nonsending) @escaping (PushStream<Element>, Arguments) async -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.add { arguments async in await body(push, arguments) }
    }
  }

  /// Answers an `async` requirement with a closure that does not throw, until the result is
  /// disposed.
  @discardableResult
  public func answer<Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    with body: nonisolated(nonsending) @escaping (Arguments) async -> Value
  ) -> Disposable {
    requirements[keyPath: key].add { arguments async in await body(arguments) }
  }
}
