import RunnelLoop
import RunnelStreams

/// One value for each loop of a ``LoopGroup``, made by ``LoopGroup/perLoop(_:)``.
///
///     let clients = group.perLoop { _ in PushStream<String>() }
///     clients.send { $0.next("The server will stop soon.") }
///
/// A value belongs to its loop. Code on a loop uses the value of this loop at once, through
/// ``current``, and those of all loops later, through ``send(_:)``.
public final class PerLoop<State>: Sendable {
  private let group: LoopGroup
  private let parts: [LoopPart<State>]

  init(_ group: LoopGroup, _ parts: [LoopPart<State>]) {
    self.group = group
    self.parts = parts
  }

  deinit {
    let parts = parts
    group.whileRunning {
      for part in parts {
        part.loop.execute {
          part.member.remove(part)
          part.end()
        }
      }
    }
  }

  /// The value of the loop that runs the calling code. Traps elsewhere.
  public var current: State {
    guard let part = parts.first(where: { $0.loop.isCurrent }) else {
      fatalError(
        """
        PerLoop.current is the value of a loop of "\(group.name)", and no such loop runs this code. \
        Use send { … } from elsewhere.
        """)
    }
    return part.value
  }

  /// Runs a closure with the value of each loop, on that loop, later. Does nothing after
  /// ``LoopGroup/stop()``. May be called on any thread.
  ///
  /// *Events*: all loops run the closures of all senders in one order.
  public func send(_ action: @escaping @Sendable (State) -> Void) {
    group.whileRunning {
      for part in parts { part.send(action) }
    }
  }
}
