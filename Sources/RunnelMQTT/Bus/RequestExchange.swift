import RunnelBus
import RunnelStreams

/// The requests and answers of a transport, on a client of their own, whose session ends with its
/// connection: the broker gives no request to a program that is gone.
final class RequestExchange {
  typealias Finish = (Result<[UInt8], AskFailure>) -> Void

  /// A request of this program.
  private struct Question {
    let payload: [UInt8]
    let topic: String
    let finish: Finish
  }

  /// An answer that the broker has not confirmed.
  private struct Answer {
    let request: WireRequest
    let result: Result<[UInt8], AskFailure>
  }

  private let answerTopic: String
  private let makeClient: () throws(MQTTError) -> MQTTClient
  /// The client, from the first request or answer on.
  private var client: MQTTClient?
  /// The observations of the client.
  private var observations = Disposable.none
  private var isOpen = false
  /// The requests without an answer.
  private var questions: [UInt64: Question] = [:]
  /// The requests that wait for the connection.
  private var waiting: [UInt64] = []
  private var lastNumber = UInt64.random(in: 0..<1 << 62)
  private var handlers: [ExactText: RequestHandlers] = [:]
  private var answers: [UInt64: Answer] = [:]
  /// Called when the first attempt to connect has ended.
  private var firstAttemptEnded: (() -> Void)?

  init(answerTopic: String, makeClient: @escaping () throws(MQTTError) -> MQTTClient) {
    self.answerTopic = answerTopic
    self.makeClient = makeClient
  }

  // MARK: - The client

  /// The transport has users.
  func open() {
    isOpen = true
    if !handlers.isEmpty { begin() }
  }

  /// Calls a closure when the broker knows what is answered, or at once if nothing is.
  func onFirstAttempt(_ ended: @escaping () -> Void) {
    guard client?.state.value == .connecting else { return ended() }
    firstAttemptEnded = ended
  }

  func close() {
    isOpen = false
    firstAttemptEnded = nil
    let ended = exchange(&client, with: nil)
    exchange(&observations, with: .none).dispose()
    ended?.close()
    answers = [:]
    failAll(.closed)
  }

  private func begin() {
    if client != nil || !isOpen { return }
    let made: MQTTClient
    do throws(MQTTError) {
      made = try makeClient()
    } catch {
      return failAll(TransportError(error))
    }
    client = made
    observations = Disposable()
    observations.add(
      made.subscribe(to: MQTTSubscription(answerTopic, qos: .atLeastOnce)).observe(
        next: { [weak self] in self?.receive(answer: $0) },
        failed: { [weak self] in self?.failAll(TransportError($0)) }))
    for topic in handlers.values { serve(topic, at: made) }
    observations.add(
      made.state.observeNext { [weak self] state in
        guard let self else { return }
        switch state {
        case .connecting, .closed: return
        case .online:
          serveByVersion()
          sendWaiting()
          for number in answers.keys.sorted() { sendAnswer(number) }
        case .offline(_, let error): lose(.unreachable(reason: "\(error)"))
        }
        exchange(&firstAttemptEnded, with: nil)?()
      })
  }

  private func lose(_ error: TransportError) {
    client?.core.forgetMessages()
    failAll(error)
  }

  private func failAll(_ error: TransportError) {
    waiting = []
    for (_, question) in exchange(&questions, with: [:]).sorted(by: { $0.key < $1.key }) {
      question.finish(.failure(.failed(error)))
    }
  }

  // MARK: - Asking

  /// Sends a request. Disposing the result forgets it.
  func ask(_ payload: [UInt8], on topic: String, _ finish: @escaping Finish) -> Disposable {
    lastNumber += 1
    let number = lastNumber
    questions[number] = Question(payload: payload, topic: topic, finish: finish)
    waiting.append(number)
    begin()
    if client?.state.value == .online { sendWaiting() }
    return Disposable { [weak self] in release(self?.questions.removeValue(forKey: number)) }
  }

  private func sendWaiting() {
    for number in exchange(&waiting, with: []) {
      guard let question = questions[number], let core = client?.core else { continue }
      let request = WireRequest(
        payload: question.payload, answerTopic: answerTopic, id: number.bytes)
      do throws(MQTTError) {
        _ = try core.publish(request.message(on: question.topic, core.version)) {
          [weak self] result in
          switch result {
          case .success(.withoutSubscribers): self?.end(number, .failure(.nobodyAnswers))
          case .success: break
          case .failure(let error):
            self?.end(number, .failure(.failed(TransportError(error))))
          }
        }
      } catch {
        end(number, .failure(.failed(TransportError(error))))
      }
    }
  }

  private func end(_ number: UInt64, _ result: Result<[UInt8], AskFailure>) {
    questions.removeValue(forKey: number)?.finish(result)
  }

  private func receive(answer message: MQTTMessage) {
    guard let version = client?.core.session.incomingVersion,
      let (id, result) = WireRequest.result(of: message, version), let number = UInt64(bytes: id)
    else { return }
    end(number, result)
  }

  // MARK: - Answering

  /// Answers the requests on a topic.
  func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    let answerer = RequestAnswerer(body)
    let key = ExactText(topic)
    if let present = handlers[key] {
      present.answerers.append(answerer)
    } else {
      let new = RequestHandlers(topic)
      new.answerers.append(answerer)
      handlers[key] = new
      if let client { serve(new, at: client) } else { begin() }
    }
    return Disposable { [weak self] in
      self?.remove(answerer, from: key)
      answerer.dispose()
    }
  }

  private func remove(_ answerer: RequestAnswerer, from key: ExactText) {
    guard let topic = handlers[key] else { return }
    topic.answerers.removeAll { $0 === answerer }
    guard topic.answerers.isEmpty else { return }
    handlers[key] = nil
    topic.subscription.dispose()
  }

  /// MQTT 3.1.1 has no shared subscriptions, and brokers may take them for other topics.
  private func serveByVersion() {
    guard let client, client.core.version == .v311 else { return }
    for topic in handlers.values where topic.isShared { serve(topic, at: client) }
  }

  /// Subscribes to the requests of a topic. The broker gives each to one of its subscribers, if it can.
  private func serve(_ topic: RequestHandlers, at client: MQTTClient) {
    serve(topic, at: client, isShared: client.core.version == .v5)
  }

  private func serve(_ topic: RequestHandlers, at client: MQTTClient, isShared: Bool) {
    topic.isShared = isShared
    topic.subscription.dispose()
    let filter = isShared ? "$share/runnel/\(topic.name)" : topic.name
    // A refusal may come at once, and subscribe in the other way.
    let subscription = Disposable()
    topic.subscription = subscription
    let observation = client.subscribe(to: MQTTSubscription(filter, qos: .atLeastOnce)).observe(
      next: { [weak self, weak topic] message in
        if let self, let topic { receive(request: message, on: topic) }
      },
      failed: { [weak self, weak client] error in
        guard let self, let client else { return }
        if isShared { return serve(topic, at: client, isShared: false) }
        Log("runnel.mqtt").warning(
          "Requests are not answered.",
          ["broker": client.name, "topic": topic.name, "error": "\(error)"])
      })
    subscription.add(observation)
  }

  private func receive(request message: MQTTMessage, on topic: RequestHandlers) {
    guard !message.isRetained, let client,
      let request = WireRequest(message, client.core.session.incomingVersion)
    else { return }
    var isAnswered = false
    let reply = { [weak self] (result: Result<[UInt8], AskFailure>) in
      if exchange(&isAnswered, with: true) { return }
      self?.send(Answer(request: request, result: result))
    }
    guard let answerer = topic.answerers.first else { return reply(.failure(.nobodyAnswers)) }
    // The asking program still waits after the answerer is disposed. Another program may be answering, too, unless the
    // broker chose this one.
    answerer.answer(request.payload, reply).add { [weak topic] in
      if topic?.isShared != false { reply(.failure(.nobodyAnswers)) }
    }
  }

  /// Sends an answer, on the next connection if there is none: the connection of the program that asks may be whole.
  private func send(_ answer: Answer) {
    guard let client else { return }
    lastNumber += 1
    answers[lastNumber] = answer
    if client.state.value == .online { sendAnswer(lastNumber) }
  }

  private func sendAnswer(_ number: UInt64) {
    guard let answer = answers[number], let core = client?.core else { return }
    do throws(MQTTError) {
      // A loss of the connection forgets the message, but not the answer.
      _ = try core.publish(answer.request.answer(answer.result, core.version)) {
        [weak self] result in
        if case .failure(let error) = result {
          self?.fail(number, error)
        } else {
          self?.answers[number] = nil
        }
      }
    } catch {
      fail(number, error)
    }
  }

  /// The broker or the client refuses an answer. The asking program gets the reason instead.
  private func fail(_ number: UInt64, _ error: MQTTError) {
    guard let answer = answers.removeValue(forKey: number), case .success = answer.result else {
      return
    }
    let failure = AskFailure.failed(RemoteFailure("\(error)"))
    send(Answer(request: answer.request, result: .failure(failure)))
  }
}

/// The closures that answer the requests on a topic. The earliest one gets them.
final class RequestHandlers {
  let name: String
  var answerers: [RequestAnswerer] = []
  /// True if the broker chooses one of the programs that answer for each request.
  var isShared = false
  var subscription = Disposable.none

  init(_ name: String) {
    self.name = name
  }
}
