import RunnelStreams

/// A question that one part of a program asks of whichever other part knows the answer.
///
///     struct Stock: BusRequest {
///       typealias Reply = Int
///       let title: String
///     }
public protocol BusRequest<Reply> {
  /// What the answer is.
  associatedtype Reply
}

/// Why a question has no answer.
public enum AskFailure: Error {
  /// Nobody answers questions of this type, on this bus or those around it.
  case nobodyAnswers
  /// The answer took too long.
  case timedOut
  /// Whoever answers has failed.
  case failed(any Error)
}

extension AskFailure: CustomStringConvertible {
  /// Says what is wrong and what to do about it.
  public var description: String {
    switch self {
    case .nobodyAnswers:
      """
      Nobody answers this question on the bus or those around it. Call answer(_:with:) there first, \
      and keep it from being disposed.
      """
    case .timedOut: "The question was not answered in time. Allow more with ask(_:within:)."
    case .failed(let error): "The question could not be answered: \(error)"
    }
  }
}

extension EventBus {
  /// Asks whoever answers questions of this type: here, else on the buses around this one.
  ///
  ///     bus.ask(Price(title: "Emma"), within: .seconds(1))
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*: it is asked when it is observed, each time anew. Of several who answer, whoever was
  /// there first is asked.
  ///
  /// *Timing*: on the given scheduler, else that of the current loop.
  ///
  /// *Disposal*: the work that answers is disposed too.
  public func ask<Question: BusRequest>(
    _ question: Question, within limit: Duration? = nil, on scheduler: (any Scheduler)? = nil
  ) -> Single<Question.Reply, AskFailure> {
    let answer = Single<Question.Reply, AskFailure>.deferred {
      for bus in self.rising {
        if let answer = bus.deskIfAny(of: Question.self)?.first { return answer(question) }
      }
      return .failed(.nobodyAnswers)
    }
    guard let limit else { return answer }
    return answer.timeout(after: limit, failingWith: .timedOut, on: scheduler)
  }

  /// Answers questions of a type from now on, until it is disposed.
  ///
  ///     let answering = bus.answer(Price.self) { _ in 12 }
  ///     answering.dispose()
  @discardableResult
  public func answer<Question: BusRequest>(
    _ type: Question.Type, with body: @escaping (Question) throws -> Question.Reply
  ) -> Disposable {
    answer(type) { question in
      Single<Question.Reply, any Error>(Result { try body(question) })
    }
  }

  /// Answers questions of a type with what takes time, until it is disposed.
  ///
  ///     bus.answer(Price.self) { question in
  ///       Single.task { try await priceOnline(of: question.title) }
  ///     }
  @discardableResult
  public func answer<Question: BusRequest, Failure: Error>(
    _ type: Question.Type, with body: @escaping (Question) -> Single<Question.Reply, Failure>
  ) -> Disposable {
    let desk = desk(of: type)
    let number = desk.add { body($0).mapFailure { .failed($0) } }
    return Disposable { desk.remove(number) }
  }

  private func deskIfAny<Question>(of type: Question.Type) -> AnswerDesk<Question>? {
    // Safety: under a type stands the desk of that type.
    desks[type].map { unsafeDowncast($0.takeUnretainedValue(), to: AnswerDesk<Question>.self) }
  }

  private func desk<Question>(of type: Question.Type) -> AnswerDesk<Question> {
    if let desk = deskIfAny(of: type) { return desk }
    let desk = AnswerDesk<Question>()
    desks.add(desk, of: type)
    return desk
  }
}

/// Those who answer questions of one type on one bus.
private final class AnswerDesk<Question: BusRequest> {
  typealias Answer = (Question) -> Single<Question.Reply, AskFailure>

  private var answers: [(number: Int, answer: Answer)] = []
  private var lastNumber = 0

  var first: Answer? { answers.first?.answer }

  func add(_ answer: @escaping Answer) -> Int {
    lastNumber += 1
    answers.append((lastNumber, answer))
    return lastNumber
  }

  func remove(_ number: Int) {
    guard let index = answers.firstIndex(where: { $0.number == number }) else { return }
    release(answers.remove(at: index))
  }
}
