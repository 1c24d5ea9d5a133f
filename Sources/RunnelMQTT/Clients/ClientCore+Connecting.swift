import RunnelNet
import RunnelStreams

/// The phases of a client.
extension ClientCore {
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
    let connection = BrokerConnection(
      channel, PacketDecoder(from: .broker, version, limit: options.packetSize),
      at: scheduler.now)
    let isGenerated = options.clientID == nil
    let isFirst = numbers.connections == 0
    var isClean = options.sessionExpiry == .zero || isFirst && (isGenerated || options.startsClean)
    // Nobody could end the session of a random name in this version.
    if version == .v311 && isGenerated { isClean = true }
    let packet = Packet.Connect(
      options, version, clientID: clientID, user: login.user, password: login.password,
      startsClean: isClean)
    phase = .greeting(connection, startedClean: isClean)
    channel.begin(
      received: { [weak self, weak connection] bytes in
        guard let self, let connection else { return }
        receive(bytes, on: connection)
      },
      ended: { [weak self] error in self?.lose(error ?? .endedWithoutReason) },
      writable: { [weak self] in self?.pump() })
    guard let bytes = Packet.connect(packet).encoded(version), channel.write(bytes) else {
      return lose(channel.failure)
    }
  }

  /// True if a connection is the present one.
  func isCurrent(_ connection: BrokerConnection) -> Bool {
    switch phase {
    case .greeting(let current, _), .open(let current): current === connection
    case .idle, .dialing, .waiting, .closed: false
    }
  }

  /// Tries MQTT 3.1.1 on a new connection.
  private func fallBack(from connection: BrokerConnection) {
    // A part of the options would be dropped.
    if options.needsVersion5 { return lose(.unsupported(.unsupportedProtocolVersion)) }
    connection.close()
    version = .v311
    dial()
  }

  private var mayFallBack: Bool { version == .v5 && options.version == nil }

  // MARK: - Receiving

  private func receive(_ bytes: [UInt8], on connection: BrokerConnection) {
    guard isCurrent(connection) else { return }
    connection.decoder.append(bytes)
    do throws(ProtocolViolation) {
      // A callback may close the connection.
      while isCurrent(connection), let packet = try connection.decoder.next() {
        try receive(packet, on: connection)
      }
    } catch {
      violate(error, on: connection)
    }
    pump()
  }

  private func receive(
    _ packet: Packet, on connection: BrokerConnection
  ) throws(ProtocolViolation) {
    switch (phase, packet) {
    case (.greeting(_, let isClean), .connack(let packet)):
      try accept(packet, on: connection, startedClean: isClean)
    case (.greeting, _): throw .protocolError("the first packet is not a CONNACK")
    case (_, .disconnect(let packet)) where version == .v5:
      lose(.disconnected(packet.reason, text: packet.properties[text: .reasonText]))
    default: try session.receive(packet)
    }
  }

  private func accept(
    _ packet: Packet.Connack, on connection: BrokerConnection, startedClean: Bool
  ) throws(ProtocolViolation) {
    if packet.reason.isFailure {
      if packet.reason == .unsupportedProtocolVersion && mayFallBack {
        return fallBack(from: connection)
      }
      return lose(.refused(packet.reason, text: packet.properties[text: .reasonText]))
    }
    if packet.isSessionPresent && startedClean {
      throw .protocolError("the broker has a session that was to be ended")
    }
    if packet.properties[text: .authenticationMethod] != nil
      || packet.properties[text: .responseInformation] != nil
    {
      throw .protocolError("the broker sends what the client has not asked for")
    }
    timer.cancel()
    lost = nil
    numbers.connections += 1
    session.begin(
      BrokerLimits(version, packet.properties), isSessionPresent: packet.isSessionPresent)
    // Before, the version was not known. Others with the same filters go on.
    let refused = version == .v311 ? session.subscribers.filter(\.needsVersion5) : []
    for subscriber in refused { session.remove(subscriber) }
    phase = .open(connection)
    let seconds = packet.properties[number: .serverKeepAlive]
    let interval = seconds.map { Duration.seconds($0) } ?? options.keepAlive
    if interval > .zero {
      connection.keepAlive = KeepAlive(connection.channel, every: interval, on: scheduler) {
        [weak self] in self?.lose(.keepAliveTimedOut, isReset: true)
      }
    }
    let served = session.subscribers
    for subscriber in refused { subscriber.failed(.unsupported(.unsupportedProtocolVersion)) }
    for subscriber in served {
      // A callback may end the connection. The next one begins again.
      guard isCurrent(connection) else { return }
      subscriber.begin(unconfirmed: subscriber.filters.filter { !session.isConfirmed($0) })
    }
  }

  // MARK: - Ends of connections

  /// Ends the connection with a reason code, because the broker has violated the protocol.
  private func violate(_ violation: ProtocolViolation, on connection: BrokerConnection) {
    guard isCurrent(connection) else { return }
    switch phase {
    case .greeting where mayFallBack && violation.reason == .malformedPacket:
      // A broker that does not know MQTT 5 may answer in its own version.
      return fallBack(from: connection)
    case .open where version == .v5:
      let packet = Packet.disconnect(Packet.ReasonBody(reason: violation.reason))
      if let bytes = packet.encoded(.v5) { connection.channel.writeLast(bytes) }
    default: break
    }
    lose(.brokenProtocol(violation.reason, detail: violation.detail))
  }

  /// The connection has ended, or could not be made.
  func lose(_ error: MQTTError, isReset: Bool = false) {
    var ended: BrokerConnection?
    var attempt: Disposable?
    switch phase {
    case .idle, .waiting, .closed: return
    case .dialing(let dialing): attempt = dialing
    case .greeting(let connection, _): ended = connection
    case .open(let connection):
      ended = connection
      session.lose()
      // A broker that ends each connection at once is not asked again at once.
      if scheduler.now - connection.begin >= max(delay, options.backoff.initial) {
        delays = options.backoff.delays()
      }
    }
    phase = .waiting
    delay = delays.next() ?? .zero
    // Only a change at the broker helps, and many attempts may lock a login.
    let pause = error.isLasting ? max(delay, options.backoff.maximum) : delay
    timer.set(after: pause) { [weak self] in self?.redial() }
    attempt?.dispose()
    ended?.close(isReset: isReset)
    Log("runnel.mqtt").notice(
      "The connection is lost.", ["broker": name, "error": "\(error)", "delay": "\(pause)"])
    let since = lost ?? scheduler.now
    lost = since
    state.value = .offline(since: since, reason: error)
    // Without a connection, less has to be done before the client can leave.
    pump()
  }

  private func redial() {
    guard case .waiting = phase else { return }
    // The broker may have learnt a newer version meanwhile.
    version = options.version ?? .v5
    if state.value != .connecting { state.value = .connecting }
    // An observer of the state may have closed the client.
    guard case .waiting = phase else { return }
    dial()
  }
}
