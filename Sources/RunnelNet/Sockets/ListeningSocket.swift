import CSockets
import Glibc
import RunnelLoop

/// A listening socket of the system.
final class ListeningSocket: ListeningTransport {
  let address: SocketAddress

  private let loop: EventLoop
  private let options: ListenerOptions
  private var descriptor: Descriptor?
  /// True if the socket was given by the user, and may be used by other processes.
  private let isAdopted: Bool
  private let file: SocketFile?
  private var watch: Watch?
  /// Closed for a moment to accept a connection when no more descriptors can be opened.
  private var reserve: Descriptor?

  init(_ endpoint: Endpoint, _ options: ListenerOptions, on loop: EventLoop) throws(SocketError) {
    self.loop = loop
    self.options = options
    if case .descriptor = endpoint { isAdopted = true } else { isAdopted = false }
    let (descriptor, file, address) = try Self.opening(endpoint, options)
    (self.descriptor, self.file, self.address) = (descriptor, file, address)
    // Connections of TCP get these options from the listening socket.
    do throws(SystemError) {
      try options.connection.apply(to: descriptor.number, of: address)
    } catch {
      throw SocketError(.listen, "\(endpoint)", error.cause)
    }
    reserve = Self.openReserve()
  }

  /// Opens a socket that listens, on any thread. Returns it with its file and its address.
  static func opening(
    _ endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SocketError) -> (Descriptor, SocketFile?, SocketAddress) {
    do throws(SystemError) {
      let descriptor: Descriptor
      var file: SocketFile?
      if case .descriptor(let number) = endpoint {
        descriptor = try adopt(number)
      } else {
        (descriptor, file) = try open(endpoint, options)
      }
      var system = runnel_address()
      if runnel_local_address(descriptor.number, &system) < 0 { throw SystemError() }
      return (descriptor, file, file.map { .unix($0.path) } ?? SocketAddress(system))
    } catch {
      let cause: SocketError.Cause =
        switch error.code {
        case unsuitable: .unsuitable
        case ENAMETOOLONG: .invalidPath
        case ENOENT: .noFolder
        default: error.cause
        }
      throw SocketError(.listen, "\(endpoint)", cause)
    }
  }

  /// The value of `errno` for an endpoint that cannot be listened at.
  private static var unsuitable: Int32 { EPROTOTYPE }

  private static func adopt(_ number: Int32) throws(SystemError) -> Descriptor {
    var isListening: Int32 = 0
    if runnel_get_option(number, SOL_SOCKET, SO_ACCEPTCONN, &isListening) < 0 {
      throw SystemError()
    }
    if isListening == 0 { throw SystemError(unsuitable) }
    let descriptor = Descriptor(owning: number)
    let flags = fcntl(number, F_GETFL)
    _ = fcntl(number, F_SETFL, flags | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  private static func open(
    _ endpoint: Endpoint, _ options: ListenerOptions
  ) throws(SystemError) -> (Descriptor, SocketFile?) {
    switch endpoint {
    case .tcp("*", let port):
      let descriptor = try IPAddress.withEachOfMachine { (host) throws(SystemError) in
        try open(.ip(host, port: port), options)
      }
      return (descriptor, nil)
    case .tcp("localhost", let port):
      return (try open(.ip(.loopback, port: port), options), nil)
    case .tcp(let host, let port):
      guard let address = SocketAddress(host, port: port) else { throw SystemError(unsuitable) }
      return (try open(address, options), nil)
    case .unix(let path):
      let (descriptor, file) = try SocketFile.create(
        at: path, backlog: options.backlog, permissions: options.permissions)
      return (descriptor, file)
    case .abstract(let name): return (try open(.abstract(name), options), nil)
    case .address(.unix(let path)): return try open(.unix(path), options)
    case .address(let address): return (try open(address, options), nil)
    case .udp, .descriptor: throw SystemError(unsuitable)
    }
  }

  private static func open(
    _ address: SocketAddress, _ options: ListenerOptions
  ) throws(SystemError) -> Descriptor {
    guard var system = address.system else { throw SystemError(ENAMETOOLONG) }
    let socket = try OwnedSocket.open(SOCK_STREAM, for: &system)
    if let host = address.host {
      // Connections of an earlier process do not keep the port.
      try socket.set(SO_REUSEADDR)
      if options.sharesPort { try socket.set(SO_REUSEPORT) }
      if host.isIPv6 { try socket.set(IPV6_V6ONLY, at: Int32(IPPROTO_IPV6), to: 0) }
    }
    if runnel_bind(socket.number, &system) < 0 { throw SystemError() }
    if Glibc.listen(socket.number, Int32(clamping: options.backlog)) < 0 { throw SystemError() }
    return Descriptor(owning: socket.take())
  }

  deinit {
    close()
  }

  // MARK: - Accepting

  func startAccepting(_ action: @escaping () -> Void) throws(SocketError) {
    guard watch == nil, let descriptor else { return }
    if reserve == nil { reserve = Self.openReserve() }
    do throws(DescriptorError) {
      watch = try Watch(descriptor.number, for: .reading, on: loop, action)
    } catch {
      throw SocketError(.listen, "\(address)", SocketError.Cause(error))
    }
  }

  func stopAccepting() {
    watch?.end()
    watch = nil
  }

  func accept() throws(SocketError) -> (any Transport)? {
    // The number of attempts is limited, so that the loop can run other work.
    for _ in 0..<16 {
      guard let descriptor else { return nil }
      var peer = runnel_address()
      let number = runnel_accept(descriptor.number, &peer)
      guard number >= 0 else {
        switch errno {
        case EAGAIN: return nil
        // The client has gone, or its network failed: the next one may be fine.
        case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET,
          EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
          continue
        default: throw SocketError(.accept, "\(address)", SystemError().cause)
        }
      }
      let socket = OwnedSocket(owning: number)
      let peerAddress = SocketAddress(peer)
      do throws(SystemError) {
        if address.port == nil { try options.connection.apply(to: number, of: peerAddress) }
      } catch {
        throw SocketError(.accept, "\(address)", error.cause)
      }
      do throws(DescriptorError) {
        return try SocketTransport(socket, peer: peerAddress, options.connection, on: loop)
      } catch {
        throw SocketError(.accept, "\(address)", SocketError.Cause(error))
      }
    }
    return nil
  }

  func refuse() {
    guard let descriptor else { return }
    reserve = nil
    var peer = runnel_address()
    let number = runnel_accept(descriptor.number, &peer)
    if number >= 0 { Glibc.close(number) }
    reserve = Self.openReserve()
  }

  private static func openReserve() -> Descriptor? {
    let number = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number >= 0 ? Descriptor(owning: number) : nil
  }

  func close() {
    guard let descriptor = descriptor.take() else { return }
    stopAccepting()
    file?.remove()
    // Waiting clients are refused, also if a child process has the descriptor. A socket that was
    // given may still be used by its owner.
    if !isAdopted { shutdown(descriptor.number, Int32(SHUT_RDWR)) }
    reserve = nil
  }
}
