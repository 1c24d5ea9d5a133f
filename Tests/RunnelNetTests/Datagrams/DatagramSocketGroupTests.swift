import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Multicast on the loopback interface.
@Suite struct DatagramSocketGroupTests {
  private static let group = IPAddress(239, 255, 77, 1)
  private static let otherGroup = IPAddress(239, 255, 77, 2)
  private static let group6 = IPAddress("ff15::7701") ?? .loopback

  /// True if datagrams to a group reach a socket of this machine through `lo`. Otherwise the reason
  /// is printed.
  private func isPossible(_ group: IPAddress, at host: IPAddress) -> Bool {
    let peer = DatagramPeer(at: .ip(host, port: 0))
    peer.limitReceiving(milliseconds: 2_000)
    var system = Peer.system(.ip(group, port: 0))
    let interface = runnel_interface_index("lo")
    if runnel_change_group(peer.number, &system, interface, 1) == 0,
      runnel_set_group_options(peer.number, group.isIPv6 ? 1 : 0, 1, 1, interface) == 0,
      peer.send("try", to: .ip(group, port: peer.address.port ?? 0)), peer.receive() != nil
    {
      return true
    }
    print("Skipped: no multicast for \(group) on lo (\(String(cString: strerror(errno)))).")
    return false
  }

  private var options: DatagramOptions {
    DatagramOptions {
      $0.sharesAddress = true
      $0.multicast.interface = "lo"
    }
  }

  private func join(_ group: IPAddress, _ station: Station) {
    let failure = station.use { socket in
      do throws(SocketError) {
        try socket.joinGroup(group, on: "lo")
        return nil as SocketError?
      } catch {
        return error
      }
    }
    #expect(failure == nil)
  }

  @Test(arguments: ["0.0.0.0", "*"])
  func memberReceivesUntilItLeaves(host: String) async {
    guard isPossible(Self.group, at: IPAddress(0, 0, 0, 0)) else { return }
    await withLoop { [options] loop in
      let log = EventLog<String>()
      let station = Station(on: loop, at: .udp(host, port: 0), options) { socket in
        socket.datagrams.observeNext { log.add($0.text) }
      }
      let port = station.address.port ?? 0
      let sender = Station(on: loop, options)
      join(Self.group, station)
      _ = sender.use { $0.send(Array("one".utf8), to: .ip(Self.group, port: port)) }
      #expect(log.wait(for: 1) == ["one"])
      station.perform { socket in
        do {
          try socket.leaveGroup(Self.group, on: "lo")
        } catch {
          Issue.record(error)
        }
      }
      _ = sender.use { $0.send(Array("two".utf8), to: .ip(Self.group, port: port)) }
      _ = sender.use { $0.send(Array("end".utf8), to: .ip(.loopback, port: port)) }
      #expect(log.wait(for: 2) == ["one", "end"])
      station.use { $0.close() }
    }
  }

  @Test func memberReceivesOverIPv6() async {
    guard isPossible(Self.group6, at: IPAddress("::") ?? .loopback) else { return }
    await withLoop { [options] loop in
      let log = EventLog<String>()
      let station = Station(on: loop, at: .udp("::", port: 0), options) { socket in
        socket.datagrams.observeNext { log.add($0.text) }
      }
      join(Self.group6, station)
      let port = station.address.port ?? 0
      _ = station.use { $0.send(Array("six".utf8), to: .ip(Self.group6, port: port)) }
      #expect(log.wait(for: 1) == ["six"])
      station.use { $0.close() }
    }
  }

  @Test("A socket receives from the groups that it has joined, not from those of others")
  func othersGroupsAreNotReceived() async {
    guard isPossible(Self.group, at: IPAddress(0, 0, 0, 0)) else { return }
    await withLoop { [options] loop in
      let (first, second) = (EventLog<String>(), EventLog<String>())
      let one = Station(on: loop, at: .udp("0.0.0.0", port: 0), options) { socket in
        socket.datagrams.observeNext { first.add($0.text) }
      }
      let two = Station(
        on: loop, at: .udp("0.0.0.0", port: one.address.port ?? 0), options
      ) { socket in
        socket.datagrams.observeNext { second.add($0.text) }
      }
      let port = one.address.port ?? 0
      join(Self.group, one)
      join(Self.group, two)
      join(Self.otherGroup, two)
      let sender = Station(on: loop, options)
      for (text, group) in [("a", Self.group), ("b", Self.otherGroup), ("c", Self.group)] {
        _ = sender.use { $0.send(Array(text.utf8), to: .ip(group, port: port)) }
      }
      #expect(first.wait(for: 2) == ["a", "c"])
      #expect(second.wait(for: 3) == ["a", "b", "c"])
      one.use { $0.close() }
      two.use { $0.close() }
    }
  }

  /// The loopback interface sends back everything, so the options are read from the system.
  @Test func multicastOptionsAreSet() async {
    await withLoop { loop in
      var system = Peer.system(.ip(.loopback, port: 0))
      let number = runnel_socket(&system, Int32(SOCK_DGRAM.rawValue))
      let options = DatagramOptions {
        $0.multicast.timeToLive = 7
        $0.multicast.loops = false
      }
      let station = Station(on: loop, at: .descriptor(number), options)
      var (hops, loops): (Int32, Int32) = (0, 1)
      runnel_get_option(number, Int32(IPPROTO_IP), IP_MULTICAST_TTL, &hops)
      runnel_get_option(number, Int32(IPPROTO_IP), IP_MULTICAST_LOOP, &loops)
      #expect(hops == 7 && loops == 0)
      station.use { $0.close() }
    }
  }

  @Test func wrongMembershipsAreExplained() async {
    guard isPossible(Self.group, at: IPAddress(0, 0, 0, 0)) else { return }
    await withLoop { [options] loop in
      let station = Station(on: loop, options)
      let errors = station.use { socket in
        func error(_ body: () throws(SocketError) -> Void) -> SocketError? {
          do throws(SocketError) {
            try body()
            return nil
          } catch {
            return error
          }
        }
        return [
          error { () throws(SocketError) in try socket.leaveGroup(Self.group, on: "lo") },
          error { () throws(SocketError) in try socket.joinGroup(Self.group, on: "lo") },
          error { () throws(SocketError) in try socket.joinGroup(Self.group, on: "lo") },
          error { () throws(SocketError) in try socket.joinGroup(.loopback, on: "lo") },
          error { () throws(SocketError) in try socket.joinGroup(Self.otherGroup, on: "none") },
        ]
      }
      #expect(
        errors.map(\.?.cause) == [
          .membership(.notJoined), nil, .membership(.alreadyJoined), .membership(.notMulticast),
          .membership(.noInterface),
        ])
      #expect(
        errors[2]?.description == """
          Could not join the group 239.255.77.1 on lo: the socket has joined this group on this \
          interface already.
          """)
    }
  }

  @Test func unknownInterfaceIsExplained() async {
    await withLoop { loop in
      let cause = loop.wait {
        do throws(SocketError) {
          _ = try DatagramSocket(
            .udp("127.0.0.1", port: 0),
            options: DatagramOptions { $0.multicast.interface = "none" }, on: loop)
          return nil as SocketError.Cause?
        } catch {
          return error.cause
        }
      }
      #expect(cause == .membership(.noInterface))
    }
  }
}
