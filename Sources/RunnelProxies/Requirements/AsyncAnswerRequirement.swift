import RunnelStreams

/// An `async` requirement with a result.
///
/// All closures run one after the other, in the order of observation. The last answer is returned.
/// The closures receive the arguments as a tuple, because Swift 6.3 does not compile an async
/// function with a parameter pack.
public final class AsyncAnswerRequirement<Value, Failure: Error, Arguments> {
  @usableFromInline typealias Answer =
    nonisolated(nonsending) (Arguments) async throws(Failure) -> Value?

  private var handlers: [Handler] = []
  private var disposedCount = 0

  /// Creates a requirement without observers.
  public init() {}

  /// Calls all answerers and returns the last answer; nil if there is none.
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
      // The captures are released last, because a `deinit` may call back into this object.
      let answer = handler.answer
      handler.answer = nil
      self.compact()
      withExtendedLifetime(answer) {}
    }
  }

  /// Removes disposed handlers when they are half of the list, so that removing thousands takes
  /// linear time.
  private func compact() {
    disposedCount += 1
    guard disposedCount * 2 >= handlers.count else { return }
    disposedCount = 0
    handlers.removeAll { $0.answer == nil }
  }

  /// The closure of an observed stream.
  private final class Handler {
    /// The closure; nil after disposal.
    var answer: Answer?

    init(_ answer: @escaping Answer) {
      self.answer = answer
    }
  }
}

extension ProtocolProxy {
  /// Returns the calls of an `async` requirement as tuples of their arguments. The stream does not
  /// answer them.
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

  /// Returns the elements that a closure pushes when an `async` requirement is called. The closure
  /// answers the call.
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

  /// Answers an `async` requirement until the result is disposed.
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
