import RunnelBus
import RunnelStreams

/// The requests that this program answers, by topic.
final class EventRequests {
  /// A topic, which is a name of this program on the bus.
  private struct Topic {
    let service: String
    var answerers: [RequestAnswerer] = []
    var naming = Disposable.none
  }

  // Safety: the owner of this object retains the connection, too.
  private unowned let bus: BusConnection
  private var topics: [String: Topic] = [:]
  private var isStarted = false
  private var serving = Disposable.none

  init(on bus: BusConnection) {
    self.bus = bus
  }

  /// Begins to answer.
  func start() {
    isStarted = true
    var interface = BusInterface(EventNames.interface)
    interface.method(
      "Ask", "topic", "payload", returning: "answer",
      later: { [weak self] (topic: String, payload: [UInt8]) throws(BusError) in
        guard let self else { throw Self.nobodyAnswers }
        return try self.answer(payload, on: topic)
      })
    serving = bus.export(interface, at: EventNames.path)
    for topic in Array(topics.keys) { requestName(for: topic) }
  }

  /// Ends the answers that are in progress, and leaves the names to others.
  func stop() {
    isStarted = false
    serving.dispose()
    for topic in Array(topics.keys) {
      topics[topic]?.naming.dispose()
      for answerer in topics[topic]?.answerers ?? [] {
        answerer.endAnswers()
      }
    }
  }

  private func requestName(for topic: String) {
    guard let service = topics[topic]?.service else { return }
    let naming = bus.name(service).observe(failed: { error in
      Log("runnel.dbus").warning("Requests on \(topic) do not arrive: \(error)")
    })
    topics[topic]?.naming = naming
  }

  // MARK: - Answering

  /// Adds a closure that answers. Of several on one topic, the earliest one is called.
  func add(
    _ body: @escaping ([UInt8]) -> Single<[UInt8], AskFailure>, on topic: String
  ) -> Disposable {
    guard let service = EventNames.answerer(on: topic) else {
      Log("runnel.dbus").warning("Requests on \(topic) do not arrive: the topic is too long.")
      return .none
    }
    let answerer = RequestAnswerer(body)
    let isNew = topics[topic] == nil
    topics[topic, default: Topic(service: service)].answerers.append(answerer)
    if isNew && isStarted { requestName(for: topic) }
    return Disposable { self.remove(answerer, on: topic) }
  }

  private func remove(_ answerer: RequestAnswerer, on topic: String) {
    topics[topic]?.answerers.removeAll { $0 === answerer }
    if topics[topic]?.answerers.isEmpty == true {
      topics.removeValue(forKey: topic)?.naming.dispose()
    }
    answerer.dispose()
  }

  private static let nobodyAnswers = BusError.other(
    name: EventNames.nobodyAnswers, text: "Nobody answers on this topic.")

  private func answer(
    _ payload: [UInt8], on topic: String
  ) throws(BusError) -> Single<[UInt8], BusError> {
    guard isStarted, let answerer = topics[topic]?.answerers.first else {
      throw Self.nobodyAnswers
    }
    return Single { finish in
      let answer = answerer.answer(payload) { finish($0.mapError { Self.error($0) }) }
      // The caller may be there although the answerer is not any more.
      answer.add { finish(.failure(Self.nobodyAnswers)) }
      return answer
    }
  }

  private static func error(_ failure: AskFailure) -> BusError {
    switch failure {
    case .nobodyAnswers: nobodyAnswers
    case .timedOut: .other(name: EventNames.failed, text: "The answer took too long.")
    case .failed(let error): .other(name: EventNames.failed, text: "\(error)")
    }
  }

  // MARK: - Asking

  /// The failure of a request whose call has failed.
  static func failure(_ error: BusError) -> AskFailure {
    switch error {
    case .serviceAbsent, .serviceUnknown, .nameHasNoOwner,
      .other(name: EventNames.nobodyAnswers, _):
      .nobodyAnswers
    case .disconnected, .cannotConnect, .noReply, .timedOut:
      .failed(TransportError.unreachable(reason: error.text))
    case .limitsExceeded(let reason): .failed(TransportError.overloaded(reason: reason))
    case .tooLarge: .failed(TransportError.tooLarge(limit: BusLimits.arrayBytes))
    default: .failed(RemoteFailure(error.text))
    }
  }
}
