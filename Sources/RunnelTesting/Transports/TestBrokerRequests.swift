import RunnelBus
import RunnelStreams

extension TestBrokerClient: AskingTransport, PresenceTransport {
  /// The names of the other clients that are online.
  public var peers: ReadOnlyProperty<[String]> { others.readOnly }

  /// Sends a request to the first client, by name, that answers on the topic.
  public func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    Single { finish in
      let request = Disposable()
      guard case .online(let connection) = self.phase else {
        finish(.failure(.failed(TransportError.unreachable(reason: "The client is offline."))))
        return request
      }
      let number = connection.begin { result in
        if case .failure(let error) = result { finish(.failure(.failed(error))) }
      }
      let reply = { (result: Result<[UInt8], AskFailure>) in
        connection.after("answers") { if connection.forget(number) { finish(result) } }
      }
      request.add { connection.forget(number) }
      connection.after("to broker") {
        guard !request.isDisposed else { return }
        guard let other = self.broker.answerer(on: topic) else {
          return reply(.failure(.nobodyAnswers))
        }
        request.add(other.answer(payload, on: topic, reply))
      }
      return request
    }
  }

  func answers(on topic: String) -> Bool { answers[topic]?.isEmpty == false }

  private func answer(
    _ payload: [UInt8], on topic: String,
    _ reply: @escaping (Result<[UInt8], AskFailure>) -> Void
  ) -> Disposable {
    let work = Disposable()
    guard case .online(let connection) = phase else { return work }
    connection.after("requests") {
      guard !work.isDisposed, let answerer = self.answers[topic]?.first else {
        return reply(.failure(.nobodyAnswers))
      }
      let answer = answerer.answer(payload) { result in
        reply(
          result.mapError { error in
            if case .failed(let other) = error { .failed(RemoteFailure("\(other)")) } else { error }
          })
      }
      // The client that asks may be there although the answerer is not any more.
      answer.add { reply(.failure(.nobodyAnswers)) }
      work.add(answer)
    }
    return work
  }

  /// Answers the requests on a topic.
  public func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    let answerer = RequestAnswerer(body)
    answers[topic, default: []].append(answerer)
    updateNeed()
    return Disposable { [self] in
      answers[topic]?.removeAll { $0 === answerer }
      answerer.dispose()
      updateNeed()
    }
  }
}
