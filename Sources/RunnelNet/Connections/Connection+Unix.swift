import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

/// The process at the other end of a Unix socket, at the time when it connected.
public struct PeerCredentials: Hashable, Sendable {
  /// The process identifier. The process may have ended since.
  public let process: Int32
  /// The user of the process.
  public let user: UInt32
  /// The group of the process.
  public let group: UInt32
}

/// An open descriptor that a peer has passed. It is closed on release, unless it is taken.
public final class PassedDescriptor {
  private var descriptor: Descriptor?

  init(_ descriptor: Descriptor) {
    self.descriptor = descriptor
  }

  /// The number of the descriptor; nil after ``take()``.
  public var number: Int32? { descriptor?.number }

  /// Returns a duplicate of the descriptor, which the caller closes, and closes this one. Returns
  /// nil if it was taken before, or if no more descriptors can be opened.
  public func take() -> Int32? {
    guard let descriptor = descriptor.take() else { return nil }
    let number = fcntl(descriptor.number, F_DUPFD_CLOEXEC, 3)
    return number < 0 ? nil : number
  }
}

extension Connection {
  /// The process at the other end of a Unix socket; nil for other connections.
  public var peerCredentials: PeerCredentials? {
    guard let socket = core.transport.socket, peer.port == nil else { return nil }
    var (process, user, group) = (Int32(0), UInt32(0), UInt32(0))
    guard runnel_peer_credentials(socket, &process, &user, &group) == 0 else { return nil }
    return PeerCredentials(process: process, user: user, group: group)
  }

  /// Passes open descriptors to the peer of a Unix socket, with at least one byte.
  ///
  /// Duplicates are kept until they are sent, so the caller may close its own. Returns false if the
  /// bytes are refused, or if there are more than 253 descriptors. Another kind of connection fails.
  public func pass(_ descriptors: [Int32], with bytes: [UInt8]) -> Bool {
    mustBeHome("writing to a Connection")
    require(!bytes.isEmpty, "Descriptors are passed with at least one byte.")
    guard descriptors.count <= Int(runnel_most_descriptors) else { return false }
    var duplicates: [Descriptor] = []
    for number in descriptors {
      guard let duplicate = try? Descriptor(duplicating: number) else { return false }
      duplicates.append(duplicate)
    }
    return core.queue.pass(duplicates, with: bytes)
  }

  /// The descriptors that the peer of a Unix socket passes.
  ///
  /// *Events*: descriptors are sent while the connection is read, before the bytes that they came
  /// with. Descriptors that come while this is not observed are closed. Completes when the
  /// connection is closed; at once if it is not a Unix socket.
  public var passedDescriptors: EventStream<PassedDescriptor, Never> {
    guard let socket = core.transport as? SocketTransport, peer.port == nil, isOpen else {
      return .completed
    }
    let closed = core.closed
    return .unguarded { observer in
      require(
        socket.passedDescriptors == nil,
        "Connection.passedDescriptors has one observer at a time. Share the stream.")
      let output = SerializedObserver(observer)
      socket.passedDescriptors = { descriptors in
        for descriptor in descriptors { output.next(PassedDescriptor(descriptor)) }
      }
      observer.observation.add { socket.passedDescriptors = nil }
      closed.start(under: observer.observation, next: { _ in }, end: { _ in output.completed() })
    }
  }
}
