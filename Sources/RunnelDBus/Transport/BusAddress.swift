import CSystemd
import Glibc

/// The other side of a connection.
public enum BusAddress: Hashable, Sendable {
  /// The bus of the user's session: `DBUS_SESSION_BUS_ADDRESS`, or else the bus in `XDG_RUNTIME_DIR`.
  case session
  /// The bus of the system: `DBUS_SYSTEM_BUS_ADDRESS`, or else `/run/dbus/system_bus_socket`.
  case system
  /// A bus at an address, such as `unix:path=/run/example/bus`. Several addresses with `;` between are
  /// tried in order.
  ///
  /// An address of the kind `tcp:` with the name of a host blocks the loop until the name is resolved. One
  /// of the kind `unixexec:` starts a program.
  case bus(String)
  /// A program that listens at an address, without a bus between.
  case peer(String)
  /// A connected Unix socket to a program that has opened its end as `acceptedSocket`. The connection
  /// makes the socket non-blocking.
  case peerSocket(BusDescriptor)
  /// A connected Unix socket that this program has accepted. It authenticates the other side. The
  /// connection makes the socket non-blocking.
  case acceptedSocket(BusDescriptor)

  /// True if a bus routes the messages.
  var hasBus: Bool {
    switch self {
    case .session, .system, .bus: true
    case .peer, .peerSocket, .acceptedSocket: false
    }
  }

  /// The number of calls to services that may be unanswered. The bus of the system allows 128, and counts
  /// calls that were late until their services reply. The bus of a session allows 50,000.
  var unansweredCalls: Int {
    switch self {
    case .system, .bus: 120
    case .session: 49_000
    case .peer, .peerSocket, .acceptedSocket: .max
    }
  }

  /// The number of bytes of the body of a message that is sent. The bus of the system allows 32 MiB with the
  /// header, and ends the connection of a program that sends more.
  var messageBytes: Int {
    switch self {
    case .system, .bus: (1 << 25) - (1 << 16)
    case .session, .peer, .peerSocket, .acceptedSocket: BusLimits.bytes
    }
  }

  /// The text of the address, or nil for a socket.
  private var text: String? {
    func variable(_ name: String) -> String? {
      // A program that runs with other rights than its caller must not trust the environment.
      secure_getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    switch self {
    case .session:
      if let address = variable("DBUS_SESSION_BUS_ADDRESS") { return address }
      let folder = variable("XDG_RUNTIME_DIR") ?? "/run/user/\(getuid())"
      return "unix:path=\(Self.escaped(folder))/bus"
    case .system:
      return variable("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
    case .bus(let text), .peer(let text): return text
    case .peerSocket, .acceptedSocket: return nil
    }
  }

  /// Writes a value of an address. All bytes but letters, digits and some characters are escaped.
  static func escaped(_ value: String) -> String {
    let plain = Set("-_/.\\*".utf8)
    return value.utf8.map { byte in
      let character = UnicodeScalar(byte)
      let isPlain =
        plain.contains(byte) || character.isASCII && character.properties.isAlphabetic
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      if isPlain { return String(character) }
      let digits = String(byte, radix: 16)
      return "%" + (digits.utf8.count == 1 ? "0" : "") + digits
    }.joined()
  }

  /// Starts a connection, which is not yet authenticated. The caller releases it.
  func open(passesDescriptors: Bool) throws(BusError) -> OpaquePointer {
    guard let text else {
      return try Self.start(passesDescriptors) { bus in configureSocket(bus) }
    }
    // The parts of an address are alternatives. sd-bus would try the next one with another descriptor,
    // which the loop does not watch.
    var lastError = BusError.cannotConnect(code: EINVAL)
    for part in text.split(separator: ";") {
      do throws(BusError) {
        return try Self.start(passesDescriptors) { bus in
          let result = sd_bus_set_address(bus, String(part))
          return result < 0 ? result : sd_bus_set_bus_client(bus, hasBus ? 1 : 0)
        }
      } catch {
        lastError = error
      }
    }
    throw lastError
  }

  private func configureSocket(_ bus: OpaquePointer) -> Int32 {
    let isServer: Bool
    let socket: BusDescriptor
    switch self {
    case .peerSocket(let descriptor): (socket, isServer) = (descriptor, false)
    case .acceptedSocket(let descriptor): (socket, isServer) = (descriptor, true)
    case .session, .system, .bus, .peer: return -EINVAL
    }
    // sd-bus closes the descriptor that it is given.
    let duplicate = fcntl(socket.number, F_DUPFD_CLOEXEC, 3)
    if duplicate < 0 { return -errno }
    let result = sd_bus_set_fd(bus, duplicate, duplicate)
    if result < 0 {
      close(duplicate)
      return result
    }
    guard isServer else { return 0 }
    var identifier = sd_id128_t()
    sd_id128_randomize(&identifier)
    return sd_bus_set_server(bus, 1, identifier)
  }

  private static func start(
    _ passesDescriptors: Bool, _ configure: (OpaquePointer) -> Int32
  ) throws(BusError) -> OpaquePointer {
    var bus: OpaquePointer?
    let created = sd_bus_new(&bus)
    guard created >= 0, let bus else { throw .cannotConnect(code: -created) }
    // sd-bus leaves the descriptors of a message open whose header is invalid, and holds any number of them.
    var result = sd_bus_negotiate_fds(bus, passesDescriptors ? 1 : 0)
    if result >= 0 { result = configure(bus) }
    if result >= 0 { result = sd_bus_start(bus) }
    if result < 0 {
      sd_bus_unref(bus)
      throw .cannotConnect(code: -result)
    }
    return bus
  }
}

extension BusAddress: CustomStringConvertible {
  /// The address for logs, such as `dbus:session`.
  public var description: String {
    switch self {
    case .session: "dbus:session"
    case .system: "dbus:system"
    case .bus(let text), .peer(let text): "dbus:\(text)"
    case .peerSocket(let socket), .acceptedSocket(let socket): "dbus:socket \(socket.number)"
    }
  }
}
