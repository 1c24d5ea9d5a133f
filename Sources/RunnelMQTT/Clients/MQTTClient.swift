import RunnelLoop
import RunnelNet
import RunnelStreams

/// A client of a broker, which speaks MQTT 5, or MQTT 3.1.1 if the broker does not speak MQTT 5.
///
///     let client = try MQTTClient("mqtt://localhost", on: loop)
///     client.subscribe(to: "lights/#").observe(next: { show($0.topic, $0.text) })
///     client.publish(MQTTMessage("lights/kitchen", text: "on")).observe(failed: { show($0) })
///
/// It connects when it is created, and again after each loss, with growing delays. Messages and
/// subscriptions wait meanwhile. After a new connection, messages that the broker has not confirmed are
/// sent again, and subscriptions are made again if the broker has lost them.
///
/// *Events*: messages leave in the order in which they are published, and arrive in the order in which the
/// broker sends them. A message is confirmed to the broker when the callbacks of all observers have
/// returned. Asynchronous consumers, such as loops over `values`, have it in a buffer then. While an observer
/// is behind, the broker has to wait, or messages without confirmation are dropped and counted.
///
/// *Disposal*: ``close()`` and the release of the client end everything. Both are allowed inside
/// callbacks. Observations of `subscribe(to:confirmed:)` retain the client. Unfinished messages do not:
/// they fail with ``MQTTError/closed``.
public final class MQTTClient {
  /// The state of a client.
  public enum State: Hashable, Sendable {
    /// The connection is being made, or the broker has not confirmed all subscriptions.
    case connecting
    /// The broker has accepted the connection, and confirmed all subscriptions.
    case online
    /// There is no connection since a time of the scheduler. The client tries again.
    case offline(since: Duration, reason: MQTTError)
    /// The client was closed.
    case closed
  }

  let core: ClientCore
  private let home: (any ExecutionContext)?

  /// Begins to connect to a broker.
  ///
  /// The URL is `mqtt://host`, `mqtts://host` (TLS), `ws://host/path` or `wss://host/path` (WebSocket), or
  /// `mqtt+unix:/path`. A host can have a port, and `user:password@` before it. For TLS without
  /// ``MQTTOptions/tls`` it blocks while it reads the certificates of the system.
  public convenience init(
    _ url: String, options: MQTTOptions = MQTTOptions(), on network: some Network
  ) throws(MQTTError) {
    try self.init(url, options, lastPacketID: .random(in: 0 ... .max), on: network)
  }

  init(
    _ url: String, _ options: MQTTOptions, lastPacketID: UInt16, on network: some Network
  ) throws(MQTTError) {
    home = network as? any ExecutionContext
    (home as? EventLoop)?.mustBeCurrent("creating an MQTTClient")
    core = try ClientCore(url, options, lastPacketID: lastPacketID, on: network)
    core.dial()
  }

  deinit {
    if let home { home.close(core) { $0.close() } } else { core.close() }
  }

  private func checkLoop() {
    (home as? EventLoop)?.mustBeCurrent("using an MQTTClient")
  }

  /// The URL of the broker without the login and the query.
  public var name: String { core.name }

  /// The state of the client.
  public var state: ReadOnlyProperty<State> { core.state.readOnly }

  /// The numbers of messages so far.
  public var counts: MQTTCounts { core.counts }

  // MARK: - Publishing

  /// Returns an operation that publishes a message.
  ///
  ///     if let receipt = try await client.publish(message).value() { show(receipt) }
  ///
  /// *Events*: succeeds when the message is written, or, if its QoS asks for a confirmation, when
  /// the broker has confirmed it. Fails if the topic or another part is not valid, if
  /// ``MQTTOptions/queueBytes`` wait already, if the message expires before it is sent, and if the broker
  /// refuses it. A lost connection is no failure: the message is sent again.
  ///
  /// *Disposal*: a message that was not sent yet is not sent. One that was sent stays so.
  public func publish(_ message: MQTTMessage) -> Single<MQTTReceipt, MQTTError> {
    Single { [self] finish in
      checkLoop()
      do throws(MQTTError) {
        let number = try core.publish(message, finish)
        return Disposable { [weak core] in core?.cancel(number) }
      } catch {
        finish(.failure(error))
        return .none
      }
    }
  }

  /// Publishes a message without waiting for the end. If the broker refuses it, that is logged and counted.
  ///
  /// While more than half of ``MQTTOptions/queueBytes`` wait, a source that can pause, such as a connection,
  /// is paused if it calls this.
  public func send(_ message: MQTTMessage) throws(MQTTError) {
    checkLoop()
    let (topic, name) = (message.topic, name)
    _ = try core.publish(message) { result in
      guard case .failure(let error) = result, error != .closed else { return }
      Log("runnel.mqtt").warning(
        "A message is not sent.", ["broker": name, "topic": topic, "error": "\(error)"])
    }
  }

  // MARK: - Subscribing

  /// The messages that match one of several filters, each once.
  ///
  ///     client.subscribe(to: "sensors/+/temperature", "alarms/#").observe(next: { show($0.text) })
  ///
  /// *Events*: begins with retained messages, if the broker has any. Fails if a filter is not valid or the
  /// broker refuses it. Completes when the client is closed. A lost connection is no failure.
  /// `confirmed` is called each time the broker has confirmed all filters: at first, and on each new
  /// connection. A broker without subscription identifiers, such as one of MQTT 3.1.1, may send a message
  /// that matches several filters several times.
  ///
  /// Subscriptions of one client to the same filter are one at the broker, with the strongest options. If the
  /// broker grants a weaker guarantee than the one asked for, that is logged and counted.
  ///
  /// A message that matches no observation is confirmed and dropped. A program with a session of an earlier run
  /// therefore subscribes in the turn in which it creates the client.
  ///
  /// *Disposal*: ends the subscription at the broker if no other observation has the filter. If there is
  /// no connection, that is done on the next one. ``close()`` does not end subscriptions: the session keeps
  /// them.
  public func subscribe(
    to subscriptions: MQTTSubscription..., confirmed: @escaping () -> Void = {}
  ) -> EventStream<MQTTMessage, MQTTError> {
    subscribe(to: subscriptions, confirmed: confirmed)
  }

  /// The messages that match one of several filters. See `subscribe(to:confirmed:)`.
  public func subscribe(
    to subscriptions: [MQTTSubscription], confirmed: @escaping () -> Void = {}
  ) -> EventStream<MQTTMessage, MQTTError> {
    EventStream { [self] observer in
      checkLoop()
      do throws(MQTTError) {
        if core.isClosed { throw .closed }
        if subscriptions.isEmpty { throw .invalidFilter("", reason: "there is no filter") }
        for subscription in subscriptions { try subscription.check() }
      } catch {
        observer.failed(error)
        return .none
      }
      let subscriber = Subscriber(
        subscriptions, receive: { observer.next($0) }, confirm: confirmed,
        fail: { observer.failed($0) }, complete: { observer.completed() })
      core.add(subscriber)
      return Disposable { [self] in
        if subscriber.end() { core.remove(subscriber) }
      }
    }
  }

  // MARK: - Ending

  /// Ends the client at once. Messages that wait fail with ``MQTTError/closed``. The broker does not
  /// publish the last will, and keeps the session for ``MQTTOptions/sessionExpiry``, unless its name is
  /// random.
  public func close() {
    checkLoop()
    core.close()
  }

  /// Ends the client when no message waits to be sent or confirmed.
  ///
  /// *Events*: begins when it is observed, and completes when the client is closed. Messages that are published
  /// from then on fail with ``MQTTError/closed``. While the client is offline it waits; use a time limit.
  ///
  /// *Disposal*: ends the client at once, as ``close()`` does.
  public func leave() -> Completable<Never> {
    Completable { [self] finish in
      checkLoop()
      core.leave { finish(.completed) }
      return Disposable { [core] in core.close() }
    }
  }
}
