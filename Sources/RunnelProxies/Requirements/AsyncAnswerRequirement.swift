import RunnelStreams

/// An `async` requirement with a result: what a delegate is asked, and may take its time to answer.
///
/// All closures run one after the other, in the order of their observation, and the latest word counts.
public final class AsyncAnswerRequirement<Value, Failure: Error, each Argument> {
  @usableFromInline let handlers = AsyncHandlers<(repeat each Argument), Value, Failure>()

  /// A requirement that nobody answers.
  public init() {}

  /// Asks all streams of a call; nil where none has an answer.
  @discardableResult
  nonisolated(nonsending)
    public func answer(_ arguments: (repeat each Argument)) async throws(Failure) -> Value?
  {
    try await handlers.answer(arguments)
  }
}

/// The closures of the streams that are observed.
@usableFromInline
final class AsyncHandlers<Arguments, Value, Failure: Error> {
  @usableFromInline typealias Answer =
    nonisolated(nonsending) (Arguments) async throws(Failure) -> Value?

  private var list: [Handler] = []

  nonisolated(nonsending)
    func answer(_ arguments: Arguments) async throws(Failure) -> Value?
  {
    var latest: Result<Value, Failure>?
    for handler in list where handler.isListening {
      do throws(Failure) {
        if let value = try await handler.answer(arguments) { latest = .success(value) }
      } catch {
        latest = .failure(error)
      }
    }
    return try latest?.get()
  }

  @usableFromInline
  func add(_ answer: @escaping Answer) -> Disposable {
    let handler = Handler(answer)
    list.append(handler)
    return Disposable {
      handler.isListening = false
      self.list.removeAll { $0 === handler }
    }
  }

  private final class Handler {
    let answer: Answer
    var isListening = true

    init(_ answer: @escaping Answer) {
      self.answer = answer
    }
  }
}

extension ProtocolProxy {
  /// The calls of an `async` requirement, as the tuple of their arguments. It answers nothing.
  ///
  ///     songs.rDelegate.stream(\.songList_priceOf).observeNext { _, song in show(song) }
  public func stream<Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, repeat each Argument>>
  ) -> EventStream<(repeat each Argument), Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.handlers.add { argument in
        push.next(argument)
        return nil
      }
    }
  }

  /// What a closure pushes when an `async` requirement is called; the closure answers the call.
  ///
  ///     songs.rDelegate.stream(\.songList_priceOf) { (push: PushStream<String>, _, song) in
  ///       push.next(song)
  ///       return await shop.price(of: song)
  ///     }.observeNext { show("Asked for \($0)") }
  public func stream<Element, Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, repeat each Argument>>,
    _ body:
      nonisolated(nonsending) @escaping (PushStream<Element>, repeat each Argument)
      async throws(Failure) -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.handlers.add { (argument: (repeat each Argument)) async throws(Failure) in
        try await body(push, repeat each argument)
      }
    }
  }

  /// Answers an `async` requirement until it is disposed.
  ///
  ///     songs.rDelegate.answer(\.songList_priceOf) { _, song in await shop.price(of: song) }
  @discardableResult
  public func answer<Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, repeat each Argument>>,
    with body:
      nonisolated(nonsending) @escaping (repeat each Argument)
      async throws(Failure) -> Value
  ) -> Disposable {
    requirements[keyPath: key].handlers.add {
      (argument: (repeat each Argument)) async throws(Failure) in
      try await body(repeat each argument)
    }
  }
}
