import RunnelBus
import RunnelStreams

/// A client of a ``TestBroker``, which is a transport with all capabilities.
public final class TestBrokerClient {
  private enum Phase {
    /// Nobody uses it.
    case unused
    /// It waits for the next attempt to connect.
    case waiting(Disposable)
    /// The connection is being made.
    case connecting(Disposable)
    case online(Connection)
  }

  /// The name of the client at the broker.
  public let clientName: String
  private let broker: TestBroker
  private var users = 0
  private var phase = Phase.unused
  private var isCut = false
  private var shown: Property<LinkState>
  private let others = Property<[String]>([])
  private var subscriptions: [Subscription] = []
  private var answers: [String: [Answerer]] = [:]

  /// A closure that answers requests, and the answers in progress.
  private final class Answerer {
    let body: ([UInt8]) -> Single<[UInt8], AskFailure>
    let work = CompositeDisposable()

    init(_ body: @escaping ([UInt8]) -> Single<[UInt8], AskFailure>) {
      self.body = body
    }
  }

  init(_ name: String, of broker: TestBroker) {
    clientName = name
    self.broker = broker
    shown = Property(
      .offline(since: broker.scheduler.now, reason: .unreachable(reason: "Nobody uses it.")))
  }

  var isOnline: Bool {
    if case .online = phase { true } else { false }
  }

  /// A connection to the broker: messages that are on the way are lost with it.
  final class Connection {
    /// The latest time of arrival of each lane, in which messages stay in order, and the number of
    /// messages that have not arrived.
    private var lanes: [String: (time: Duration, count: Int)] = [:]
    /// The calls of the scheduler for messages on the way.
    private var timers: [Int: Disposable] = [:]
    private var lastTimer = 0
    var unfinished: [Int: (Result<Void, TransportError>) -> Void] = [:]
    var lastNumber = 0
    private unowned let broker: TestBroker

    // Safety: a client owns its connection, and retains the broker.
    init(_ broker: TestBroker) {
      self.broker = broker
    }

    /// Runs an action when a message in a lane arrives at the other end.
    func after(_ lane: String, _ action: @escaping () -> Void) {
      let scheduler = broker.scheduler
      let (latest, count) = lanes[lane] ?? (.zero, 0)
      let time = max(latest, scheduler.now + broker.nextDelay())
      if time <= scheduler.now && count == 0 { return action() }
      lanes[lane] = (time, count + 1)
      lastTimer += 1
      let number = lastTimer
      timers[number] = scheduler.schedule(at: time) { [self] in
        timers[number] = nil
        lanes[lane]?.count -= 1
        action()
      }
    }

    /// Loses all messages on the way.
    func end() {
      for timer in exchange(&timers, with: [:]).values { timer.dispose() }
    }
  }

  /// A subscription, which the broker remembers for the client.
  final class Subscription {
    let patterns: [TransportPattern]
    let receiver: TransportReceiver
    /// The acknowledged messages that the client has not confirmed, in order.
    var unconfirmed: [(sender: String, message: TransportMessage)] = []
    /// The messages that have arrived while the receiver was paused.
    var waiting: [(message: TransportMessage, confirm: () -> Void)] = []
    /// True once the broker has confirmed it on the present connection.
    var isConfirmed = false
    /// True once the broker knows it, so that it keeps acknowledged messages for it.
    var isKnown = false

    init(_ patterns: [TransportPattern], _ receiver: TransportReceiver) {
      self.patterns = patterns
      self.receiver = receiver
    }
  }

  // MARK: - Faults

  /// Cuts the way to the broker. Everything on the way is lost, and the client goes offline.
  public func cut() {
    isCut = true
    lose("The way to the broker was cut.")
  }

  /// Repairs the way to the broker. The client connects at its next attempt.
  public func heal() {
    isCut = false
  }

  /// Loses the connection, and tries to connect again later.
  func lose(_ reason: String) {
    switch phase {
    case .unused, .waiting: return
    case .connecting(let timer): timer.dispose()
    case .online(let connection):
      connection.end()
      endConnection()
      wait(reason)
      for (_, finish) in connection.unfinished.sorted(by: { $0.key < $1.key }) {
        finish(.failure(.unreachable(reason: reason)))
      }
      connection.unfinished = [:]
      broker.presenceChanged()
      return
    }
    wait(reason)
  }

  private func endConnection() {
    for subscription in subscriptions {
      subscription.isConfirmed = false
      subscription.waiting = []
    }
  }

  private func wait(_ reason: String) {
    phase = .waiting(
      broker.scheduler.schedule(after: broker.pauseBetweenAttempts) { [weak self] in
        self?.attempt()
      })
    shown.value = .offline(since: broker.scheduler.now, reason: .unreachable(reason: reason))
  }

  private func attempt() {
    if isCut || broker.isDown { return wait("There is no way to the broker.") }
    phase = .connecting(
      broker.scheduler.schedule(after: broker.nextDelay()) { [weak self] in self?.begin() })
    shown.value = .connecting
  }

  private func begin() {
    let connection = Connection(broker)
    phase = .online(connection)
    shown.value = .online
    broker.presenceChanged()
    for subscription in subscriptions { confirm(subscription) }
  }

  private func end() {
    switch phase {
    case .unused: return
    case .waiting(let timer), .connecting(let timer): timer.dispose()
    case .online(let connection):
      connection.end()
      endConnection()
    }
    phase = .unused
    shown.value = .offline(since: broker.scheduler.now, reason: .closed)
    broker.presenceChanged()
  }

  func updatePeers() {
    let names = isOnline ? broker.onlineNames(except: clientName) : []
    if others.value != names { others.value = names }
  }

  // MARK: - Receiving

  /// Subscribes at the broker, which confirms it and sends what it has.
  private func confirm(_ subscription: Subscription) {
    guard case .online(let connection) = phase else { return }
    connection.after("to broker") { [self] in
      if let refused = subscription.patterns.first(where: {
        broker.refusedPatterns.contains($0.pattern)
      }) {
        return connection.after("from broker") {
          subscription.receiver.failed(
            .refusedTopic(refused.pattern, reason: "The test broker does not allow it."))
        }
      }
      subscription.isConfirmed = true
      subscription.isKnown = true
      connection.after("from broker") { subscription.receiver.confirmed() }
      for message in broker.retained(on: subscription.patterns) {
        send(message, from: "", to: subscription, on: connection)
      }
      for (sender, message) in exchange(&subscription.unconfirmed, with: []) {
        var again = message
        again.isRepeated = true
        send(again, from: sender, to: subscription, on: connection)
      }
    }
  }

  /// Sends a message of the broker to this client, if it has subscribed to it.
  func deliver(_ message: TransportMessage, from sender: String) {
    for subscription in subscriptions where subscription.isKnown {
      guard
        let pattern = subscription.patterns.first(where: {
          TestBroker.matches(message.topic, $0.pattern)
        })
      else { continue }
      var copy = message
      copy.isAcknowledged = message.isAcknowledged && pattern.isAcknowledged
      copy.isRepeated = false
      if case .online(let connection) = phase, subscription.isConfirmed {
        send(copy, from: sender, to: subscription, on: connection)
      } else if copy.isAcknowledged {
        subscription.unconfirmed.append((sender, copy))
      }
    }
  }

  private func send(
    _ message: TransportMessage, from sender: String, to subscription: Subscription,
    on connection: Connection
  ) {
    if message.isAcknowledged { subscription.unconfirmed.append((sender, message)) }
    connection.after("from \(sender) on \(message.topic)") { [self] in
      receive(message, for: subscription) {
        if message.isAcknowledged,
          let index = subscription.unconfirmed.firstIndex(
            where: { $0.message == message })
        {
          subscription.unconfirmed.remove(at: index)
        }
      }
    }
  }

  private func receive(
    _ message: TransportMessage, for subscription: Subscription, confirm: @escaping () -> Void
  ) {
    if subscription.receiver.isPaused.value || !subscription.waiting.isEmpty {
      return subscription.waiting.append((message, confirm))
    }
    subscription.receiver.receive(message)
    if message.isAcknowledged, broker.losesConfirmation() {
      var again = message
      again.isRepeated = true
      subscription.receiver.receive(again)
    }
    confirm()
  }

  private func resume(_ subscription: Subscription) {
    while !subscription.waiting.isEmpty, !subscription.receiver.isPaused.value {
      let (message, confirm) = subscription.waiting.removeFirst()
      subscription.receiver.receive(message)
      confirm()
    }
  }
}

extension TestBrokerClient: RetainingTransport, AcknowledgingTransport {
  /// The name of the broker.
  public var name: String { broker.name }

  /// The scheduler of the broker.
  public var scheduler: any Scheduler { broker.scheduler }

  /// The state of the connection.
  public var state: ReadOnlyProperty<LinkState> { shown.readOnly }

  /// Refuses topics with a slash, as a transport whose syntax gives it a meaning.
  public func check(topic: String) throws(TransportError) {
    if topic.contains("/") { throw .unmappable(topic, reason: "It contains a slash.") }
  }

  /// Refuses patterns with a slash.
  public func check(pattern: String) throws(TransportError) { try check(topic: pattern) }

  /// Connects to the broker.
  public func connect() -> Disposable {
    users += 1
    if users == 1 { attempt() }
    return Disposable { [self] in
      users -= 1
      if users == 0 { end() }
    }
  }

  /// Subscribes to patterns.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable {
    let subscription = Subscription(patterns, receiver)
    subscriptions.append(subscription)
    confirm(subscription)
    let resuming = receiver.isPaused.observeNext { [weak self, weak subscription] isPaused in
      if !isPaused, let self, let subscription { self.resume(subscription) }
    }
    return Disposable { [self] in
      resuming.dispose()
      subscriptions.removeAll { $0 === subscription }
    }
  }

  /// Sends a message to the broker.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    guard case .online(let connection) = phase else {
      return finished(.failure(.unreachable(reason: "The client is offline.")))
    }
    connection.lastNumber += 1
    let number = connection.lastNumber
    connection.unfinished[number] = finished
    let finish = { (result: Result<Void, TransportError>) in
      connection.unfinished.removeValue(forKey: number)?(result)
    }
    connection.after("to broker") { [self] in
      if broker.refusedTopics.contains(message.topic) {
        return connection.after("confirmations") {
          finish(
            .failure(.refusedTopic(message.topic, reason: "The test broker does not allow it.")))
        }
      }
      broker.route(message, from: clientName)
      connection.after("confirmations") { finish(.success(())) }
    }
  }
}

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
      connection.lastNumber += 1
      let number = connection.lastNumber
      connection.unfinished[number] = { result in
        if case .failure(let error) = result { finish(.failure(.failed(error))) }
      }
      let reply = { (result: Result<[UInt8], AskFailure>) in
        connection.after("answers") {
          if connection.unfinished.removeValue(forKey: number) != nil { finish(result) }
        }
      }
      request.add { connection.unfinished[number] = nil }
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
      let key = answerer.work.add(work)
      work.add { key.map { answerer.work.remove($0) } }
      work.add(
        answerer.body(payload).observe(
          succeeded: { reply(.success($0)) },
          failed: { error in
            if case .failed(let other) = error {
              reply(.failure(.failed(RemoteFailure("\(other)"))))
            } else {
              reply(.failure(error))
            }
          }))
    }
    return work
  }

  /// Answers the requests on a topic.
  public func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    let answerer = Answerer(body)
    answers[topic, default: []].append(answerer)
    return Disposable { [self] in
      answers[topic]?.removeAll { $0 === answerer }
      answerer.work.dispose()
    }
  }
}

/// A client of a ``TestBroker`` as a transport without capabilities.
public final class PlainBrokerClient: BusTransport {
  private let client: TestBrokerClient

  init(_ client: TestBrokerClient) {
    self.client = client
  }

  /// The name of the broker.
  public var name: String { client.name }
  /// The scheduler of the broker.
  public var scheduler: any Scheduler { client.scheduler }
  /// The state of the connection.
  public var state: ReadOnlyProperty<LinkState> { client.state }

  /// Refuses topics with a slash.
  public func check(topic: String) throws(TransportError) { try client.check(topic: topic) }

  /// Refuses patterns with a slash.
  public func check(pattern: String) throws(TransportError) { try client.check(pattern: pattern) }

  /// Connects to the broker.
  public func connect() -> Disposable { client.connect() }

  /// Subscribes to patterns.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable { client.subscribe(to: patterns, receiver) }

  /// Sends a message to the broker.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    require(
      message.kind == .event && !message.isAcknowledged,
      "A sticky or acknowledged message was sent on a transport that has none.")
    client.send(message, finished)
  }
}
