import RunnelNet
import RunnelStreams

/// The session of an ``MQTTClient``, and its connections, one after the other.
///
///     dialing ── a channel ──▶ greeting ── CONNACK ──▶ open ── an end ──▶ waiting ──▶ dialing
///        └───────── an error ──────┴──────────────────────────────────────▲
///     close() ends each phase.
final class ClientCore {
  enum Phase {
    case idle
    case dialing(Disposable)
    /// The broker has not answered the CONNECT.
    case greeting(BrokerConnection, startedClean: Bool)
    case open(BrokerConnection)
    /// Waits before the next attempt.
    case waiting
    case closed
  }

  let scheduler: any Scheduler
  let name: String
  let options: MQTTOptions
  let dialer: BrokerDialer
  let clientID: String
  let login: (user: String?, password: String?)
  /// The version of the present attempt or connection.
  var version: MQTTVersion
  var phase = Phase.idle
  var session: Session
  /// The time limit of connecting, the delay before the next attempt, and the time limit of a connection that
  /// cannot be written.
  let timer: RestartableTimer
  var delays: Backoff.Delays
  var delay = Duration.zero
  /// The time of the loss, until a broker accepts the client again.
  var lost: Duration?
  var numbers = MQTTCounts()
  private var isPumping = false
  private var pauses = 0
  let held = HeldSources()
  /// Called when no message waits, or when the client is closed.
  var leaveCallbacks: [() -> Void] = []
  let state: Property<MQTTClient.State>

  init(
    _ url: String, _ options: MQTTOptions, lastPacketID: UInt16, on network: some Network
  ) throws(MQTTError) {
    try options.check()
    let address = try BrokerAddress(url)
    dialer = try BrokerDialer(address, options, on: network)
    scheduler = network.functions.system.scheduler
    name = address.name
    self.options = options
    clientID = options.clientID ?? "runnel-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    login = (options.user ?? address.user, options.password ?? address.password)
    try MQTTMessage.check(texts: [login.user, login.password].compactMap { $0 })
    version = options.version ?? .v5
    session = Session(
      Session.Settings(
        receiveMaximum: options.receiveMaximum, topicAliasMaximum: MQTTOptions.topicAliases,
        inFlight: options.inFlight, queueBytes: options.queueBytes),
      lastPacketID: lastPacketID)
    timer = RestartableTimer(on: scheduler)
    delays = options.backoff.delays()
    state = Property(.connecting)
  }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  // MARK: - Ending

  /// Ends the client. The broker publishes the last will if that is wanted.
  func close(publishesWill: Bool = false) {
    let before = exchange(&phase, with: .closed)
    timer.tearDown()
    switch before {
    case .closed: return
    case .idle, .waiting: break
    case .dialing(let attempt): attempt.dispose()
    case .greeting(let connection, _), .open(let connection):
      // Without this packet the broker publishes the last will.
      var packet = Packet.ReasonBody(reason: publishesWill ? .disconnectWithWill : .success)
      // Nobody can use a session with a random name again.
      if options.clientID == nil && options.sessionExpiry > .zero {
        packet.properties[number: .sessionExpiry] = 0
      }
      let isAbrupt = publishesWill && version == .v311
      if !isAbrupt, let bytes = Packet.disconnect(packet).encoded(version) {
        connection.channel.writeLast(bytes)
      }
      connection.close()
    }
    session.lose()
    session.failAll(.closed)
    state.value = .closed
    while let event = session.nextEvent() { handle(event) }
    let subscribers = session.subscribers
    session.forgetSubscribers()
    for subscriber in subscribers { subscriber.completed() }
    held.resumeAll()
    for callback in exchange(&leaveCallbacks, with: []) { callback() }
  }

  /// Closes the client when no message waits.
  func leave(_ done: @escaping () -> Void) {
    if isClosed { return done() }
    leaveCallbacks.append(done)
    pump()
  }

  // MARK: - Pumping

  /// Handles events, writes packets and delivers messages, until there is nothing to do now.
  ///
  /// A callback that calls this again returns at once: the outer call goes on afterwards.
  func pump() {
    if isPumping { return }
    isPumping = true
    while true {
      if let event = session.nextEvent() {
        handle(event)
      } else if case .open = phase, session.isSettled, state.value != .online {
        state.value = .online
      } else if let (bytes, connection) = nextBytes() {
        write(bytes, to: connection)
      } else if pauses == 0, !isClosed, let message = session.nextMessage() {
        deliver(message)
      } else {
        break
      }
    }
    isPumping = false
    // A source that goes on may publish at once.
    if session.outgoing.bytes <= options.queueBytes / 4 { held.resumeAll() }
    if !leaveCallbacks.isEmpty && session.isIdle { close() }
  }

  private func nextBytes() -> ([UInt8], BrokerConnection)? {
    guard case .open(let connection) = phase, connection.canWrite, connection.channel.isWritable
    else { return nil }
    return session.nextBytes(at: scheduler.now).map { ($0, connection) }
  }

  /// The time for what the broker has sent before it stopped reading.
  private static let lastWords = Duration.seconds(1)

  private func write(_ bytes: [UInt8], to connection: BrokerConnection) {
    if connection.channel.write(bytes) { return session.didWrite() }
    guard isCurrent(connection) else { return }
    // The state of the session assumes that packets are written. If not, it begins a new connection.
    connection.canWrite = false
    timer.set(after: Self.lastWords) { [weak self, weak connection] in
      guard let self, let connection, isCurrent(connection) else { return }
      lose(connection.channel.failure)
    }
  }

  private func handle(_ event: Session.Event) {
    switch event {
    case .finished(let finish, let result):
      if case .failure = result { numbers.refused += 1 } else { numbers.sent += 1 }
      finish(result)
    case .subscription(.confirmed(let filter, let weakened)):
      if let weakened { noteWeakened(filter, weakened) }
      for subscriber in session.subscribers(of: filter) { subscriber.confirmed(filter) }
    case .subscription(.refused(let subscribers, let error)):
      for subscriber in subscribers { subscriber.failed(error) }
    case .subscription(.remains(let filter, let reason)):
      Log("runnel.mqtt").warning(
        "The broker does not end a subscription.",
        ["broker": name, "filter": filter.text, "reason": reason.words])
    }
  }

  private func noteWeakened(_ filter: ExactText, _ qos: MQTTQoS) {
    numbers.weakened += 1
    Log("runnel.mqtt").warning(
      "The broker grants a subscription with a weaker guarantee.",
      ["broker": name, "filter": filter.text, "granted": "\(qos)"])
  }

  private func deliver(_ incoming: Incoming) {
    let receivers = session.receivers(of: incoming)
    if receivers.isEmpty { numbers.unmatched += 1 } else { numbers.received += 1 }
    Delivery.from(self) {
      for receiver in receivers { receiver.deliver(incoming.message) }
    }
    session.confirm(incoming)
  }

  // MARK: - The program

  var counts: MQTTCounts {
    var counts = numbers
    counts.waiting = session.outgoing.count
    counts.dropped = session.droppedCount
    return counts
  }

  /// Adds a message. Returns the number by which it can be cancelled.
  func publish(
    _ message: MQTTMessage, _ finish: @escaping Outgoing.Finish
  ) throws(MQTTError) -> UInt64 {
    // A program that leaves would not end if others went on to publish.
    if isClosed || !leaveCallbacks.isEmpty { throw .closed }
    try message.check()
    let number = try session.publish(message, at: scheduler.now, finish)
    if session.outgoing.bytes > options.queueBytes / 2, let source = Delivery.source {
      held.hold(source)
    }
    pump()
    return number
  }

  /// Forgets all messages that are not confirmed. Their closures are not called.
  func forgetMessages() { session.forgetMessages() }

  func cancel(_ number: UInt64) {
    session.cancel(number)
    pump()
  }

  func add(_ subscriber: Subscriber) {
    if version == .v311 && subscriber.needsVersion5 {
      return subscriber.failed(.unsupported(.unsupportedProtocolVersion))
    }
    session.add(subscriber)
    let unconfirmed = subscriber.filters.filter { !session.isConfirmed($0) }
    if case .open = phase {
      subscriber.begin(unconfirmed: unconfirmed)
    } else {
      subscriber.await(unconfirmed)
    }
    pump()
  }

  func remove(_ subscriber: Subscriber) {
    // The subscriptions of a client that ends stay in its session.
    if isClosed { return }
    session.remove(subscriber)
    pump()
  }
}

extension ClientCore: PausableSource {
  /// True while consumers are behind.
  var isPaused: Bool { pauses > 0 }

  func pause() { pauses += 1 }

  func resume() {
    pauses -= 1
    if pauses == 0 { pump() }
  }
}
