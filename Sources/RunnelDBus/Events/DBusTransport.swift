import Glibc
import RunnelBus
import RunnelLoop
import RunnelStreams

/// Carries the events and requests of an `EventBus` between programs, as signals and calls on a bus.
///
///     let transport = DBusTransport(as: "shop", on: bus)
///     transport.peers.observeNext { names in show(names) }
///
/// All programs of a session, or of a system, that use this class reach each other. The prefix of the
/// link keeps the topics of applications apart. Create one transport for a connection: several links may use
/// it.
///
/// D-Bus retains no events and confirms none, so patterns such as `.retained` do not compile. An event that
/// is sent while another program is not connected does not reach it.
///
/// An event is the signal `Event` of the interface `org.runnel.EventBus`, with the topic, the bytes
/// and the stamp. A topic on which this program answers requests, and the program itself, are names on the
/// bus.
///
/// *Events*: a lost connection is made again, after a second at first, and after a minute at most. If a
/// receiver is paused, its messages wait. Beyond 64 MiB they are dropped, which the link shows as a loss of
/// the connection.
public final class DBusTransport {
  private enum Phase {
    /// Nobody uses it.
    case unused
    /// It waits for the next attempt to connect.
    case waiting(Disposable)
    case connecting
    case online
    /// The connection was closed by the program.
    case closed
  }

  static let signalName = "Event"

  /// The name of this program among the ``peers``.
  public let program: String
  let bus: BusConnection
  /// The name of the program on the bus.
  private let service: String
  private let shown: Property<LinkState>
  private var phase = Phase.unused
  private var users = 0
  private var following = Disposable.none
  private var draining = Disposable.none
  private var subscriptions: [EventSubscription] = []
  /// A message that waits for room in the socket: its number among all of the connection, and its end.
  private typealias Message = (number: Int, finish: (Result<Void, TransportError>) -> Void)

  private var unfinished = Queue<Message>()
  private let programs: EventPeers
  let requests: EventRequests
  private let longestPause: Duration
  private var pause: Duration
  /// The number of bytes that may wait for a paused receiver.
  var waitingBytesLimit = 1 << 26

  /// Creates a transport. Nothing is sent before a bus is joined to it.
  ///
  /// The program's name is shown among the ``peers`` of others. Of programs with one name, one is shown. The
  /// default has the number of the process, such as `shop 4711`.
  ///
  /// - Precondition: the connection has a bus, and the name is not empty and not longer than 70 bytes.
  public convenience init(as program: String? = nil, on bus: BusConnection) {
    self.init(as: program, on: bus, longestPause: .seconds(60))
  }

  /// Creates a transport that waits for at most a time between attempts to connect.
  init(as program: String?, on bus: BusConnection, longestPause: Duration) {
    precondition(
      bus.address.hasBus, "Events cross a bus. Connect to one instead of a single program.")
    let program = program ?? Self.defaultName
    precondition(
      !program.isEmpty && program.utf8.count <= 70,
      "The name of a program is empty or longer than 70 bytes. Give it another one.")
    self.program = program
    self.bus = bus
    // Each byte is three at most, so it is not too long.
    service = EventNames.peer(program) ?? EventNames.peers
    self.longestPause = longestPause
    pause = min(.seconds(1), longestPause)
    programs = EventPeers(program, on: bus)
    requests = EventRequests(on: bus)
    shown = Property(
      .offline(since: bus.loop.now, reason: .unreachable(reason: "Nobody uses it.")))
  }

  private static var defaultName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = String(path.split(separator: "/").last?.prefix(15) ?? "program")
    return "\(name.utf8.count <= 50 ? name : "program") \(getpid())"
  }

  // MARK: - States

  private func begin() {
    draining = bus.core.written.observeNext { [weak self] in self?.finishWritten() }
    requests.start()
    programs.start(as: service)
    following = bus.state.stream.observeNext { [weak self] in self?.follow($0) }
  }

  private func end() {
    following.dispose()
    draining.dispose()
    requests.stop()
    programs.stop()
    // At last, because an observer of the state may join again.
    leave(for: .unused, .closed)
  }

  private func enter(_ new: Phase) {
    if case .waiting(let timer) = exchange(&phase, with: new) { timer.dispose() }
  }

  private func follow(_ state: BusConnection.State) {
    switch state {
    case .connecting:
      enter(.connecting)
      shown.value = .connecting
    case .connected: goOnline()
    case .lost(let error): wait(.unreachable(reason: error.text), isLost: true)
    case .closed: leave(for: .closed, .closed, isLost: true)
    }
  }

  private func goOnline() {
    enter(.online)
    pause = min(.seconds(1), longestPause)
    programs.list()
    shown.value = .online
    for subscription in subscriptions { confirm(subscription) }
  }

  /// Goes offline. If the connection is lost or closed, the messages that were not written fail. Otherwise
  /// they are on their way.
  private func leave(for new: Phase, _ reason: TransportError, isLost: Bool = false) {
    enter(new)
    for subscription in subscriptions {
      subscription.confirming.dispose()
      subscription.forget()
    }
    programs.forget()
    let written = isLost ? bus.writtenCount : .max
    let ends = exchange(&unfinished, with: Queue())
    shown.value = .offline(since: scheduler.now, reason: reason)
    finish(ends, written, reason)
  }

  /// Goes offline, and tries to connect later.
  private func wait(_ reason: TransportError, isLost: Bool = false) {
    let timer = bus.loop.schedule(after: pause) { [weak self] in self?.attempt() }
    pause = min(pause * 2, longestPause)
    leave(for: .waiting(timer), reason, isLost: isLost)
  }

  private func attempt() {
    if case .lost = bus.state.value { bus.reconnect() } else { follow(bus.state.value) }
  }

  var isOnline: Bool {
    if case .online = phase { true } else { false }
  }

  // MARK: - Receiving

  /// Waits for an answer of the bus, which has handled the match rules before.
  private func confirm(_ subscription: EventSubscription) {
    guard isOnline else { return }
    subscription.confirming.dispose()
    subscription.confirming = bus.call(.ofBus("GetId")).observe(
      succeeded: { [receiver = subscription.receiver] _ in receiver.confirmed() },
      failed: { [weak self] error in
        if error != .disconnected { self?.wait(.brokenProtocol(reason: error.text)) }
      })
  }

  private func receive(_ message: TransportMessage, for subscription: EventSubscription) {
    guard isOnline else { return }
    subscription.receive(message)
    if subscription.waitingBytes > waitingBytesLimit {
      wait(.overloaded(reason: "The receiver of the events was behind by too many."))
    }
  }

  /// Finishes all messages when no message waits for room in the socket.
  private func finishWritten() {
    while bus.writtenCount == bus.acceptedCount, let (_, finish) = unfinished.popFirst() {
      finish(.success(()))
    }
  }

  /// Finishes messages after a loss of the connection, which had written a number of messages.
  private func finish(
    _ messages: Queue<Message>, _ written: Int, _ reason: TransportError
  ) {
    var messages = messages
    while let (number, finish) = messages.popFirst() {
      finish(number <= written ? .success(()) : .failure(reason))
    }
  }
}

extension DBusTransport: PresenceTransport {
  /// The bus, such as `dbus:session`.
  public var name: String { bus.address.description }

  /// The loop of the connection.
  public var scheduler: any Scheduler { bus.loop }

  /// The state of the connection for the links.
  public var state: ReadOnlyProperty<LinkState> { shown.readOnly }

  /// The names of the other programs that are online, sorted.
  public var peers: ReadOnlyProperty<[String]> { programs.names.readOnly }

  /// Refuses a topic with a character with the code zero, which D-Bus cannot carry.
  public func check(topic: String) throws(TransportError) {
    if topic.utf8.contains(0) {
      throw .unmappable(topic, reason: "It has a character with the code zero.")
    }
  }

  /// Refuses a pattern with a character with the code zero.
  public func check(pattern: String) throws(TransportError) { try check(topic: pattern) }

  /// Uses the connection.
  public func connect() -> Disposable {
    users += 1
    if users == 1 { begin() }
    return Disposable { [self] in
      users -= 1
      if users == 0 { end() }
    }
  }

  /// Subscribes to patterns.
  public func subscribe(
    to patterns: [TransportPattern], _ receiver: TransportReceiver
  ) -> Disposable {
    let subscription = EventSubscription(patterns.map(\.pattern), receiver)
    subscriptions.append(subscription)
    subscription.start(on: bus) { [weak self, weak subscription] message in
      if let subscription { self?.receive(message, for: subscription) }
    }
    confirm(subscription)
    return Disposable { [self] in
      subscription.end()
      subscriptions.removeAll { $0 === subscription }
    }
  }

  /// Sends a message as a signal.
  public func send(
    _ message: TransportMessage, _ finished: @escaping (Result<Void, TransportError>) -> Void
  ) {
    guard isOnline else {
      return finished(.failure(.unreachable(reason: "There is no connection.")))
    }
    do throws(BusError) {
      try bus.send(Self.signalName, of: EventNames.interface, at: EventNames.path) {
        writer throws(BusError) in
        try message.topic.write(to: writer)
        try message.payload.write(to: writer)
        try (message.stamp?.description ?? "").write(to: writer)
      }
    } catch {
      return fail(error, finished)
    }
    // Messages end in their order.
    if bus.writtenCount == bus.acceptedCount && unfinished.isEmpty {
      finished(.success(()))
    } else {
      unfinished.append((bus.acceptedCount, finished))
    }
  }

  private func fail(
    _ error: BusError, _ finished: (Result<Void, TransportError>) -> Void
  ) {
    switch error {
    case .disconnected:
      // The connection does not know yet that it is lost.
      if isOnline { wait(.unreachable(reason: error.text), isLost: true) }
      finished(.failure(.unreachable(reason: error.text)))
    case .tooLarge:
      finished(
        .failure(.tooLarge(limit: min(bus.address.messageBytes, BusLimits.arrayBytes))))
    case .limitsExceeded(let reason): finished(.failure(.overloaded(reason: reason)))
    default: finished(.failure(.brokenProtocol(reason: error.text)))
    }
  }
}
