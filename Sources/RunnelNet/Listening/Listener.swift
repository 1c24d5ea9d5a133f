import RunnelLoop
import RunnelStreams

/// A server's socket, which accepts connections.
///
///     let server = try Listener(.tcp("0.0.0.0", port: 7000), on: loop)
///     server.connections.observeNext { connection in
///       connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
///     }
///
/// It listens from its creation, and accepts while ``connections`` is observed. At the limit of open
/// descriptors it pauses and tries again; the open connections are served meanwhile.
///
/// *Disposal*: an observation retains it. After its release, on any thread, it is closed.
public final class Listener {
  /// The address at which it listens. A port of 0 is replaced by the port that the system has chosen.
  public let address: SocketAddress

  private let core: ListenerCore
  private let home: (any ExecutionContext)?

  /// Starts to listen.
  ///
  /// The socket of a Unix path replaces a file that no process listens at, and its file is removed
  /// when the listener is closed. A descriptor must be a listening socket, which is closed with the
  /// listener.
  public convenience init(
    _ endpoint: Endpoint, options: ListenerOptions = ListenerOptions(), on network: some Network
  ) throws(SocketError) {
    try self.init(endpoint, options: options, on: network.functions.system)
  }

  package init(
    _ endpoint: Endpoint, options: ListenerOptions, on system: any NetworkSystem
  ) throws(SocketError) {
    let socket = try system.listen(at: endpoint, options)
    address = socket.address
    core = ListenerCore(socket, system, options.maximumConnections)
    home = system.scheduler as? EventLoop
  }

  deinit {
    if let home { home.close(core) { $0.close() } } else { core.close() }
  }

  /// The connections that clients open. Completes when the listener is closed.
  ///
  /// *Events*: one observer at a time. A connection that the observer does not use is closed.
  public var connections: EventStream<Connection, Never> {
    .unguarded { [self] observer in
      core.begin(ConnectionSink(observer: observer, listener: self))
    }
  }

  /// Errors of accepting, such as a lack of descriptors. The listener goes on after each of them.
  public var failures: EventStream<SocketError, Never> { core.failures.stream }

  /// The number of open connections that it has accepted.
  public var connectionCount: Int { core.open.count }

  /// Stops listening. The open connections go on.
  public func close() {
    core.close()
  }

  /// Stops listening after the connections that wait were accepted.
  package func closeAfterAccepting() {
    core.acceptWaiting()
    core.close()
  }

  /// Stops listening, and resets the open connections.
  func reset() {
    core.close()
    for connection in core.open { connection.close(reset: true) }
  }

  /// Stops listening, and completes when all connections are closed. After the deadline, those that
  /// are still open are reset.
  public func close(within deadline: Duration) -> Completable<Never> {
    Completable { [core] finish in
      core.close()
      return core.drain(within: deadline) { finish(.completed) }
    }
  }
}

/// The observer of a listener's connections. It retains the listener.
private final class ConnectionSink: Teardown {
  let observer: Observer<Connection, Never>
  private var listener: Listener?
  weak var core: ListenerCore?

  init(observer: Observer<Connection, Never>, listener: Listener) {
    self.observer = observer
    self.listener = listener
  }

  func tearDown() {
    core?.stop(self)
    release(listener.take())
  }
}

/// The state of a listener.
private final class ListenerCore: ConnectionOwner {
  private let socket: any ListeningTransport
  private let system: any NetworkSystem
  private let maximum: Int
  private var sink: ConnectionSink?
  private(set) var open: [ConnectionCore] = []
  private var isClosed = false
  private let retry: RestartableTimer
  private var drained: [() -> Void] = []
  private var logLimit = LogLimit()
  let failures = PushStream<SocketError>()

  /// The number of connections that are accepted before other descriptors are served.
  private static let batch = 16
  private static let pause = Duration.milliseconds(100)

  init(_ socket: any ListeningTransport, _ system: any NetworkSystem, _ maximum: Int) {
    self.socket = socket
    self.system = system
    self.maximum = maximum
    retry = RestartableTimer(on: system.scheduler)
  }

  func begin(_ sink: ConnectionSink) {
    if isClosed { return sink.observer.completed() }
    require(
      self.sink == nil,
      "Listener.connections has one observer at a time. Share the stream, or dispose the other.")
    self.sink = sink
    sink.core = self
    sink.observer.observation.add(sink)
    resume()
  }

  func stop(_ sink: ConnectionSink) {
    guard self.sink === sink else { return }
    release(self.sink.take())
    socket.stopAccepting()
    retry.cancel()
  }

  private func resume() {
    guard sink != nil, !isClosed, open.count < maximum else { return }
    do throws(SocketError) {
      try socket.startAccepting { [weak self] in self?.accept() }
    } catch {
      report(error)
      waitForDescriptors()
    }
  }

  private func accept() {
    for _ in 0..<Self.batch {
      guard let sink, !isClosed else { return }
      guard open.count < maximum else { return socket.stopAccepting() }
      do throws(SocketError) {
        guard let transport = try socket.accept() else { return }
        begin(transport, sink)
      } catch {
        if error.cause == .tooManyDescriptors { socket.refuse() }
        waitForDescriptors()
        return report(error)
      }
    }
  }

  /// Accepts all connections that wait, beyond the maximum.
  func acceptWaiting() {
    while let sink, !isClosed, let transport = try? socket.accept() {
      begin(transport, sink)
    }
  }

  private func begin(_ transport: any Transport, _ sink: ConnectionSink) {
    let connection = system.connection(transport)
    connection.core.listener = self
    connection.core.placeInListener = open.count
    open.append(connection.core)
    sink.observer.next(connection)
  }

  private func report(_ error: SocketError) {
    if let count = logLimit.count(at: system.scheduler.now) {
      Log("runnel.net").warning(
        "Connections could not be accepted. The listener goes on.",
        ["count": count, "error": error])
    }
    failures.next(error)
  }

  /// Pauses, because the waiting connection would be reported again at once.
  private func waitForDescriptors() {
    socket.stopAccepting()
    retry.set(after: Self.pause) { [weak self] in self?.resume() }
  }

  func connectionHasClosed(_ connection: ConnectionCore) {
    let place = connection.placeInListener
    guard place < open.count, open[place] === connection else { return }
    if place == open.count - 1 {
      open.removeLast()
    } else {
      open[place] = open.removeLast()
      open[place].placeInListener = place
    }
    if open.count == maximum - 1 { resume() }
    if open.isEmpty { for done in exchange(&drained, with: []) { done() } }
  }

  func close() {
    if isClosed { return }
    isClosed = true
    socket.close()
    retry.tearDown()
    let sink = exchange(&self.sink, with: nil)
    sink?.observer.completed()
    failures.completed()
  }

  /// Calls the closure when all connections are closed. Resets those that are open after a time.
  func drain(within deadline: Duration, _ done: @escaping () -> Void) -> Disposable {
    if open.isEmpty {
      done()
      return .none
    }
    drained.append(done)
    return system.scheduler.schedule(after: deadline) { [self] in
      for connection in open { connection.close(reset: true) }
    }
  }
}
