import RunnelLoop
import RunnelStreams

/// A server's socket on all loops of a ``LoopGroup``, made by
/// ``LoopGroup/listen(_:options:failed:_:)``. It may be used on any thread.
public final class GroupListener: Sendable {
  /// The address at which the group listens. A port of 0 is replaced by the port that the system has
  /// chosen, which is the same for all loops.
  public let address: SocketAddress

  private let group: LoopGroup
  private let file: SocketFile?
  private let parts: [LoopPart<Listener?>]
  private let isClosing: Flag

  init(
    _ group: LoopGroup, _ sockets: GroupSockets, _ members: [LoopMember],
    _ options: ListenerOptions, _ failed: @escaping @Sendable (SocketError) -> Void,
    _ handle: @escaping @Sendable (Connection) -> Void
  ) {
    self.group = group
    let isClosing = Flag()
    let file = sockets.file
    self.isClosing = isClosing
    self.file = file
    address = sockets.address
    // Loops that share a socket see it fail when the first of them closes it.
    let report: @Sendable (SocketError) -> Void = { if !isClosing.isSet { failed($0) } }
    parts = zip(members, sockets.held).map { member, socket in
      LoopPart(member) { loop in
        guard let number = socket.take() else { return nil }
        do throws(SocketError) {
          let listener = try Listener(.descriptor(number), options: options, on: loop)
          listener.failures.observeNext(report)
          listener.connections.observeNext(handle)
          return listener
        } catch {
          report(error)
          return nil
        }
      } stopping: { listener in
        isClosing.set()
        file?.remove()
        listener?.reset()
      }
    }
  }

  func begin() {
    for part in parts { part.begin() }
  }

  /// Stops listening, soon. The open connections go on.
  public func close() {
    isClosing.set()
    file?.remove()
    group.whileRunning {
      for part in parts { part.send { $0?.close() } }
    }
  }

  /// Stops listening, soon, after the connections that wait were accepted.
  func closeAfterAccepting() {
    isClosing.set()
    file?.remove()
    group.whileRunning {
      for part in parts { part.send { $0?.closeAfterAccepting() } }
    }
  }

  /// Stops listening, and completes when the connections of all loops are closed. After the
  /// deadline, those that are still open are reset.
  ///
  /// *Events*: completes on the context that it is observed on. Nothing happens before it is
  /// observed.
  ///
  /// *Disposal*: the listener still closes, and the deadline still holds.
  public func close(
    within deadline: Duration, isolation: isolated (any Actor)? = #isolation
  ) -> Completable<Never> {
    let actor: (any Actor)? = isolation
    let closing = EventStream<Void, Never>.unguarded { [self] observer in
      let home = HomeObserver(observer, at: Current.context(orOf: actor))
      isClosing.set()
      file?.remove()
      ask(
        { listener, answer in
          listener.close(within: deadline).observe(completed: { answer(0) })
        }, then: { _ in home.complete(with: ()) })
    }
    return Completable(closing.ignoreElements())
  }

  /// The number of open connections on all loops. It is 0 after ``LoopGroup/stop()``.
  public var connectionCount: Int {
    get async {
      await withCheckedContinuation { continuation in
        ask(
          { listener, answer in answer(listener.connectionCount) },
          then: { continuation.resume(returning: $0) })
      }
    }
  }

  /// Asks the listener of each loop for a number, and passes their sum on, on any thread.
  private func ask(
    _ question: @escaping @Sendable (Listener, @escaping @Sendable (Int) -> Void) -> Void,
    then finish: @escaping @Sendable (Int) -> Void
  ) {
    let tally = Tally(parts.count, finish)
    let isAsked = group.whileRunning {
      for part in parts {
        part.send { listener in
          guard let listener else { return tally.add(0) }
          question(listener) { tally.add($0) }
        }
      }
    }
    if !isAsked { finish(0) }
  }
}
