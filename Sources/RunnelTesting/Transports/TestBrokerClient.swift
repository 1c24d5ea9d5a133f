import RunnelBus
import RunnelStreams

/// A client of a ``TestBroker``, which is a transport with all capabilities.
public final class TestBrokerClient {
  enum Phase {
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
  let broker: TestBroker
  private var users = 0
  private(set) var phase = Phase.unused
  private var isCut: Bool { broker.cutNames.contains(clientName) }
  private let shown: Property<LinkState>
  let others = Property<[String]>([])
  private var subscriptions: [Subscription] = []
  var answers: [String: [RequestAnswerer]] = [:]

  init(_ name: String, of broker: TestBroker) {
    clientName = name
    self.broker = broker
    shown = Property(
      .offline(since: broker.scheduler.now, reason: .unreachable(reason: "Nobody uses it.")))
  }

  var isOnline: Bool {
    if case .online = phase { true } else { false }
  }

  // MARK: - Faults

  /// Cuts the way to the broker. Everything on the way is lost, and the client goes offline.
  public func cut() {
    broker.cutNames.insert(clientName)
    lose("The way to the broker was cut.")
  }

  /// Repairs the way to the broker. The client connects at its next attempt.
  public func heal() {
    broker.cutNames.remove(clientName)
  }

  /// Loses the connection, and tries to connect again later.
  func lose(_ reason: String) {
    switch phase {
    case .unused, .waiting: break
    case .connecting(let timer):
      timer.dispose()
      wait(reason)
    case .online(let connection):
      end(connection)
      wait(reason)
      connection.failAll(.unreachable(reason: reason))
      broker.presenceChanged()
    }
  }

  private func end(_ connection: Connection) {
    connection.end()
    for subscription in subscriptions { subscription.loseConnection() }
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
    let ended = exchange(&phase, with: .unused)
    if case .online(let connection) = ended { end(connection) }
    if case .waiting(let timer) = ended { timer.dispose() }
    if case .connecting(let timer) = ended { timer.dispose() }
    shown.value = .offline(since: broker.scheduler.now, reason: .closed)
    guard case .online(let connection) = ended else { return }
    connection.failAll(.closed)
    broker.presenceChanged()
  }

  func updateNeed() {
    broker.retain(
      self,
      while: users > 0 || !subscriptions.isEmpty || answers.values.contains { !$0.isEmpty })
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
      if subscription.phase == .ended { return }
      if let refused = subscription.patterns.first(where: {
        broker.refusedPatterns.contains($0.pattern)
      }) {
        return connection.after("from broker") {
          if subscription.phase == .ended { return }
          subscription.receiver.failed(
            .refusedTopic(refused.pattern, reason: "The test broker does not allow it."))
        }
      }
      subscription.phase = .confirmed
      connection.after("from broker") {
        if subscription.phase != .ended { subscription.receiver.confirmed() }
      }
      for var message in broker.retained(on: subscription.patterns) {
        message.isStored = true
        send(message, from: "", to: subscription, on: connection)
      }
      for delivery in subscription.takeUnconfirmed() {
        var again = delivery.message
        again.isRepeated = true
        send(again, from: delivery.sender, to: subscription, on: connection)
      }
    }
  }

  /// Sends a message of the broker to this client, if it has subscribed to it.
  func deliver(_ message: TransportMessage, from sender: String) {
    for subscription in subscriptions {
      guard subscription.phase != .new, let pattern = subscription.pattern(for: message.topic)
      else { continue }
      var copy = message
      copy.isAcknowledged = message.isAcknowledged && pattern.isAcknowledged
      copy.isRepeated = false
      copy.isStored = false
      if case .online(let connection) = phase, subscription.phase == .confirmed {
        send(copy, from: sender, to: subscription, on: connection)
      } else if copy.isAcknowledged {
        _ = subscription.keep(copy, from: sender)
      }
    }
  }

  private func send(
    _ message: TransportMessage, from sender: String, to subscription: Subscription,
    on connection: Connection
  ) {
    let lane = "from \(sender) on \(message.topic)"
    guard message.isAcknowledged else {
      return connection.after(lane) { subscription.receive(message) {} }
    }
    let number = subscription.keep(message, from: sender).number
    connection.after(lane) { [self] in
      var arriving = message
      if broker.losesConfirmation() {
        subscription.receive(arriving) {}
        arriving.isRepeated = true
      }
      subscription.receive(arriving) { subscription.confirm(number) }
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
    updateNeed()
    if users == 1 { attempt() }
    return Disposable { [self] in
      users -= 1
      if users == 0 { end() }
      updateNeed()
    }
  }

  /// Subscribes to patterns.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable {
    let subscription = Subscription(patterns, receiver)
    subscriptions.append(subscription)
    updateNeed()
    confirm(subscription)
    let resuming = receiver.isPaused.observeNext { [weak subscription] isPaused in
      if !isPaused { subscription?.deliverArrived() }
    }
    return Disposable { [self] in
      resuming.dispose()
      subscription.end()
      subscriptions.removeAll { $0 === subscription }
      updateNeed()
    }
  }

  /// Sends a message to the broker.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    guard case .online(let connection) = phase else {
      return finished(.failure(.unreachable(reason: "The client is offline.")))
    }
    guard message.isAcknowledged else {
      // It is on its way, and nobody says whether it arrives.
      connection.after("to broker") { [self] in
        if !broker.refusedTopics.contains(message.topic) {
          broker.route(message, from: clientName)
        }
      }
      return finished(.success(()))
    }
    let number = connection.begin(finished)
    connection.after("to broker") { [self] in
      if broker.overloads > 0 {
        broker.overloads -= 1
        return connection.after("confirmations") {
          connection.finish(number, .failure(.overloaded(reason: "The test broker has no room.")))
        }
      }
      if broker.refusedTopics.contains(message.topic) {
        return connection.after("confirmations") {
          connection.finish(
            number,
            .failure(.refusedTopic(message.topic, reason: "The test broker does not allow it.")))
        }
      }
      broker.route(message, from: clientName)
      connection.after("confirmations") { connection.finish(number, .success(())) }
    }
  }
}
