import RunnelStreams

/// A requirement with a result: what a delegate is asked. Getters are such, and so are methods whose
/// closures must run within the call, because of an `inout` parameter or a closure that does not escape.
///
/// All closures run at once, in the order of their observation, and the latest word counts.
public final class AnswerRequirement<Value, Failure: Error, each Argument> {
  @usableFromInline let handlers = Handlers<(repeat each Argument), Value, Failure>()

  /// A requirement that nobody answers.
  public init() {}

  /// Whether a stream hears of calls, or answers them.
  package var isHeard: Bool { !handlers.isEmpty }

  /// Those who answer, if anybody does.
  @inlinable
  public var answerers: Answerers<(repeat each Argument), Value, Failure>? {
    handlers.isEmpty ? nil : Answerers(handlers)
  }
}

/// Those who answer a requirement, for the time of one call.
///
/// A call looks them up and asks them: were the requirement asked, it would be counted meanwhile. So
/// they are not kept, and the requirement must be: as proxies do, in a constant.
public struct Answerers<Arguments, Value, Failure: Error> {
  // Safety: the requirement keeps it, and is kept by the proxy that is being called.
  @usableFromInline let handlers: Unmanaged<Handlers<Arguments, Value, Failure>>

  @inlinable
  init(_ handlers: Handlers<Arguments, Value, Failure>) {
    self.handlers = .passUnretained(handlers)
  }

  /// Asks all streams of a call; nil where none has an answer.
  @inlinable
  @discardableResult
  public func answer(_ arguments: Arguments) throws(Failure) -> Value? {
    if let answer = handlers._withUnsafeGuaranteedRef({ $0.soleAnswer }) {
      return try answer(arguments)
    }
    return try handlers.takeUnretainedValue().answer(arguments)
  }
}

/// The closures of the streams that are observed.
@usableFromInline
final class Handlers<Arguments, Value, Failure: Error> {
  @usableFromInline typealias Answer = (Arguments) throws(Failure) -> Value?

  /// Never all disposed: where none listens, it is empty.
  @usableFromInline @exclusivity(unchecked) var list: [Handler] = []
  /// The only one, which is asked without counting the list.
  @usableFromInline @exclusivity(unchecked) var sole: Unmanaged<Handler>?
  /// How many of them were disposed.
  private var gone = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { list.isEmpty }

  /// The only closure. Whoever calls it keeps it, for it may be disposed by itself.
  @inlinable
  var soleAnswer: Answer? {
    guard let sole else { return nil }
    // Safety: the list keeps it.
    return sole._withUnsafeGuaranteedRef { $0.answer }
  }

  @usableFromInline
  func answer(_ arguments: Arguments) throws(Failure) -> Value? {
    var latest: Result<Value, Failure>?
    // Those that come or go meanwhile change another copy of the list.
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
    findSole()
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
    guard gone * 2 >= list.count else { return }
    gone = 0
    list.removeAll { $0.answer == nil }
    findSole()
  }

  private func findSole() {
    sole = list.count == 1 ? list.first.map { .passUnretained($0) } : nil
  }

  @usableFromInline
  final class Handler {
    /// Nil once it was disposed.
    @usableFromInline @exclusivity(unchecked) var answer: Answer?

    init(_ answer: @escaping Answer) {
      self.answer = answer
    }
  }
}

extension ProtocolProxy {
  /// The calls of a requirement, as the tuple of their arguments. It answers nothing.
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

  /// What a closure pushes when the requirement is called; the closure answers the call.
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

  /// Answers a requirement until it is disposed.
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
