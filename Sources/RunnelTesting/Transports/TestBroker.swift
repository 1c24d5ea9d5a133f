import RunnelBus
import RunnelStreams

/// A broker in memory and in virtual time, for tests of buses that are joined over it.
///
///     let scheduler = TestScheduler()
///     let broker = TestBroker(on: scheduler)
///     try bus.join(broker.client("shop"), exporting: ["orders.#"])
///     broker.client("shop").cut()
///     scheduler.run()
///
/// It retains sticky messages, confirms acknowledged ones, keeps them for a client that is away, and
/// carries requests. Messages of one client on one topic stay in their order. Those of different
/// clients may overtake each other if ``delay`` is a range.
public final class TestBroker {
  /// The time that a message needs from a client to the broker, or back. Each message gets a random
  /// time of this range.
  public var delay: ClosedRange<Duration> = .zero ... .zero
  /// The probability that a confirmation is lost, after which the message is delivered again and
  /// marked as repeated.
  public var lossOfConfirmations = 0.0
  /// The time after which a client tries again to connect.
  public var pauseBetweenAttempts: Duration = .seconds(1)
  /// The patterns to which the broker refuses subscriptions.
  public var refusedPatterns: Set<String> = []
  /// The topics on which the broker refuses messages.
  public var refusedTopics: Set<String> = []
  /// The number of acknowledged messages that the broker refuses next, because it is overloaded.
  public var overloads = 0

  let scheduler: any Scheduler
  /// The name of the broker and of its clients as transports.
  public let name: String
  private var random: SeededGenerator
  /// The clients that programs use, or whose subscriptions the broker remembers.
  private var clients: [String: TestBrokerClient] = [:]
  /// All clients that exist.
  private var known: [String: Reference] = [:]
  /// The names of the clients whose way to the broker is cut.
  var cutNames: Set<String> = []
  private var retained: [String: TransportMessage] = [:]
  private(set) var isDown = false

  /// Creates a broker.
  public init(on scheduler: any Scheduler, name: String = "memory://broker", seed: UInt64 = 0) {
    self.scheduler = scheduler
    self.name = name
    random = SeededGenerator(seed: seed)
  }

  /// Returns the client with a name, which is a transport with all capabilities.
  public func client(_ name: String) -> TestBrokerClient {
    if let client = known[name]?.client { return client }
    let client = TestBrokerClient(name, of: self)
    known[name] = Reference(client: client)
    return client
  }

  private struct Reference {
    weak var client: TestBrokerClient?
  }

  /// Returns the client with a name as a transport without capabilities, as D-Bus is one.
  public func plainClient(_ name: String) -> PlainBrokerClient { PlainBrokerClient(client(name)) }

  /// The retained message of each topic.
  public var retainedMessages: [String: TransportMessage] { retained }

  /// Ends the connections of all clients, which cannot connect until ``start()``. What the broker has
  /// retained and kept for clients is not lost.
  public func stop() {
    isDown = true
    for client in sortedClients { client.lose("The broker was stopped.") }
  }

  /// Lets clients connect again.
  public func start() {
    isDown = false
  }

  /// Sends a message of a program without Runnel.
  public func inject(_ message: TransportMessage) { route(message, from: "") }

  private var sortedClients: [TestBrokerClient] {
    clients.values.sorted { $0.clientName < $1.clientName }
  }

  // MARK: - Clients

  /// Retains a client, which retains the broker, while it has something to do.
  func retain(_ client: TestBrokerClient, while isNeeded: Bool) {
    clients[client.clientName] = isNeeded ? client : nil
  }

  func nextDelay() -> Duration {
    let span = (delay.upperBound - delay.lowerBound) / .nanoseconds(1)
    guard span >= 1 else { return delay.lowerBound }
    return delay.lowerBound + .nanoseconds(Int.random(in: 0...Int(span), using: &random))
  }

  func losesConfirmation() -> Bool {
    lossOfConfirmations > 0 && Double.random(in: 0..<1, using: &random) < lossOfConfirmations
  }

  func onlineNames(except name: String) -> [String] {
    sortedClients.filter { $0.isOnline && $0.clientName != name }.map(\.clientName)
  }

  func presenceChanged() {
    for client in sortedClients { client.updatePeers() }
  }

  // MARK: - Messages

  /// Delivers a message that has arrived at the broker.
  func route(_ message: TransportMessage, from sender: String) {
    switch message.kind {
    case .event: break
    case .sticky: retained[message.topic] = message
    case .cleared: retained[message.topic] = nil
    }
    for client in sortedClients { client.deliver(message, from: sender) }
  }

  func retained(on patterns: [TransportPattern]) -> [TransportMessage] {
    retained.values.filter { message in
      patterns.contains { PatternLevels($0.pattern).matches(message.topic) }
    }.sorted { $0.topic < $1.topic }
  }

  func answerer(on topic: String) -> TestBrokerClient? {
    sortedClients.first { $0.isOnline && $0.answers(on: topic) }
  }
}
