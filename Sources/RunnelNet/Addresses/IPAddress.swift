import CSockets
import Glibc

/// An IPv4 or IPv6 address.
///
///     show(IPAddress("2001:db8::1") ?? .loopback)
public struct IPAddress: Hashable, Sendable {
  private enum Value: Hashable {
    case v4(UInt32)
    case v6(UInt64, UInt64, scope: UInt32)
  }

  private let value: Value

  /// Creates an address from its usual text, with a zone for a link-local one (`fe80::1%eth0`).
  /// Returns nil if the text is not a numeric address.
  public init?(_ text: String) {
    var address = runnel_address()
    guard !text.utf8.contains(0), runnel_parse_ip(text, 0, &address) == 1 else { return nil }
    self = Self.read(address).0
  }

  /// Creates an IPv4 address from its four bytes.
  public init(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) {
    value = .v4(UInt32(a) << 24 | UInt32(b) << 16 | UInt32(c) << 8 | UInt32(d))
  }

  /// `127.0.0.1`.
  public static let loopback = IPAddress(127, 0, 0, 1)

  /// True for an IPv6 address.
  public var isIPv6: Bool {
    switch value {
    case .v4: false
    case .v6: true
    }
  }

  /// True for an address of this machine: `127.0.0.0/8` and `::1`.
  public var isLoopback: Bool {
    switch value {
    case .v4(let bits): bits >> 24 == 127
    case .v6(let high, let low, _): high == 0 && low == 1 || mapped.map { $0 >> 24 == 127 } ?? false
    }
  }

  /// True for an address of a multicast group.
  public var isMulticast: Bool {
    switch value {
    case .v4(let bits): bits >> 28 == 0b1110
    case .v6(let high, _, _): high >> 56 == 0xff
    }
  }

  /// The same address as IPv4 if it is an IPv4 address mapped into IPv6 (`::ffff:192.0.2.1`), as a
  /// socket for both families reports it. Otherwise the address itself.
  public var unmapped: IPAddress {
    mapped.map { IPAddress(value: .v4($0)) } ?? self
  }

  /// The same address for a socket of IPv6, which wants IPv4 addresses mapped (`::ffff:192.0.2.1`).
  var mappedToIPv6: IPAddress {
    guard case .v4(let bits) = value else { return self }
    return IPAddress(value: .v6(0, 0xffff << 32 | UInt64(bits), scope: 0))
  }

  private var mapped: UInt32? {
    guard case .v6(0, let low, _) = value, low >> 32 == 0xffff else { return nil }
    return UInt32(truncatingIfNeeded: low)
  }

  private init(value: Value) {
    self.value = value
  }
}

extension IPAddress: CustomStringConvertible {
  /// The address in its usual form, such as `192.0.2.1` or `2001:db8::1`.
  public var description: String {
    let family = isIPv6 ? AF_INET6 : AF_INET
    let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
      bytes.withUnsafeBytes { inet_ntop(family, $0.baseAddress, text.baseAddress, 64) }
        .map { String(cString: $0) } ?? ""
    }
    guard case .v6(_, _, let scope) = value, scope != 0 else { return text }
    return "\(text)%\(scope)"
  }

  private var bytes: [UInt8] {
    switch value {
    case .v4(let bits): withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    case .v6(let high, let low, _):
      withUnsafeBytes(of: high.bigEndian) { Array($0) }
        + withUnsafeBytes(of: low.bigEndian) { Array($0) }
    }
  }
}

extension IPAddress {
  func socketAddress(port: UInt16) -> runnel_address {
    switch value {
    case .v4: runnel_ip_address(Int32(runnel_ipv4), bytes, port, 0)
    case .v6(_, _, let scope): runnel_ip_address(Int32(runnel_ipv6), bytes, port, scope)
    }
  }

  /// Reads the host and the port of an IPv4 or IPv6 socket address.
  static func read(_ address: runnel_address) -> (IPAddress, port: UInt16) {
    var address = address
    var port: UInt16 = 0
    var scope: UInt32 = 0
    var words: (UInt64, UInt64) = (0, 0)
    // Safety: the bytes of two words have room for an address of either family.
    withUnsafeMutableBytes(of: &words) {
      runnel_ip_parts(&address, $0.baseAddress?.assumingMemoryBound(to: UInt8.self), &port, &scope)
    }
    if runnel_address_family(&address) == Int32(runnel_ipv4) {
      let bits = UInt32(truncatingIfNeeded: words.0).bigEndian
      return (IPAddress(value: .v4(bits)), port)
    }
    return (
      IPAddress(value: .v6(words.0.bigEndian, words.1.bigEndian, scope: scope)), port
    )
  }
}
