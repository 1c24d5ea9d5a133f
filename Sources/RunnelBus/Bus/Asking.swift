import RunnelStreams

extension EventBus {
  /// Sends a request to its answerer on this bus, or else on the nearest parent that has one.
  ///
  ///     bus.ask(Price(title: "Emma"), within: .seconds(1))
  ///       .observe(succeeded: { show($0) }, failed: { print($0) })
  ///
  /// *Events*: each observation sends the request. If several answerers exist on one bus, the
  /// earliest one receives it. If nobody here answers a ``TopicRequest``, it is asked by the first
  /// link that exports requests on its topic and is online. A request crosses one transport only.
  ///
  /// *Timing*: the limit uses the given scheduler, or by default `Current.scheduler`.
  ///
  /// *Disposal*: also disposes the work of the answerer.
  public func ask<Question: BusRequest>(
    _ question: Question, within limit: Duration? = nil, on scheduler: (any Scheduler)? = nil
  ) -> Single<Question.Reply, AskFailure> {
    let answer = Single<Question.Reply, AskFailure>.deferred {
      for bus in self.selfAndParents {
        if let answer = bus.answererListIfAny(of: Question.self)?.first { return answer(question) }
      }
      return self.askOtherPrograms(question)
    }
    guard let limit else { return answer }
    return answer.timeout(after: limit, failingWith: .timedOut, on: scheduler)
  }

  /// Answers requests of a type with a closure, until the result is disposed.
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

  /// Answers requests of a type with asynchronous work, until the result is disposed.
  ///
  ///     bus.answer(Price.self) { question in
  ///       Single.task { try await priceOnline(of: question.title) }
  ///     }
  @discardableResult
  public func answer<Question: BusRequest, Failure: Error>(
    _ type: Question.Type, with body: @escaping (Question) -> Single<Question.Reply, Failure>
  ) -> Disposable {
    let list = answererList(of: type)
    let number = list.add { body($0).mapFailure { .failed($0) } }
    guard let topic = (type as? any TopicRequest.Type)?.topic else {
      return Disposable { list.remove(number) }
    }
    addRemoteAnswer(to: type)
    return Disposable { [weak self] in
      list.remove(number)
      if list.first == nil { self?.removeRemoteAnswer(on: topic) }
    }
  }

  func answererListIfAny<Question>(of type: Question.Type) -> AnswererList<Question>? {
    answererLists[type].map {
      // Safety: the table stores a list for `Question` under the type `Question`.
      unsafeDowncast($0.takeUnretainedValue(), to: AnswererList<Question>.self)
    }
  }

  private func answererList<Question>(of type: Question.Type) -> AnswererList<Question> {
    if let list = answererListIfAny(of: type) { return list }
    let list = AnswererList<Question>()
    answererLists.add(list, of: type)
    return list
  }
}

/// The answerers for one request type on one bus.
final class AnswererList<Question: BusRequest> {
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
