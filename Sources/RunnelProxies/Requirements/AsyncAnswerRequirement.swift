import RunnelStreams

/// An `async` requirement with a result: what a delegate is asked, and may take its time to answer.
///
/// All closures run one after the other, in the order of their observation, and the latest word counts.
/// They get the arguments as a tuple: an async function of parameters that are not known by number is
/// more than Swift 6.3 compiles.
public final class AsyncAnswerRequirement<Value, Failure: Error, Arguments> {
  @usableFromInline typealias Answer =
    nonisolated(nonsending) (Arguments) async throws(Failure) -> Value?

  private var handlers: [Handler] = []
  /// How many of them were disposed.
  private var gone = 0

  /// A requirement that nobody answers.
  public init() {}

  /// Asks all streams of a call; nil where none has an answer.
  @discardableResult
  nonisolated(nonsending)
    public func answer(_ arguments: Arguments) async throws(Failure) -> Value?
  {
    var latest: Result<Value, Failure>?
    for handler in handlers {
      guard let answer = handler.answer else { continue }
      do throws(Failure) {
        if let value = try await answer(arguments) { latest = .success(value) }
      } catch {
        latest = .failure(error)
      }
    }
    return try latest?.get()
  }

  func add(_ answer: @escaping Answer) -> Disposable {
    let handler = Handler(answer)
    handlers.append(handler)
    return Disposable {
      // What the closure captured is released last: its deinit may come back here.
      let answer = handler.answer
      handler.answer = nil
      self.forget()
      withExtendedLifetime(answer) {}
    }
  }

  /// Half of the list goes at once, so that thousands can leave one by one.
  private func forget() {
    gone += 1
    guard gone * 2 >= handlers.count else { return }
    gone = 0
    handlers.removeAll { $0.answer == nil }
  }

  /// One stream that is observed.
  private final class Handler {
    /// Nil once it was disposed.
    var answer: Answer?

    init(_ answer: @escaping Answer) {
      self.answer = answer
    }
  }
}

extension ProtocolProxy {
  /// The calls of an `async` requirement, as the tuple of their arguments. It answers nothing.
  ///
  ///     songs.rDelegate.stream(\.songList_priceOf).observeNext { _, song in show(song) }
  public func stream<Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>
  ) -> EventStream<Arguments, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.add { arguments in
        push.next(arguments)
        return nil
      }
    }
  }

  /// What a closure pushes when an `async` requirement is called; the closure answers the call.
  ///
  ///     songs.rDelegate.stream(\.songList_priceOf) { (push: PushStream<String>, call) in
  ///       push.next(call.1)
  ///       return await shop.price(of: call.1)
  ///     }.observeNext { show("Asked for \($0)") }
  @_disfavoredOverload
  public func stream<Element, Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    _ body:
      nonisolated(nonsending) @escaping (PushStream<Element>, Arguments)
      async throws(Failure) -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.add { arguments async throws(Failure) in try await body(push, arguments) }
    }
  }

  /// Answers an `async` requirement until it is disposed.
  ///
  ///     songs.rDelegate.answer(\.songList_priceOf) { _, song in await shop.price(of: song) }
  @_disfavoredOverload
  @discardableResult
  public func answer<Value, Failure, Arguments>(
    _ key: KeyPath<Requirements, AsyncAnswerRequirement<Value, Failure, Arguments>>,
    with body: nonisolated(nonsending) @escaping (Arguments) async throws(Failure) -> Value
  ) -> Disposable {
    requirements[keyPath: key].add { arguments async throws(Failure) in try await body(arguments) }
  }
}
