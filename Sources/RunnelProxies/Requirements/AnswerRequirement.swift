import RunnelStreams

/// A requirement with a result, such as a getter. Also a method whose closures must run during the
/// call, because it has an `inout` or non-escaping closure parameter.
///
/// All closures run at once, in the order of observation. The last answer is returned.
public final class AnswerRequirement<Value, Failure: Error, each Argument> {
  @usableFromInline let handlers = Handlers<(repeat each Argument), Value, Failure>()

  /// Creates a requirement without observers.
  public init() {}

  /// True while a stream observes or answers the calls.
  package var isHeard: Bool { !handlers.isEmpty }

  /// The current answerers, or nil if there are none.
  @inlinable
  public var answerers: Answerers<(repeat each Argument), Value, Failure>? {
    handlers.isEmpty ? nil : Answerers(handlers)
  }
}

/// The answerers of a requirement during one call.
///
/// Calling the requirement itself would retain and release it. This value does not, so it must not
/// be stored. The proxy stores the requirement in a constant and keeps it alive.
public struct Answerers<Arguments, Value, Failure: Error> {
  // Safety: the requirement retains the handlers, and the called proxy retains the requirement.
  @usableFromInline let handlers: Unmanaged<Handlers<Arguments, Value, Failure>>

  @inlinable
  init(_ handlers: Handlers<Arguments, Value, Failure>) {
    self.handlers = .passUnretained(handlers)
  }

  /// Calls all answerers and returns the last answer; nil if there is none.
  @inlinable
  @discardableResult
  public func answer(_ arguments: Arguments) throws(Failure) -> Value? {
    if let answer = handlers._withUnsafeGuaranteedRef({ $0.soleAnswer }) {
      return try answer(arguments)
    }
    return try handlers.takeUnretainedValue().answer(arguments)
  }
}

/// The closures of the observed streams.
@usableFromInline
final class Handlers<Arguments, Value, Failure: Error> {
  @usableFromInline typealias Answer = (Arguments) throws(Failure) -> Value?

  /// The handlers. Empty if no stream is observed, never a list of disposed ones only.
  @usableFromInline @exclusivity(unchecked) var list: [Handler] = []
  /// The only handler, if there is just one. It is called without retaining the list.
  @usableFromInline @exclusivity(unchecked) var sole: Unmanaged<Handler>?
  private var disposedCount = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { list.isEmpty }

  /// The only closure. The caller must retain it, because the closure may dispose its own handler.
  @inlinable
  var soleAnswer: Answer? {
    guard let sole else { return nil }
    // Safety: the list retains it.
    return sole._withUnsafeGuaranteedRef { $0.answer }
  }

  @usableFromInline
  func answer(_ arguments: Arguments) throws(Failure) -> Value? {
    var latest: Result<Value, Failure>?
    // The loop retains its own copy of the list, so handlers that are added or removed meanwhile
    // have no effect on it.
    for handler in list {
      guard let answer = handler.answer else { continue }
      do throws(Failure) {
        if let value = try answer(arguments) { latest = .success(value) }
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
    updateSole()
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
    guard disposedCount * 2 >= list.count else { return }
    disposedCount = 0
    list.removeAll { $0.answer == nil }
    updateSole()
  }

  private func updateSole() {
    sole = list.count == 1 ? list.first.map { .passUnretained($0) } : nil
  }

  @usableFromInline
  final class Handler {
    /// The closure; nil after disposal.
    @usableFromInline @exclusivity(unchecked) var answer: Answer?

    init(_ answer: @escaping Answer) {
      self.answer = answer
    }
  }
}

extension ProtocolProxy {
  /// Returns the calls of a requirement as tuples of their arguments. The stream does not answer
  /// them.
  ///
  ///     songs.rDelegate.stream(\.songList_shouldSelect).observeNext { _, song in show("\(song)?") }
  @inlinable
  public func stream<Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>
  ) -> EventStream<(repeat each Argument), Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.handlers.add { argument in
        push.next(argument)
        return nil
      }
    }
  }

  /// Returns the elements that a closure pushes when the requirement is called. The closure answers
  /// the call.
  ///
  ///     songs.rDelegate.stream(\.songList_shouldSelect) { (push: PushStream<String>, _, song) in
  ///       push.next(song)
  ///       return song != "Silence"
  ///     }.observeNext { show("Asked for \($0)") }
  @_disfavoredOverload
  @inlinable
  public func stream<Element, Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>,
    _ body: @escaping (PushStream<Element>, repeat each Argument) throws(Failure) -> Value
  ) -> EventStream<Element, Never> {
    let requirement = requirements[keyPath: key]
    return .pushed(until: ownersEnd) { push in
      requirement.handlers.add { (argument: (repeat each Argument)) throws(Failure) in
        try body(push, repeat each argument)
      }
    }
  }

  /// Answers a requirement until the result is disposed.
  ///
  ///     songs.rDelegate.answer(\.songList_shouldSelect) { _, song in song != "Silence" }
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func answer<Value, Failure, each Argument>(
    _ key: KeyPath<Requirements, AnswerRequirement<Value, Failure, repeat each Argument>>,
    with body: @escaping (repeat each Argument) throws(Failure) -> Value
  ) -> Disposable {
    requirements[keyPath: key].handlers.add { (argument: (repeat each Argument)) throws(Failure) in
      try body(repeat each argument)
    }
  }
}
