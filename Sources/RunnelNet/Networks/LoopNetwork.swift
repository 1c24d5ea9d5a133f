import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

extension EventLoop: Network {
  /// The sockets of the system, on this loop.
  public var functions: NetworkFunctions { NetworkFunctions(LoopNetwork(loop: self)) }
}

extension Network where Self == EventLoop {
  /// The loop of the main thread.
  public static var main: EventLoop { EventLoop.main }
}

/// The sockets of the system, on a loop.
struct LoopNetwork: NetworkSystem {
  let loop: EventLoop

  var scheduler: any Scheduler { loop }
  var inputOutput: InputOutput { loop.inputOutput }

  func connection(_ transport: any Transport) -> Connection {
    Connection(transport, loop.inputOutput, on: loop, at: loop)
  }

  func listen(
    at endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SocketError) -> any ListeningTransport {
    loop.mustBeCurrent("creating a Listener")
    return try ListeningSocket(endpoint, options, on: loop)
  }

  func adopt(_ descriptor: Int32) throws(SocketError) -> any Transport {
    loop.mustBeCurrent("opening a Connection")
    do throws(SystemError) {
      let flags = fcntl(descriptor, F_GETFL)
      if flags < 0 { throw SystemError() }
      var kind: Int32 = 0
      let status = runnel_get_option(descriptor, SOL_SOCKET, SO_TYPE, &kind)
      if status < 0 { throw SystemError() }
      if kind != Int32(SOCK_STREAM.rawValue) { throw SystemError(EPROTOTYPE) }
      let socket = OwnedSocket(owning: descriptor)
      if fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0 { throw SystemError() }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var address = runnel_address()
      if runnel_peer_address(descriptor, &address) < 0 { throw SystemError() }
      return try transport(socket, SocketAddress(address), ConnectionOptions())
    } catch {
      throw SocketError(.connect, "descriptor \(descriptor)", error.cause)
    }
  }

  private func transport(
    _ socket: consuming OwnedSocket, _ peer: SocketAddress, _ options: ConnectionOptions
  ) throws(SystemError) -> any Transport {
    do throws(DescriptorError) {
      return try SocketTransport(socket, peer: peer, options, on: loop)
    } catch {
      throw SystemError(error)
    }
  }

  // MARK: - Connecting

  func connect(
    to address: SocketAddress, _ options: ConnectionOptions,
    _ finish: @escaping (Result<any Transport, SocketError.Cause>) -> Void
  ) -> Disposable {
    let attempt = Disposable()
    // The result comes later, also if it is known at once.
    let failLater: (SocketError.Cause) -> Void = { cause in
      attempt.add(
        loop.schedule(after: .zero) {
          attempt.dispose()
          finish(.failure(cause))
        })
    }
    do throws(SystemError) {
      guard var system = address.system else {
        failLater(.invalidPath)
        return attempt
      }
      let socket = try OwnedSocket.open(SOCK_STREAM, for: &system)
      try options.apply(to: socket.number, of: address)
      if let local = options.localAddress {
        guard var local = local.system else {
          failLater(.notLocal)
          return attempt
        }
        if runnel_bind(socket.number, &local) < 0 { throw SystemError() }
      }
      let status = runnel_connect(socket.number, &system)
      switch status == 0 ? 0 : errno {
      case 0, EINPROGRESS:
        // A connected socket is writable at once.
        let pending = PendingSocket(socket)
        try pending.wait(on: loop) { socket in
          attempt.dispose()
          do throws(SystemError) {
            let code = runnel_take_error(socket.number)
            if code != 0 { throw SystemError(code) }
            finish(.success(try transport(socket, address, options)))
          } catch {
            finish(.failure(error.cause))
          }
        }
        attempt.add(pending)
      case EAGAIN:
        // The backlog of a Unix socket is full. The system reports no event for that.
        attempt.add(
          loop.schedule(after: .milliseconds(10)) {
            attempt.add(connect(to: address, options, finish))
          })
      default: throw SystemError()
      }
    } catch {
      failLater(error.cause)
    }
    return attempt
  }

  // MARK: - Names

  func resolve(
    _ name: String, port: UInt16
  ) -> EventStream<[SocketAddress], SocketError.Cause> {
    // The C library would resolve what is before a zero byte.
    if name.utf8.contains(0) || name.isEmpty { return .just([]) }
    let local = HostsFile.addresses(of: name)
    let addresses = local.isEmpty ? Resolver.shared.addresses(of: name) : .just(local)
    return addresses.map { $0.map { .ip($0, port: port) } }
  }
}

/// A socket that is being connected. Closed when the attempt is disposed.
private final class PendingSocket: Teardown {
  private var number: Int32
  private var watch: Watch?

  init(_ socket: consuming OwnedSocket) {
    number = socket.take()
  }

  deinit {
    tearDown()
  }

  /// Calls the closure with the socket when the attempt has ended.
  func wait(
    on loop: EventLoop, _ action: @escaping (consuming OwnedSocket) -> Void
  ) throws(SystemError) {
    do throws(DescriptorError) {
      watch = try Watch(number, for: .writing, on: loop) { action(self.take()) }
    } catch {
      throw SystemError(error)
    }
  }

  private func take() -> OwnedSocket {
    let socket = OwnedSocket(owning: number)
    number = -1
    tearDown()
    return socket
  }

  func tearDown() {
    watch?.end()
    watch = nil
    if number >= 0 { close(number) }
    number = -1
  }
}
