import RunnelLoop
import RunnelStreams

/// The HTTP servers of a ``LoopGroup``, one on each loop, at one address. It may be used on any
/// thread.
public final class HTTPServerGroup: Sendable {
  /// The address at which the group listens.
  public var address: SocketAddress { listener.address }

  private let listener: GroupListener
  private let servers: PerLoop<HTTPServer>
  private let group: LoopGroup

  fileprivate init(_ listener: GroupListener, _ servers: PerLoop<HTTPServer>, _ group: LoopGroup) {
    self.listener = listener
    self.servers = servers
    self.group = group
  }

  /// Runs a closure with the server of each loop, on that loop, later.
  public func send(_ action: @escaping @Sendable (HTTPServer) -> Void) {
    servers.send(action)
  }

  /// Stops listening, lets running requests finish, and completes when all connections of all loops
  /// are closed. See ``HTTPServer/close(within:)``.
  ///
  /// *Events*: begins when it is observed, and completes on that context.
  public func close(
    within deadline: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation
  ) -> Completable<Never> {
    let actor: (any Actor)? = isolation
    let closing = EventStream<Void, Never>.unguarded { [self] observer in
      let home = HomeObserver(observer, at: Current.context(orOf: actor))
      listener.closeAfterAccepting()
      let tally = Tally(group.loops.count) { _ in home.complete(with: ()) }
      let isRunning = group.whileRunning {}
      guard isRunning else { return home.complete(with: ()) }
      servers.send { server in
        server.close(within: deadline).observe(completed: { tally.add(0) })
      }
    }
    return Completable(closing.ignoreElements())
  }
}

extension LoopGroup {
  /// Serves HTTP at an endpoint, on all loops.
  ///
  ///     let group = LoopGroup()
  ///     try group.serve(.tcp(port: 8080)) { loop in
  ///       let server = HTTPServer(on: loop)
  ///       server.get("/") { _ in "Hello from \(loop.name)\n" }
  ///       return server
  ///     }
  ///
  /// The closure makes the server of each loop, on that loop. See ``listen(_:options:failed:_:)``
  /// for the distribution of clients.
  ///
  /// *Disposal*: the group listens until it is stopped or ``HTTPServerGroup/close(within:isolation:)``
  /// is observed.
  @discardableResult
  public func serve(
    _ endpoint: Endpoint, options: ListenerOptions = ListenerOptions(),
    _ makeServer: @escaping @Sendable (EventLoop) -> HTTPServer
  ) throws(SocketError) -> HTTPServerGroup {
    let servers = perLoop(makeServer)
    let listener = try listen(
      endpoint, options: options, failed: { servers.current.errors.failures.next($0) }
    ) { servers.current.serve($0) }
    return HTTPServerGroup(listener, servers, self)
  }
}
