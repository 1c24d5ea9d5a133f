import Glibc
import RunnelLoop

extension BusConnection {
  /// Makes two connections to each other, without a bus between. It is for tests: what one side exports, the
  /// other one uses, with the messages of the bus.
  ///
  ///     let (server, client) = try BusConnection.pair(on: loop)
  ///     server.export(musicPlayer, as: PlayerProxy.self, at: "/org/example/Player")
  ///     let player = PlayerProxy(at: "/org/example/Player", from: nil, on: client)
  ///     player.play("Emma").observe(failed: { show($0) })
  ///
  /// Without a bus, services have no names, and a sender's name is nil.
  ///
  /// - Throws: ``BusError/cannotConnect(code:)`` if no more descriptors can be opened.
  public static func pair(
    on loop: EventLoop, passesDescriptors: Bool = false
  ) throws(BusError) -> (server: BusConnection, client: BusConnection) {
    var sockets: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    if socketpair(AF_UNIX, kind, 0, &sockets) != 0 { throw .cannotConnect(code: errno) }
    let (near, far) = (BusDescriptor(owning: sockets[0]), BusDescriptor(owning: sockets[1]))
    return (
      BusConnection(.acceptedSocket(near), on: loop, passesDescriptors: passesDescriptors),
      BusConnection(.peerSocket(far), on: loop, passesDescriptors: passesDescriptors)
    )
  }
}
