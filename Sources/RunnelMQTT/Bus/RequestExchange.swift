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

  private let answerTopic: String
  private let makeClient: () throws(MQTTError) -> MQTTClient
  /// The client, from the first request or answer on.
  private var client: MQTTClient?
  /// The observations of the client.
  private var stay = Disposable.none
  private var isOpen = false
  /// The requests without an answer.
  private var questions: [UInt64: Question] = [:]
  /// The requests that wait for the connection.
  private var waiting: [UInt64] = []
  private var lastNumber = UInt64.random(in: 0..<1 << 62)
  private var desks: [ExactText: AnswerDesk] = [:]
  /// Called when the first attempt to connect has ended.
  private var settled: (() -> Void)?

  init(answerTopic: String, makeClient: @escaping () throws(MQTTError) -> MQTTClient) {
    self.answerTopic = answerTopic
    self.makeClient = makeClient
  }

  // MARK: - The client

  /// The transport has users.
  func open() {
    isOpen = true
    if !desks.isEmpty { begin() }
  }

  /// Calls a closure when the broker knows what is answered, or at once if nothing is.
  func whenSettled(_ settled: @escaping () -> Void) {
    guard client?.state.value == .connecting else { return settled() }
    self.settled = settled
  }

  func close() {
    isOpen = false
    settled = nil
    let ended = exchange(&client, with: nil)
    exchange(&stay, with: .none).dispose()
    ended?.close()
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
    stay = Disposable()
    stay.add(
      made.subscribe(to: MQTTSubscription(answerTopic, qos: .atLeastOnce)).observe(
        next: { [weak self] in self?.receive(answer: $0) },
        failed: { [weak self] in self?.failAll(TransportError($0)) }))
    for desk in desks.values { serve(desk, at: made) }
    stay.add(
      made.state.observeNext { [weak self] state in
        guard let self else { return }
        switch state {
        case .connecting, .closed: return
        case .online:
          serveByVersion()
          sendWaiting()
        case .offline(_, let error): lose(.unreachable(reason: "\(error)"))
        }
        exchange(&settled, with: nil)?()
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
    if let desk = desks[key] {
      desk.answerers.append(answerer)
    } else {
      let desk = AnswerDesk(topic)
      desk.answerers.append(answerer)
      desks[key] = desk
      if let client { serve(desk, at: client) } else { begin() }
    }
    return Disposable { [weak self] in
      self?.remove(answerer, from: key)
      answerer.dispose()
    }
  }

  private func remove(_ answerer: RequestAnswerer, from key: ExactText) {
    guard let desk = desks[key] else { return }
    desk.answerers.removeAll { $0 === answerer }
    guard desk.answerers.isEmpty else { return }
    desks[key] = nil
    desk.subscription.dispose()
  }

  /// MQTT 3.1.1 has no shared subscriptions, and brokers may take them for other topics.
  private func serveByVersion() {
    guard let client, client.core.version == .v311 else { return }
    for desk in desks.values where desk.isShared { serve(desk, at: client) }
  }

  /// Subscribes to the requests of a topic. The broker gives each to one of its subscribers, if it can.
  private func serve(_ desk: AnswerDesk, at client: MQTTClient) {
    serve(desk, at: client, isShared: client.core.version == .v5)
  }

  private func serve(_ desk: AnswerDesk, at client: MQTTClient, isShared: Bool) {
    desk.isShared = isShared
    desk.subscription.dispose()
    let filter = isShared ? "$share/runnel/\(desk.topic)" : desk.topic
    desk.subscription = client.subscribe(to: MQTTSubscription(filter, qos: .atLeastOnce)).observe(
      next: { [weak self, weak desk] message in
        if let self, let desk { receive(request: message, at: desk) }
      },
      failed: { [weak self, weak client] error in
        guard let self, let client else { return }
        if isShared { return serve(desk, at: client, isShared: false) }
        Log("runnel.mqtt").warning(
          "Requests are not answered.",
          ["broker": client.name, "topic": desk.topic, "error": "\(error)"])
      })
  }

  private func receive(request message: MQTTMessage, at desk: AnswerDesk) {
    guard !message.isRetained, let client,
      let request = WireRequest(message, client.core.session.incomingVersion)
    else { return }
    let reply = { [weak client] (result: Result<[UInt8], AskFailure>) in
      guard let client, client.state.value == .online else { return }
      // A loss of the connection fails the request at the other end, too.
      _ = try? client.core.publish(request.answer(result, client.core.version)) { _ in }
    }
    guard let answerer = desk.answerers.first else { return reply(.failure(.nobodyAnswers)) }
    _ = answerer.answer(request.payload, reply)
  }
}

/// The closures that answer the requests of a topic. The earliest one gets them.
final class AnswerDesk {
  let topic: String
  var answerers: [RequestAnswerer] = []
  /// True if the broker chooses one of the programs that answer for each request.
  var isShared = false
  var subscription = Disposable.none

  init(_ topic: String) {
    self.topic = topic
  }
}
