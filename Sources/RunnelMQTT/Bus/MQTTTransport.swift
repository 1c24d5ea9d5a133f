import RunnelBus
import RunnelNet
import RunnelStreams
import RunnelTLS

/// A broker of MQTT as a transport between buses, with all capabilities.
///
///     let broker = try MQTTTransport("mqtt://localhost", group: "shop", on: loop)
///     try bus.join(
///       broker, prefix: "shop", exporting: ["orders.#"], importing: ["orders.#", "stock.*"])
///
/// Each dot of a topic becomes a slash, and `*` becomes `+`. A name with `/`, `+`, or another part that MQTT
/// would understand in another way is refused. Sticky events are retained messages, acknowledged events have
/// ``MQTTQoS/atLeastOnce``, and the stamp of an event is in the user property `runnel`.
///
/// With MQTT 3.1.1, which has no properties, the payload of a message begins with a line for Runnel.
/// All programs of a broker then have to speak this version.
///
/// It connects while a link uses it. Requests and answers have a connection of their own from the first one
/// on, so that they do not wait for the consumers of events. The broker ends the session of this connection with
/// it, so it sends no request to a program that is gone.
///
/// All links of a transport share the connection for events. While the consumers of one link are behind, the
/// messages of all its links wait. A link with slow consumers has a transport of its own.
public final class MQTTTransport {
  /// The URL of the broker without the login and the query.
  public let name: String
  /// The name of this program for others: ``MQTTOptions/clientID``, or else a random one.
  public let peerName: String
  /// The clock of the network.
  public let scheduler: any Scheduler
  private let makeClient: (MQTTOptions) throws(MQTTError) -> MQTTClient
  private let options: MQTTOptions
  private var userCount = 0
  /// The client, from the first ``connect()`` to the end of the last.
  private var client: MQTTClient?
  private var observation = Disposable.none
  private let linkState: Property<LinkState>
  private var subscriptions: [TransportSubscription] = []
  private let fence: MessageFence
  private let presence: PeerPresence
  private let requests: RequestExchange
  /// The calls that wait for the client, by the number of their message.
  private var unfinished: [UInt64: (Result<Void, TransportError>) -> Void] = [:]
  private var lastNumber: UInt64 = 0

  /// Creates a transport. It connects when a bus joins it.
  ///
  /// - Parameters:
  ///   - url: The URL of the broker, as for an ``MQTTClient``.
  ///   - options: The settings of the client. The last will belongs to the transport.
  ///   - group: The programs with the same group are the ``peers``. Systems that share a broker have
  ///   different groups.
  public init(
    _ url: String, options: MQTTOptions = MQTTOptions(), group: String = "",
    on network: some Network
  ) throws(MQTTError) {
    let random = String(UInt64.random(in: .min ... .max), radix: 36)
    peerName = options.clientID ?? random
    scheduler = network.functions.system.scheduler
    if options.will != nil {
      throw .invalidOption("The last will announces the end of the program. Set no other one.")
    }
    for text in [peerName, group] where text.utf8.contains(where: { "/+#".utf8.contains($0) }) {
      throw .invalidOption("\"\(text)\" contains /, + or #. Choose another clientID or group.")
    }
    presence = PeerPresence(group: group, name: peerName)
    var options = options
    options.will = presence.will
    try options.check()
    try MQTTMessage.check(texts: [group])
    let address = try BrokerAddress(url)
    // The certificates of the system are read once.
    if address.isSecure && options.tls == nil {
      do throws(TLSError) {
        options.tls = try TLSClientContext()
      } catch {
        throw .security("\(error)")
      }
    }
    _ = try BrokerDialer(address, options, on: network)
    name = address.name
    self.options = options
    let make = { (options: MQTTOptions) throws(MQTTError) in
      try MQTTClient(url, options: options, on: network)
    }
    makeClient = make
    linkState = Property(
      .offline(since: scheduler.now, reason: .unreachable(reason: "No link uses the transport.")))
    fence = MessageFence(topic: "runnel//fence/\(random)", scheduler)
    requests = RequestExchange(answerTopic: "runnel//answers/\(random)") { () throws(MQTTError) in
      var own = options
      own.will = nil
      own.sessionExpiry = .zero
      own.clientID = options.clientID.map { "\($0).requests" }
      return try make(own)
    }
  }

  // MARK: - States

  private func begin() {
    let client: MQTTClient
    do throws(MQTTError) {
      client = try makeClient(options)
    } catch {
      linkState.value = .offline(since: scheduler.now, reason: TransportError(error))
      return
    }
    self.client = client
    fence.begin(at: client)
    presence.begin(at: client)
    for subscription in subscriptions { subscription.begin(at: client, fence) }
    observation = client.state.observeNext { [weak self, weak client] state in
      if let self, let client, client === self.client { follow(state, of: client) }
    }
    requests.open()
  }

  private func end() {
    guard let client = exchange(&client, with: nil) else { return }
    observation.dispose()
    fence.end()
    client.core.close(publishesWill: true)
    for subscription in subscriptions { subscription.end() }
    requests.close()
    failAll(.closed)
    presence.end()
    // At last, because an observer of the state may join again.
    linkState.value = .offline(since: scheduler.now, reason: .closed)
  }

  private func follow(_ state: MQTTClient.State, of client: MQTTClient) {
    switch state {
    case .connecting: linkState.value = .connecting
    case .online:
      presence.announce(by: client)
      requests.onFirstAttempt { [weak self, weak client] in
        guard let self, let client, client === self.client, client.state.value == .online else {
          return
        }
        linkState.value = .online
        for subscription in subscriptions where isOnline { subscription.announce() }
      }
    case .offline(let since, let error):
      let reason = TransportError(error)
      fence.lose()
      for subscription in subscriptions { subscription.lose(at: client, fence) }
      // The links send them again.
      client.core.forgetMessages()
      linkState.value = .offline(since: since, reason: reason)
      presence.lose(at: client)
      failAll(.unreachable(reason: "\(error)"))
    case .closed: break
    }
  }

  private var isOnline: Bool { linkState.value == .online }

  // MARK: - Sending

  private func finish(_ number: UInt64, _ result: Result<MQTTReceipt, MQTTError>) {
    guard let finished = unfinished.removeValue(forKey: number) else { return }
    switch result {
    case .success: finished(.success(()))
    case .failure(let error): finished(.failure(TransportError(error)))
    }
  }

  private func failAll(_ error: TransportError) {
    for (_, finished) in exchange(&unfinished, with: [:]).sorted(by: { $0.key < $1.key }) {
      finished(.failure(error))
    }
  }
}

extension MQTTTransport: RetainingTransport, AcknowledgingTransport {
  /// The state of the connection for events.
  public var state: ReadOnlyProperty<LinkState> { linkState.readOnly }

  /// Refuses topics that MQTT would understand in another way.
  public func check(topic: String) throws(TransportError) {
    if let problem = TopicMapping.problem(ofTopic: topic) {
      throw .unmappable(topic, reason: problem)
    }
  }

  /// Refuses patterns that MQTT would understand in another way.
  public func check(pattern: String) throws(TransportError) {
    if let problem = TopicMapping.problem(ofPattern: pattern) {
      throw .unmappable(pattern, reason: problem)
    }
  }

  /// Connects to the broker, until the results of all calls are disposed. Other programs see at once that this
  /// one has left then.
  public func connect() -> Disposable {
    userCount += 1
    if userCount == 1 { begin() }
    return Disposable { [self] in
      userCount -= 1
      if userCount == 0 { end() }
    }
  }

  /// Subscribes to patterns.
  ///
  /// A message of a program without Runnel is sticky if the broker retains it, and a removal if it is
  /// empty, too.
  /// With MQTT 3.1.1, this is only known of messages that the broker had before the subscription.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: RunnelBus.TransportReceiver
  ) -> Disposable {
    let subscription = TransportSubscription(patterns, receiver) { [weak self] in
      self?.isOnline == true
    }
    subscriptions.append(subscription)
    if let client { subscription.begin(at: client, fence) }
    return Disposable { [self] in
      subscriptions.removeAll { $0 === subscription }
      subscription.end()
    }
  }

  /// Sends a message to the broker.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    guard isOnline, let core = client?.core else {
      return finished(.failure(.unreachable(reason: "The transport is offline.")))
    }
    lastNumber += 1
    let number = lastNumber
    unfinished[number] = finished
    do throws(MQTTError) {
      let messages = message.wireMessages(core.version)
      for first in messages.dropLast() { _ = try core.publish(first) { _ in } }
      guard let last = messages.last else { return }
      _ = try core.publish(last) { [weak self] in self?.finish(number, $0) }
    } catch {
      finish(number, .failure(error))
    }
  }
}

extension MQTTTransport: AskingTransport, PresenceTransport {
  /// The names of the other programs of the group that are online, sorted.
  ///
  /// A program that loses its connection leaves when the broker notices it, and at once if it ends.
  public var peers: ReadOnlyProperty<[String]> { presence.peers }

  /// Sends a request to one program that answers on the topic. See `AskingTransport.ask(_:on:)`.
  ///
  /// *Events*: fails with `AskFailure.nobodyAnswers` as soon as the broker says that nobody has
  /// subscribed to the topic. Brokers of MQTT 3.1.1 do not say it.
  public func ask(_ payload: [UInt8], on topic: String) -> Single<[UInt8], AskFailure> {
    Single { [self] finish in
      guard isOnline else {
        finish(.failure(.failed(TransportError.unreachable(reason: "The transport is offline."))))
        return .none
      }
      return requests.ask(payload, on: TopicMapping.topic(topic), finish)
    }
  }

  /// Answers the requests on a topic, until the result is disposed.
  ///
  /// Of several programs the broker chooses one for each request, if it has shared subscriptions. Otherwise all
  /// answer, and the first answer counts.
  public func answer(
    on topic: String, with body: @escaping (_ payload: [UInt8]) -> Single<[UInt8], AskFailure>
  ) -> Disposable {
    requests.answer(on: TopicMapping.topic(topic), with: body)
  }
}
