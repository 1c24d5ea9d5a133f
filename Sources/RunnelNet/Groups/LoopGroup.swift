import Glibc
import RunnelLoop
import RunnelStreams

/// A group of event loops, each on a thread of its own, that share the connections of a server.
///
///     let group = LoopGroup(name: "chat")
///     let rooms = group.perLoop { _ in PushStream<String>() }
///     try group.listen(.tcp(port: 7000)) { connection in
///       connection.lines().observe(next: { line in rooms.send { $0.next("\(line)\n") } })
///       rooms.current.bind(to: connection.writer)
///     }
///
/// A connection stays on the loop that has accepted it, with all its streams. Nothing is shared
/// between loops but what is sent through ``remote`` and ``PerLoop/send(_:)``, which reach all of
/// them.
///
/// *Disposal*: the loops run until ``stop()``, also if the group is released.
public final class LoopGroup: Sendable {
  /// The name of the group. The names of its loops are this name and a number.
  public let name: String
  /// The loops, which run from the creation of the group.
  public let loops: [EventLoop]

  private let members: [LoopMember]
  private let isStopped = Monitor(false)

  /// Creates a group of loops, and starts their threads. The default is one loop for each processor
  /// that the calling thread may run on.
  public init(name: String = "loop", count: Int? = nil) {
    let count = count ?? processorCount
    require(count > 0, "A LoopGroup needs at least one loop: LoopGroup(count: 1).")
    self.name = name
    loops = (1...count).map { EventLoop(name: "\(name)-\($0)") }
    members = loops.map { LoopMember($0) }
  }

  // MARK: - Listening

  /// Listens at an endpoint, and accepts connections on all loops.
  ///
  /// The closure runs on the loop that has accepted the connection. `failed` runs on a loop that
  /// could not accept one, for example because of a lack of descriptors; the loop goes on.
  ///
  /// - Each loop has a socket of its own at the port (`SO_REUSEPORT`), and the system distributes
  ///   the clients among them. A port of 0 is one port for all loops. Another program cannot listen
  ///   at the port, unless ``ListenerOptions/sharesPort`` is true.
  /// - Loops share the socket of a Unix endpoint or of a descriptor. Each connection goes to the
  ///   first loop that is free to accept it.
  ///
  /// The options apply to each loop, such as ``ListenerOptions/maximumConnections``. After
  /// ``stop()``, this method throws `ECANCELED`. It may be called on any thread.
  ///
  /// *Disposal*: the group listens until ``GroupListener/close()`` or ``stop()``, also if the
  /// returned object is released.
  @discardableResult
  public func listen(
    _ endpoint: Endpoint, options: ListenerOptions = ListenerOptions(),
    failed: @escaping @Sendable (SocketError) -> Void = { _ in },
    _ handle: @escaping @Sendable (Connection) -> Void
  ) throws(SocketError) -> GroupListener {
    let sockets = try GroupSockets(endpoint, options, count: loops.count)
    let listener = GroupListener(self, sockets, members, options, failed, handle)
    guard whileRunning({ listener.begin() }) else {
      listener.close()
      throw SocketError(.listen, "\(endpoint)", .system(ECANCELED))
    }
    return listener
  }

  // MARK: - Reaching all loops

  /// A handle for running closures on all loops.
  ///
  ///     group.remote.send { loop in print("\(loop.name): \(loop.statistics.lag)") }
  public var remote: GroupRemote { GroupRemote(group: self) }

  /// Makes one value for each loop, such as the members of a chat or a connection to a database.
  ///
  /// The closure runs on each loop, soon. The value is used on its loop only, so it needs neither
  /// be `Sendable` nor hold a lock.
  ///
  /// *Disposal*: each value is released on its loop, after the release of the returned object or at
  /// the end of ``stop()``.
  public func perLoop<State>(
    _ make: @escaping @Sendable (EventLoop) -> State
  ) -> PerLoop<State> {
    let parts = members.map { LoopPart($0, make) }
    whileRunning {
      for part in parts { part.begin() }
    }
    return PerLoop(self, parts)
  }

  // MARK: - End

  /// Stops all listeners, resets the connections that they have accepted, and ends the loops. May
  /// be called on any thread; a second call does nothing.
  ///
  /// Closures that were sent before still run. To let the clients finish, observe
  /// ``GroupListener/close(within:isolation:)`` first.
  public func stop() {
    isStopped.withLock { isStopped in
      if isStopped { return }
      isStopped = true
      for member in members {
        member.loop.execute { member.stop() }
        member.loop.stop()
      }
    }
  }

  /// Waits until all loops have run their last job, after ``stop()``. Traps on one of the loops.
  public func join() {
    for loop in loops { loop.join() }
  }

  /// Runs a closure that gives jobs to the loops; they all run. Returns false, without running it,
  /// after ``stop()``. The jobs of two closures are not mixed, so all loops have one order.
  @discardableResult
  func whileRunning(_ body: () -> Void) -> Bool {
    isStopped.withLock { isStopped in
      if !isStopped { body() }
      return !isStopped
    }
  }
}

/// A `Sendable` handle to all loops of a ``LoopGroup``.
public struct GroupRemote: Sendable {
  let group: LoopGroup

  /// Runs a closure on each loop, later. Does nothing after ``LoopGroup/stop()``.
  ///
  /// *Events*: all loops run the closures of all senders in one order.
  public func send(_ action: @escaping @Sendable (EventLoop) -> Void) {
    group.whileRunning {
      for loop in group.loops { loop.execute { action(loop) } }
    }
  }
}
