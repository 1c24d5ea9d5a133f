import RunnelBus
import RunnelStreams

/// A subscription of a link, on one client after the other.
final class TransportSubscription {
  private enum Phase {
    /// The broker has not confirmed all patterns on this connection, or has retained messages to send.
    case waiting
    /// The patterns are confirmed. The link learns it when the transport is online.
    case confirmed(isAnnounced: Bool)
  }

  private let patterns: [TransportPattern]
  private let receiver: TransportReceiver
  private let isOnline: () -> Bool
  private var phase = Phase.waiting
  /// The observation of the receiver, for the present client.
  private var pausing = Disposable.none
  /// The observation of messages of the present client.
  private var messages = Disposable.none

  init(
    _ patterns: [TransportPattern], _ receiver: TransportReceiver,
    isOnline: @escaping () -> Bool
  ) {
    self.patterns = patterns
    self.receiver = receiver
    self.isOnline = isOnline
  }

  /// Subscribes at a client.
  func begin(at client: MQTTClient, _ fence: MessageFence) {
    end()
    pausing = Disposable()
    subscribe(at: client, fence)
    pauseWithReceiver(client.core)
  }

  private func subscribe(at client: MQTTClient, _ fence: MessageFence) {
    subscribe(at: client, fence, seesRetained: client.core.version == .v5)
  }

  /// With `seesRetained`, the broker also marks messages that are retained from now on. Only MQTT 5 can do that.
  private func subscribe(at client: MQTTClient, _ fence: MessageFence, seesRetained: Bool) {
    let filters = patterns.map { pattern in
      var subscription = MQTTSubscription(
        TopicMapping.filter(pattern.pattern),
        qos: pattern.isAcknowledged ? .atLeastOnce : .atMostOnce)
      subscription.keepsRetainedFlag = seesRetained
      return subscription
    }
    let core = client.core
    let messages = Disposable()
    self.messages = messages
    // The failure may come at once, and begins another subscription.
    let observation = client.subscribe(
      to: filters,
      confirmed: { [weak self] in
        if seesRetained { fence.pass { self?.confirm() } } else { self?.confirm() }
      }
    ).observe(
      next: { [weak self, weak core, weak fence] message in
        guard let self, let core, let fence else { return }
        receive(message, core.session.incomingVersion, marksNew: seesRetained && fence.isReliable)
      },
      failed: { [weak self] error in
        guard let self else { return }
        if seesRetained && error == .unsupported(.unsupportedProtocolVersion) {
          subscribe(at: client, fence, seesRetained: false)
        } else {
          receiver.failed(TransportError(error))
        }
      })
    messages.add(observation)
  }

  /// Stops the messages of the client while the consumers of the receiver are behind.
  private func pauseWithReceiver(_ core: ClientCore) {
    var isPausing = false
    let observation = receiver.isPaused.observeNext { isPaused in
      if isPaused == isPausing { return }
      isPausing = isPaused
      if isPaused { core.pause() } else { core.resume() }
    }
    pausing.add(observation)
    pausing.add { if exchange(&isPausing, with: false) { core.resume() } }
  }

  /// The connection is lost. Subscribes again, also in a session that the broker keeps: otherwise the broker would
  /// not send the retained messages that change meanwhile, because it queues no messages with QoS 0.
  func lose(at client: MQTTClient, _ fence: MessageFence) {
    phase = .waiting
    let old = messages
    subscribe(at: client, fence)
    old.dispose()
  }

  /// Ends the subscription at the client.
  func end() {
    messages.dispose()
    pausing.dispose()
    phase = .waiting
  }

  private func confirm() {
    if pausing.isDisposed { return }
    phase = .confirmed(isAnnounced: false)
    announce()
  }

  /// Tells the link that the patterns are confirmed, if they are, and the transport is online.
  func announce() {
    guard case .confirmed(isAnnounced: false) = phase, isOnline() else { return }
    phase = .confirmed(isAnnounced: true)
    receiver.confirmed()
  }

  private func receive(_ message: MQTTMessage, _ version: MQTTVersion, marksNew: Bool) {
    guard var arrival = TransportMessage(message, version) else { return }
    let isConfirmed = if case .confirmed = phase { true } else { false }
    arrival.isStored = message.isRetained && !(marksNew && isConfirmed)
    receiver.receive(arrival)
  }
}
