import RunnelStreams

/// The answer to encoded requests of one type.
struct RemoteAnswer {
  let type: Any.Type
  let answer: ([UInt8]) -> Single<[UInt8], AskFailure>
}

/// Requests that cross to other programs.
extension EventBus {
  /// Asks a request by a link of this bus or a parent that exports it: the first that is online, or else
  /// the first.
  func askOtherPrograms<Question: BusRequest>(
    _ question: Question
  ) -> Single<Question.Reply, AskFailure> {
    guard let request = question as? any TopicRequest else { return .failed(.nobodyAnswers) }
    // The cast succeeds, because the type of the request is `Question`.
    return answer(to: request) as? Single<Question.Reply, AskFailure> ?? .failed(.nobodyAnswers)
  }

  private func answer<Request: TopicRequest>(to request: Request) -> Any {
    let links = selfAndParents.flatMap { $0.links }.filter { $0.asks(on: Request.topic) }
    guard let link = links.first(where: \.isOnline) ?? links.first else {
      return Single<Request.Reply, AskFailure>.failed(.nobodyAnswers)
    }
    guard let coder else {
      return Single<Request.Reply, AskFailure>.failed(
        .failed(TopicError.noCoder(topic: Request.topic)))
    }
    return Single<[UInt8], AskFailure>.deferred { () throws(AskFailure) in
      link.ask(try Self.coded { try coder.encode(request) }, on: Request.topic)
    }.map { bytes throws(AskFailure) in
      try Self.coded { try coder.decode(Request.Reply.self, from: bytes) }
    }
  }

  /// Returns a coded value. An error of the coder becomes the failure of the request.
  private static func coded<Value>(_ code: () throws -> Value) throws(AskFailure) -> Value {
    do { return try code() } catch { throw .failed(error) }
  }

  // MARK: - Answering

  /// Lets links bring requests of a type with a topic.
  func addRemoteAnswer<Question: BusRequest>(to type: Question.Type) {
    guard let type = type as? any TopicRequest.Type else { return }
    addRemoteAnswer(to: type)
  }

  private func addRemoteAnswer<Request: TopicRequest>(to type: Request.Type) {
    if let present = remoteAnswers[type.topic] {
      return require(
        present.type == type,
        "\(present.type) and \(type) have the topic \(type.topic). Give each type of requests its own."
      )
    }
    remoteAnswers[type.topic] = RemoteAnswer(type: type) { [weak self] payload in
      guard let self, let answer = self.answererListIfAny(of: type)?.first else {
        return .failed(.nobodyAnswers)
      }
      guard let coder = self.coder else {
        return .failed(.failed(TopicError.noCoder(topic: type.topic)))
      }
      return .deferred { () throws(AskFailure) in
        answer(try Self.coded { try coder.decode(type, from: payload) })
          .map { reply throws(AskFailure) in try Self.coded { try coder.encode(reply) } }
      }
    }
    dispatch.answerChanges.next(())
  }

  func removeRemoteAnswer(on topic: String) {
    guard remoteAnswers[topic] != nil else { return }
    release(remoteAnswers.removeValue(forKey: topic))
    dispatch.answerChanges.next(())
  }

  /// Answers a request that a link has brought, on this bus or the nearest parent that can.
  func answer(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    for bus in selfAndParents {
      if let answer = bus.remoteAnswers[topic] { return answer.answer(payload) }
    }
    return .failed(.nobodyAnswers)
  }
}
