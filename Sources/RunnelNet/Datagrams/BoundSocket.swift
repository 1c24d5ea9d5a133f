import CSockets
import Glibc
import RunnelLoop
import RunnelStreams

/// The families of the addresses of a datagram socket.
enum SocketFamily {
  case ipv4
  /// IPv6, and IPv4 in mapped addresses.
  case ipv6
  case unix
}

/// The result of sending one datagram.
enum SendResult {
  case sent
  /// There is no room now.
  case blocked
  case failed(SocketError.Cause)
}

/// A datagram socket of the system, bound to an address.
final class BoundSocket {
  let loop: EventLoop
  private(set) var address: SocketAddress
  /// The address that ``connect(to:)`` has set.
  private(set) var peer: SocketAddress?
  let family: SocketFamily
  /// Errors, after each of which the socket goes on.
  let failures = PushStream<SocketError>()

  private let maximumSize: Int
  private let file: SocketFile?
  /// Nil after the socket is closed.
  private var descriptor: Descriptor?

  /// The most datagrams that are received in one call.
  private static let mostSlots = 64

  init(_ endpoint: Endpoint, _ options: DatagramOptions, on loop: EventLoop) throws(SocketError) {
    self.loop = loop
    options.check()
    maximumSize = options.maximumSize
    do throws(SystemError) {
      let (descriptor, file) = try DatagramOpening.open(endpoint, options)
      var system = runnel_address()
      do throws(SystemError) {
        if runnel_local_address(descriptor.number, &system) < 0 { throw SystemError() }
        family = try DatagramOpening.family(of: system)
        try options.apply(to: descriptor.number, family)
      } catch {
        file?.remove()
        throw error
      }
      self.file = file
      self.descriptor = descriptor
      address = file.map { .unix($0.path) } ?? SocketAddress(system)
      if runnel_peer_address(descriptor.number, &system) == 0 {
        peer = SocketAddress(system)
      }
    } catch {
      throw SocketError(.listen, "\(endpoint)", DatagramOpening.cause(of: error))
    }
  }

  var isOpen: Bool { descriptor != nil }

  /// Closes the socket, which must not be watched.
  func close() {
    file?.remove()
    descriptor = nil
  }

  func watch(
    for interest: Watch.Interest, _ action: @escaping () -> Void
  ) throws(SocketError) -> Watch? {
    guard let descriptor else { return nil }
    do throws(DescriptorError) {
      return try Watch(descriptor.number, for: interest, on: loop, action)
    } catch {
      throw SocketError(
        interest == .writing ? .write : .read, "\(address)", SocketError.Cause(error))
    }
  }

  // MARK: - Receiving

  /// Receives datagrams that have arrived, up to a number and as many as fit the buffer.
  func receive(most wanted: Int) throws(SystemError) -> [Datagram] {
    guard let descriptor else { return [] }
    let buffer = loop.inputOutput.batch
    let count = max(1, min(wanted, Self.mostSlots, buffer.count / maximumSize))
    var code: Int32 = 0
    let datagrams = withUnsafeTemporaryAllocation(of: runnel_datagram.self, capacity: count) {
      slots -> [Datagram] in
      for index in 0..<count {
        // Safety: each slot has its own part of the buffer, which has room for all of them. The
        // loop uses the buffer for nothing else before this function returns.
        slots.initializeElement(
          at: index,
          to: runnel_datagram(
            bytes: buffer.baseAddress.map { $0 + index * maximumSize }, capacity: maximumSize,
            count: 0, was_cut: 0, peer: runnel_address()))
      }
      let received = runnel_receive_datagrams(
        descriptor.number, slots.baseAddress, Int32(count))
      if received < 0 { code = errno }
      return slots.prefix(Int(max(received, 0))).map { slot in
        Datagram(
          [UInt8](UnsafeRawBufferPointer(start: slot.bytes, count: slot.count)),
          from: SocketAddress(slot.peer), isTruncated: slot.was_cut != 0)
      }
    }
    if code != 0 { throw SystemError(code) }
    return datagrams
  }

  // MARK: - Sending

  /// Sends a datagram to an address, or to the peer. `wasRefused` is set if the system reports first
  /// that nobody has received an earlier one.
  func send(
    _ bytes: [UInt8], to address: SocketAddress?, wasRefused: inout Bool
  ) -> SendResult {
    guard let descriptor else { return .failed(.system(EBADF)) }
    var system: runnel_address?
    if let address {
      system = self.system(of: address)
      if system == nil { return .failed(.invalidPath) }
    }
    while true {
      let sent = bytes.withUnsafeBytes { bytes in
        if var system {
          runnel_send_datagram(descriptor.number, bytes.baseAddress, bytes.count, &system)
        } else {
          runnel_send_datagram(descriptor.number, bytes.baseAddress, bytes.count, nil)
        }
      }
      if sent >= 0 { return .sent }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .blocked
      case ECONNREFUSED where family != .unix && !wasRefused: wasRefused = true
      case EMSGSIZE: return .failed(.datagramTooLong(count: bytes.count))
      case EACCES where family != .unix: return .failed(.broadcastNotAllowed)
      default: return .failed(SystemError().cause)
      }
    }
  }

  private func system(of address: SocketAddress) -> runnel_address? {
    guard family == .ipv6, case .ip(let host, let port) = address else { return address.system }
    return host.mappedToIPv6.socketAddress(port: port)
  }

  func connect(to address: SocketAddress) throws(SocketError) {
    guard let descriptor else { throw SocketError(.connect, "\(address)", .system(EBADF)) }
    guard var system = system(of: address) else {
      throw SocketError(.connect, "\(address)", .invalidPath)
    }
    if runnel_connect(descriptor.number, &system) < 0 {
      throw SocketError(
        .connect, "\(address)", errno == EACCES ? .broadcastNotAllowed : SystemError().cause)
    }
    peer = address
    // Connecting chooses the local host of a socket that was bound to all of them.
    if file == nil, runnel_local_address(descriptor.number, &system) == 0 {
      self.address = SocketAddress(system)
    }
  }

  // MARK: - Groups

  /// Joins or leaves a multicast group. Index 0 lets the system choose the interface.
  func change(
    _ group: IPAddress, joins: Bool, onInterface index: UInt32
  ) throws(SystemError) {
    guard let descriptor else { throw SystemError(EBADF) }
    var system = group.socketAddress(port: 0)
    if runnel_change_group(descriptor.number, &system, index, joins ? 1 : 0) < 0 {
      throw SystemError()
    }
  }
}
