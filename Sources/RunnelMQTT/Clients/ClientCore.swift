import RunnelNet
import RunnelStreams

/// The connections of an ``MQTTClient``, one after the other, and its session.
///
///     dialing ── a channel ──▶ greeting ── CONNACK ──▶ open ── an end ──▶ resting ──▶ dialing
///        └───────── an error ──────┴──────────────────────────────────────▲
///     close() ends each phase.
final class ClientCore {
  private enum Phase {
    case idle
    case dialing(Disposable)
    /// The broker has not answered the CONNECT.
    case greeting(Link, startedClean: Bool)
    case open(Link)
    case resting
    case closed
  }

  /// One connection.
  final class Link {
    let channel: PacketChannel
    var decoder: PacketDecoder
    var keepAlive: KeepAlive?
    let begin: Duration

    init(_ channel: PacketChannel, _ decoder: PacketDecoder, at begin: Duration) {
      self.channel = channel
      self.decoder = decoder
      self.begin = begin
    }
  }

  let scheduler: any Scheduler
  let name: String
  private let options: MQTTOptions
  private let dialer: BrokerDialer
  private let clientID: String
  private let login: (user: String?, password: String?)
  private var version: MQTTVersion
  private var phase = Phase.idle
  private var session: Session
  private var subscribers = SubscriberTable()
  /// The time limit of connecting, and the delay before the next attempt.
  private let timer: RestartableTimer
  private var delays: Backoff.Delays
  private var delay = Duration.zero
  private var isFirst = true
  /// The time of the loss, until a broker accepts the client again.
  private var lost: Duration?
  private var isPumping = false
  private var pauses = 0
  private let held = HeldSources()
  private var numbers = MQTTCounts()
  /// Called when no message waits, or when the client is closed.
  private var leavers: [() -> Void] = []
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

  // MARK: - Connecting

  /// Begins to connect.
  func dial() {
    let attempt = Disposable()
    phase = .dialing(attempt)
    timer.set(after: options.connectTimeout) { [weak self] in self?.lose(.connectTimedOut) }
    attempt.add(
      dialer.dial().observe(
        succeeded: { [weak self] channel in
          guard let self, case .dialing = phase else { return channel.close() }
          greet(channel)
        }, failed: { [weak self] in self?.lose($0) }))
  }

  private func greet(_ channel: PacketChannel) {
    let link = Link(
      channel, PacketDecoder(from: .broker, version, limit: options.packetSize),
      at: scheduler.now)
    let isGenerated = options.clientID == nil
    var isClean = options.sessionExpiry == .zero || isFirst && (isGenerated || options.startsClean)
    // Nobody could end the session of a random name in this version.
    if version == .v311 && isGenerated { isClean = true }
    let packet = Packet.Connect(
      options, version, clientID: clientID, user: login.user, password: login.password,
      startsClean: isClean)
    phase = .greeting(link, startedClean: isClean)
    channel.begin(
      received: { [weak self, weak link] bytes in
        guard let self, let link else { return }
        receive(bytes, on: link)
      },
      ended: { [weak self] error in self?.lose(error ?? .disconnected(nil, text: nil)) },
      writable: { [weak self] in self?.pump() })
    guard let bytes = Packet.connect(packet).encoded(version), channel.write(bytes) else {
      return lose(.disconnected(nil, text: nil))
    }
  }

  private func isCurrent(_ link: Link) -> Bool {
    switch phase {
    case .greeting(let current, _), .open(let current): current === link
    case .idle, .dialing, .resting, .closed: false
    }
  }

  // MARK: - Receiving

  private func receive(_ bytes: [UInt8], on link: Link) {
    guard isCurrent(link) else { return }
    link.decoder.append(bytes)
    do throws(ProtocolViolation) {
      // A callback may close the connection.
      while isCurrent(link), let packet = try link.decoder.next() {
        try receive(packet, on: link)
      }
    } catch {
      violate(error, on: link)
    }
    pump()
  }

  private func receive(_ packet: Packet, on link: Link) throws(ProtocolViolation) {
    switch (phase, packet) {
    case (.greeting(_, let isClean), .connack(let packet)):
      try accept(packet, on: link, startedClean: isClean)
    case (.greeting, _): throw .protocolError("the first packet is not a CONNACK")
    case (_, .disconnect(let packet)) where version == .v5:
      lose(.disconnected(packet.reason, text: packet.properties[text: .reasonText]))
    default: try session.receive(packet)
    }
  }

  private func accept(
    _ packet: Packet.Connack, on link: Link, startedClean: Bool
  ) throws(ProtocolViolation) {
    if packet.reason.isFailure {
      if packet.reason == .unsupportedProtocolVersion, version == .v5, options.version == nil {
        version = .v311
        tearDown(link)
        return dial()
      }
      return lose(.refused(packet.reason, text: packet.properties[text: .reasonText]))
    }
    if packet.isSessionPresent && startedClean {
      throw .protocolError("the broker has a session that was to be ended")
    }
    timer.cancel()
    isFirst = false
    lost = nil
    numbers.connections += 1
    session.begin(
      BrokerLimits(version, packet.properties), isSessionPresent: packet.isSessionPresent)
    // Before, the version was not known. Others with the same filters go on.
    let refused = version == .v311 ? subscribers.all.filter(\.needsVersion5) : []
    for subscriber in refused {
      for filter in subscribers.remove(subscriber) { session.unsubscribe(filter) }
    }
    subscribers.begin(
      isSessionPresent: packet.isSessionPresent, isConfirmed: session.isConfirmed)
    phase = .open(link)
    let seconds = packet.properties[number: .serverKeepAlive]
    let interval = seconds.map { Duration.seconds($0) } ?? options.keepAlive
    if interval > .zero {
      link.keepAlive = KeepAlive(link.channel, every: interval, on: scheduler) { [weak self] in
        self?.lose(.keepAliveTimedOut, isReset: true)
      }
    }
    let served = subscribers.all
    for subscriber in refused { subscriber.failed(.unsupported(.unsupportedProtocolVersion)) }
    for subscriber in served {
      // A callback may end the connection. The next one begins again.
      guard isCurrent(link) else { return }
      subscriber.begin(unconfirmed: subscriber.filters.filter { !session.isConfirmed($0) })
    }
  }

  // MARK: - Ends of connections

  /// Ends the connection with a reason code, because the broker has violated the protocol.
  private func violate(_ violation: ProtocolViolation, on link: Link) {
    guard isCurrent(link) else { return }
    if case .open = phase, version == .v5 {
      let packet = Packet.disconnect(Packet.Reason(reason: violation.reason))
      if let bytes = packet.encoded(.v5) { link.channel.writeLast(bytes) }
    }
    lose(.brokenProtocol(violation.reason, detail: violation.detail))
  }

  private func tearDown(_ link: Link, isReset: Bool = false) {
    link.keepAlive?.stop()
    if isReset { link.channel.reset() } else { link.channel.close() }
  }

  /// The connection has ended, or could not be made.
  private func lose(_ error: MQTTError, isReset: Bool = false) {
    var ended: Link?
    var attempt: Disposable?
    switch phase {
    case .idle, .resting, .closed: return
    case .dialing(let dialing): attempt = dialing
    case .greeting(let link, _): ended = link
    case .open(let link):
      ended = link
      session.lose()
      // A broker that ends each connection at once is not asked again at once.
      if scheduler.now - link.begin >= max(delay, options.backoff.initial) {
        delays = options.backoff.delays()
      }
    }
    phase = .resting
    delay = delays.next() ?? .zero
    timer.set(after: delay) { [weak self] in self?.redial() }
    attempt?.dispose()
    if let ended { tearDown(ended, isReset: isReset) }
    Log("runnel.mqtt").notice(
      "The connection is lost.", ["broker": name, "error": "\(error)", "delay": "\(delay)"])
    let since = lost ?? scheduler.now
    lost = since
    state.value = .offline(since: since, reason: error)
  }

  private func redial() {
    guard case .resting = phase else { return }
    if state.value != .connecting { state.value = .connecting }
    // An observer of the state may have closed the client.
    guard case .resting = phase else { return }
    dial()
  }

  /// Ends the client.
  func close() {
    let before = exchange(&phase, with: .closed)
    timer.tearDown()
    switch before {
    case .closed: return
    case .idle, .resting: break
    case .dialing(let attempt): attempt.dispose()
    case .greeting(let link, _), .open(let link):
      // Without this packet the broker would publish the last will.
      var packet = Packet.Reason()
      // Nobody can use a session with a random name again.
      if options.clientID == nil && options.sessionExpiry > .zero {
        packet.properties[number: .sessionExpiry] = 0
      }
      if let bytes = Packet.disconnect(packet).encoded(version) { link.channel.writeLast(bytes) }
      tearDown(link)
    }
    session.lose()
    session.failAll(.closed)
    state.value = .closed
    while let event = session.nextEvent() { handle(event) }
    for subscriber in subscribers.all { subscriber.completed() }
    subscribers = SubscriberTable()
    held.resumeAll()
    for leaver in exchange(&leavers, with: []) { leaver() }
  }

  /// Closes the client when no message waits.
  func leave(_ done: @escaping () -> Void) {
    if case .closed = phase { return done() }
    leavers.append(done)
    if session.outgoing.count == 0 { close() }
  }

  // MARK: - Pumping

  /// Handles events, writes packets and delivers messages, until there is nothing to do now.
  ///
  /// A callback that calls this again returns at once: the outer call goes on afterwards.
  private func pump() {
    if isPumping { return }
    isPumping = true
    while true {
      if let event = session.nextEvent() {
        handle(event)
      } else if case .open = phase, session.isSettled, state.value != .online {
        state.value = .online
      } else if let bytes = nextBytes() {
        write(bytes)
      } else if pauses == 0, !isClosed, let message = session.nextMessage() {
        deliver(message)
      } else {
        break
      }
    }
    isPumping = false
    // A source that goes on may publish at once.
    if session.outgoing.bytes <= options.queueBytes / 4 { held.resumeAll() }
    if !leavers.isEmpty && session.outgoing.count == 0 { close() }
  }

  private func nextBytes() -> [UInt8]? {
    guard case .open(let link) = phase, link.channel.isWritable else { return nil }
    return session.nextBytes()
  }

  private func write(_ bytes: [UInt8]) {
    guard case .open(let link) = phase else { return }
    // The state of the session assumes that packets are written. If not, it begins a new connection.
    if !link.channel.write(bytes) { lose(.disconnected(nil, text: nil)) }
  }

  private func handle(_ event: Session.Event) {
    switch event {
    case .finished(let finish, let result):
      if case .failure = result { numbers.refused += 1 } else { numbers.sent += 1 }
      finish(result)
    case .subscription(.confirmed(let filter, _)):
      for subscriber in subscribers[filter] { subscriber.confirmed(filter) }
    case .subscription(.refused(let filter, _, let error)):
      for subscriber in subscribers[filter] {
        remove(subscriber)
        subscriber.failed(error)
      }
    }
  }

  private func deliver(_ incoming: Incoming) {
    let receivers = subscribers.receivers(of: incoming)
    if receivers.isEmpty { numbers.unmatched += 1 } else { numbers.received += 1 }
    Delivery.from(self) {
      for receiver in receivers { receiver.deliver(incoming.message) }
    }
    session.confirm(incoming)
  }

  // MARK: - The program

  var isClosed: Bool { if case .closed = phase { true } else { false } }

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
    if isClosed { throw .closed }
    try message.check()
    let number = try session.publish(message, finish)
    if session.outgoing.bytes > options.queueBytes / 2, let source = Delivery.source {
      held.hold(source)
    }
    pump()
    return number
  }

  func cancel(_ number: UInt64) {
    session.cancel(number)
    pump()
  }

  /// Forgets all messages that are not confirmed. Their closures are not called.
  func forgetMessages() { session.forgetMessages() }

  func add(_ subscriber: Subscriber) {
    if version == .v311 && subscriber.needsVersion5 {
      return subscriber.failed(.unsupported(.unsupportedProtocolVersion))
    }
    var unconfirmed: [ExactText] = []
    for subscription in subscriber.subscriptions {
      let filter = ExactText(subscription.filter)
      if let wanted = subscribers.add(subscriber, subscription) {
        subscribers.note(session.subscribe(wanted), of: filter, for: subscriber)
      }
      if !session.isConfirmed(filter) { unconfirmed.append(filter) }
    }
    if case .open = phase {
      subscriber.begin(unconfirmed: unconfirmed)
    } else {
      subscriber.await(unconfirmed)
    }
    pump()
  }

  func remove(_ subscriber: Subscriber) {
    let unused = subscribers.remove(subscriber)
    // The subscriptions of a client that ends stay in its session.
    if isClosed { return }
    for filter in unused { session.unsubscribe(filter) }
    pump()
  }
}

extension ClientCore: PausableSource {
  func pause() { pauses += 1 }

  func resume() {
    pauses -= 1
    if pauses == 0 { pump() }
  }
}
