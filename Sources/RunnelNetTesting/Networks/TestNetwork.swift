import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting

/// A network in memory and in virtual time, for testing protocols without sockets.
///
///     let scheduler = TestScheduler()
///     let network = TestNetwork(on: scheduler)
///     network.latency = .milliseconds(20)
///     network.pieceSize = 1  // every byte arrives alone
///     try Listener(.tcp("server", port: 7000), on: network).connections.observeNext { show($0.peer) }
///
/// Listeners and connections are made with the same code as on an `EventLoop`. Nothing is sent or
/// received until the scheduler's clock is advanced; advancing it by zero is enough. A name gets an
/// address when it is first used, unless ``setAddresses(_:of:)`` has given it some.
public final class TestNetwork: Network {
  /// The time that bytes, connections and ends need in one direction. The default is zero.
  public var latency = Duration.zero
  /// The largest number of bytes that arrive at once. The default is 64 KiB; 1 is the hardest test
  /// of a parser.
  public var pieceSize = 1 << 16
  /// The number of bytes that each direction holds for a peer that does not read. The default is
  /// 64 KiB.
  public var capacity = 1 << 16
  /// The time for resolving a name in IPv6 and in IPv4. The default is zero.
  public var resolvingTime = (v6: Duration.zero, v4: Duration.zero)

  let scheduler: any Scheduler
  let inputOutput: InputOutput
  private var addresses: [String: [IPAddress]] = [:]
  private var behaviours: [IPAddress: Behaviour] = [:]
  private var listeners: [SocketAddress: TestListener] = [:]
  private var hostCount = 0
  private var lastPort: UInt16 = 49_151

  /// The answer of a host to clients that connect to it.
  public enum Behaviour: Hashable, Sendable {
    /// Connecting takes this time instead of two latencies.
    case slow(Duration)
    /// Connecting fails after two latencies.
    case failing(SocketError.Cause)
    /// The host never answers.
    case silent
  }

  /// Creates a network in the time of a scheduler.
  public init(on scheduler: TestScheduler) {
    self.scheduler = scheduler
    // Safety: the closure only needs the scheduler and the box, not the network.
    let box = InputOutputBox()
    inputOutput = InputOutput { [weak scheduler] in
      _ = scheduler?.schedule(after: .zero) { box.inputOutput?.runTasks() }
    }
    box.inputOutput = inputOutput
  }

  // MARK: - Time

  /// The virtual time of the scheduler.
  public var now: Duration { scheduler.now }

  /// Schedules an action in the virtual time of the scheduler.
  public func schedule(at deadline: Duration, _ action: @escaping () -> Void) -> Disposable {
    scheduler.schedule(at: deadline, action)
  }

  // MARK: - Names and hosts

  /// Sets the addresses of a name.
  public func setAddresses(_ addresses: [IPAddress], of name: String) {
    self.addresses[name] = addresses
  }

  /// Sets the behaviour of a host; nil is the usual one.
  public func setBehaviour(_ behaviour: Behaviour?, of host: IPAddress) {
    behaviours[host] = behaviour
  }

  func addresses(of name: String) -> [IPAddress] {
    if let known = addresses[name] { return known }
    if let address = IPAddress(name) { return [address] }
    if name == "localhost" { return [.loopback] }
    hostCount += 1
    let bytes = (0..<3).map { UInt8(truncatingIfNeeded: hostCount >> (8 * $0)) }
    let address = IPAddress(10, bytes[2], bytes[1], bytes[0])
    addresses[name] = [address]
    return [address]
  }

  private func newPort() -> UInt16 {
    lastPort = lastPort == .max ? 49_152 : lastPort + 1
    return lastPort
  }

  // MARK: - Faults

  /// Loses everything that the ends of a connection send from now on, as a cut cable does. Neither
  /// end is notified.
  public func cut(_ connection: Connection) {
    for end in ends(of: connection) { end.isCut = true }
  }

  /// Resets a connection at both ends.
  public func reset(_ connection: Connection) {
    for end in ends(of: connection) { end.fail(.reset) }
  }

  private func ends(of connection: Connection) -> [TestTransport] {
    guard let end = connection.core.transport as? TestTransport else { return [] }
    return [end] + (end.other.map { [$0] } ?? [])
  }

  // MARK: - Listening and connecting

  /// The functions of the network.
  public var functions: NetworkFunctions { NetworkFunctions(TestNetworkSystem(network: self)) }

  func listen(
    at endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SocketError) -> TestListener {
    var address: SocketAddress
    switch endpoint {
    case .tcp("*", let port): address = .ip(.every, port: port)
    case .tcp(let host, let port):
      guard let host = addresses(of: host).first else {
        throw SocketError(.listen, "\(endpoint)", .notLocal)
      }
      address = .ip(host, port: port)
    case .unix(let path): address = .unix(path)
    case .abstract(let name): address = .abstract(name)
    case .address(let given): address = given
    case .udp, .descriptor: throw SocketError(.listen, "\(endpoint)", .unsuitable)
    }
    if case .ip(let host, 0) = address { address = .ip(host, port: newPort()) }
    guard listeners[address] == nil else {
      throw SocketError(.listen, "\(endpoint)", .addressInUse)
    }
    let listener = TestListener(address, backlog: options.backlog, on: self)
    listeners[address] = listener
    return listener
  }

  func close(_ listener: TestListener) {
    if listeners[listener.address] === listener { listeners[listener.address] = nil }
  }

  func connect(
    to address: SocketAddress,
    _ finish: @escaping (Result<any Transport, SocketError.Cause>) -> Void
  ) -> Disposable {
    let behaviour = address.host.flatMap { behaviours[$0] }
    var time = latency + latency
    var failure: SocketError.Cause?
    switch behaviour {
    case .slow(let duration): time = duration
    case .failing(let cause): failure = cause
    case .silent: return Disposable()
    case nil: break
    }
    return scheduler.schedule(after: time) { [self] in
      if let failure { return finish(.failure(failure)) }
      guard let listener = listener(for: address), listener.hasRoom else {
        return finish(.failure(address.port == nil ? .noSocket : .refused))
      }
      let local: SocketAddress =
        address.port == nil ? .unnamed : .ip(IPAddress(10, 0, 1, 1), port: newPort())
      let near = TestTransport(local: local, peer: address, on: self)
      let far = TestTransport(local: address, peer: local, on: self)
      near.other = far
      far.other = near
      listener.add(far)
      finish(.success(near))
    }
  }

  private func listener(for address: SocketAddress) -> TestListener? {
    if let exact = listeners[address] { return exact }
    guard let port = address.port else { return nil }
    return listeners[.ip(.every, port: port)]
  }
}

/// The operations of a test network.
private struct TestNetworkSystem: NetworkSystem {
  let network: TestNetwork

  var scheduler: any Scheduler { network.scheduler }
  var inputOutput: InputOutput { network.inputOutput }

  func listen(
    at endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SocketError) -> any ListeningTransport {
    try network.listen(at: endpoint, options)
  }

  func connect(
    to address: SocketAddress, _ options: ConnectionOptions,
    _ finish: @escaping (Result<any Transport, SocketError.Cause>) -> Void
  ) -> Disposable {
    network.connect(to: address, finish)
  }

  func resolve(
    _ name: String, port: UInt16
  ) -> EventStream<[SocketAddress], SocketError.Cause> {
    let addresses = network.addresses(of: name)
    func part(after time: Duration, isIPv6: Bool) -> EventStream<[SocketAddress], SocketError.Cause>
    {
      EventStream<Void, SocketError.Cause>.timer(after: time, on: network.scheduler)
        .map { addresses.filter { $0.isIPv6 == isIPv6 }.map { .ip($0, port: port) } }
    }
    return .merge(
      part(after: network.resolvingTime.v6, isIPv6: true),
      part(after: network.resolvingTime.v4, isIPv6: false))
  }

  func adopt(_ descriptor: Int32) throws(SocketError) -> any Transport {
    throw SocketError(.connect, "descriptor \(descriptor)", .unsuitable)
  }

  func connection(_ transport: any Transport) -> Connection {
    Connection(transport, network.inputOutput, on: network.scheduler, at: nil)
  }
}

/// The reference of a closure to the state that owns the closure.
private final class InputOutputBox {
  weak var inputOutput: InputOutput?
}

extension IPAddress {
  /// The address that stands for all of a machine.
  fileprivate static let every = IPAddress(0, 0, 0, 0)
}
