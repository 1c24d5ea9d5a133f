import CSockets
import Glibc
import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@Suite struct DatagramSocketTests {
  @Test("The socket of the documentation's first lines answers each datagram")
  func echoesDatagrams() async {
    await withLoop { loop in
      let station = Station(on: loop) { socket in
        socket.datagrams.observeNext { socket.send($0.bytes, to: $0.sender) }
      }
      #expect(station.address.port != 0)
      let peer = DatagramPeer()
      for text in ["one", "", "three"] {
        peer.send(text, to: station.address)
        #expect(peer.receiveText() == text)
      }
      station.use { $0.close() }
    }
  }

  @Test func datagramHasItsSender() async {
    await withLoop { loop in
      let log = EventLog<Datagram>()
      let station = Station(on: loop) { $0.datagrams.observeNext { log.add($0) } }
      let (one, two) = (DatagramPeer(), DatagramPeer())
      one.send("a", to: station.address)
      log.wait(for: 1)
      two.send("b", to: station.address)
      #expect(
        log.wait(for: 2) == [Datagram([97], from: one.address), Datagram([98], from: two.address)])
      station.use { $0.close() }
    }
  }

  @Test(arguments: [(4, "abcd", false), (5, "abcde", false), (6, "abcde", true)])
  func longDatagramIsTruncated(_ length: Int, _ text: String, _ isTruncated: Bool) async {
    await withLoop { loop in
      let log = EventLog<Datagram>()
      let station = Station(on: loop, DatagramOptions { $0.maximumSize = 5 }) {
        $0.datagrams.observeNext { log.add($0) }
      }
      let peer = DatagramPeer()
      peer.send(String("abcdef".prefix(length)), to: station.address)
      peer.send("next", to: station.address)
      let datagrams = log.wait(for: 2)
      #expect(datagrams.map(\.text) == [text, "next"])
      #expect(datagrams.map(\.isTruncated) == [isTruncated, false])
      station.use { $0.close() }
    }
  }

  @Test func longestDatagramArrives() async {
    await withLoop { loop in
      let log = EventLog<Datagram>()
      let station = Station(on: loop) { $0.datagrams.observeNext { log.add($0) } }
      let bytes = (0..<65_507).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 2) }
      let peer = DatagramPeer()
      peer.send(bytes, to: station.address)
      #expect(log.wait(for: 1) == [Datagram(bytes, from: peer.address)])
      station.use { $0.close() }
    }
  }

  /// The sender waits for an acknowledgement of each batch, and repeats the request for it. The
  /// test therefore also ends if the system drops datagrams.
  @Test func receives10000Datagrams() async {
    let (batches, size) = (100, 100)
    await withLoop { loop in
      let numbers = EventLog<Int>()
      let station = Station(on: loop, DatagramOptions { $0.maximumSize = 2_048 }) { socket in
        socket.datagrams.observeNext { datagram in
          let text = datagram.text
          guard text.hasPrefix("end") else { return numbers.add(Int(text) ?? -1) }
          socket.send(datagram.bytes, to: datagram.sender)
        }
      }
      let peer = DatagramPeer()
      peer.limitReceiving(milliseconds: 200)
      for batch in 0..<batches {
        for number in 0..<size { peer.send("\(batch * size + number)", to: station.address) }
        let end = "end \(batch)"
        var answer: String?
        repeat {
          if answer == nil { peer.send(end, to: station.address) }
          answer = peer.receiveText()
        } while answer != end
      }
      let received = numbers.all
      #expect(!received.isEmpty && received.count <= batches * size)
      #expect(zip(received, received.dropFirst()).allSatisfy { $0 < $1 })
      #expect(received.allSatisfy { 0..<(batches * size) ~= $0 })
      if received.count < batches * size { print("The system dropped some of 10,000 datagrams.") }
      station.use { $0.close() }
    }
  }

  @Test func onlyBoundedBatchRunsInOneTurn() async {
    await withLoop { loop in
      let turns = EventLog<Int>()
      let station = Station(on: loop, DatagramOptions { $0.maximumSize = 512 })
      let peer = DatagramPeer()
      for _ in 0..<130 { peer.send("x", to: station.address) }
      station.perform { $0.datagrams.observeNext { _ in turns.add(loop.statistics.turns) } }
      let counts = turns.wait(for: 130).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
      #expect(counts.values.sorted() == [2, 64, 64])
      station.use { $0.close() }
    }
  }

  @Test func readsOnlyWhileObserved() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let station = Station(on: loop)
      let peer = DatagramPeer()
      for text in ["a", "b", "c", "d"] { peer.send(text, to: station.address) }
      station.perform { socket in
        socket.datagrams.take(1).observe(
          next: { log.add($0.text) },
          completed: {
            log.add("|")
            socket.datagrams.take(2).observe(
              next: { log.add($0.text) }, completed: { log.add("|") })
          })
      }
      #expect(log.wait(for: 5) == ["a", "|", "b", "c", "|"])
      station.perform { socket in socket.datagrams.take(1).observe(next: { log.add($0.text) }) }
      #expect(log.wait(for: 6).last == "d")
      station.use { $0.close() }
    }
  }

  @Test func demandLimitsReading() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let demand = Confined<Demand?>(nil)
      let station = Station(on: loop)
      let peer = DatagramPeer()
      for number in 0..<10 { peer.send("\(number)", to: station.address) }
      station.perform { socket in
        let limit = Demand(3)
        demand.value = limit
        socket.datagrams(demand: limit).observeNext { log.add($0.text) }
      }
      log.wait(for: 3)
      // Two turns later, no more were received.
      loop.wait {}
      loop.wait {}
      #expect(log.all == ["0", "1", "2"])
      loop.wait { demand.value?.request(2) }
      log.wait(for: 5)
      loop.wait {}
      #expect(log.all == ["0", "1", "2", "3", "4"])
      loop.wait { demand.value?.request(.max) }
      #expect(log.wait(for: 10) == (0..<10).map { "\($0)" })
      station.use { $0.close() }
    }
  }

  @Test func receivesFromBothFamilies() async {
    await withLoop { loop in
      let log = EventLog<Datagram>()
      let station = Station(on: loop, at: .udp(port: 0)) { socket in
        socket.datagrams.observeNext {
          log.add($0)
          socket.send($0.bytes, to: $0.sender)
        }
      }
      let port = station.address.port ?? 0
      let peer = DatagramPeer()
      peer.send("four", to: .ip(.loopback, port: port))
      #expect(peer.receiveText() == "four")
      #expect(log.all.map(\.sender) == [peer.address])
      let loopback = SocketAddress.ip(IPAddress("::1") ?? .loopback, port: 0)
      guard DatagramPeer.canBind(loopback) else { return print("Skipped: no IPv6 on lo.") }
      let peer6 = DatagramPeer(at: loopback)
      peer6.send("six", to: .ip(IPAddress("::1") ?? .loopback, port: port))
      #expect(peer6.receiveText() == "six")
      #expect(log.all.map(\.sender) == [peer.address, peer6.address])
      station.use { $0.close() }
    }
  }

  @Test func adoptsDescriptor() async {
    await withLoop { loop in
      let log = EventLog<String>()
      var system = Peer.system(.ip(.loopback, port: 0))
      let number = runnel_socket(&system, Int32(SOCK_DGRAM.rawValue))
      runnel_bind(number, &system)
      let station = Station(on: loop, at: .descriptor(number)) {
        $0.datagrams.observeNext { log.add($0.text) }
      }
      DatagramPeer().send("hello", to: station.address)
      #expect(log.wait(for: 1) == ["hello"])
      station.use { $0.close() }
      DatagramPeer.waitUntilClosed(station.address)
    }
  }

  @Test func unsuitableEndpointsAreRefused() async {
    await withLoop { loop in
      let used = DatagramPeer()
      let pair = SocketPair()
      let near = pair.near
      let errors = loop.wait {
        let endpoints: [Endpoint] = [
          .tcp("127.0.0.1", port: 0), .udp("example.org", port: 0), .descriptor(near),
          .address(used.address), .udp("192.0.2.1", port: 0), .unix(""), .descriptor(-1),
        ]
        return endpoints.map { endpoint in
          do throws(SocketError) {
            _ = try DatagramSocket(endpoint, on: loop)
            return nil as SocketError.Cause?
          } catch {
            return error.cause
          }
        }
      }
      #expect(
        errors == [
          .unsuitable, .unsuitable, .unsuitable, .addressInUse, .notLocal, .invalidPath,
          .system(EBADF),
        ])
      #expect(fcntl(near, F_GETFD) != -1)
    }
  }

  @Test func sharedPortAcceptsSecondSocket() async {
    await withLoop { loop in
      let first = Station(on: loop, DatagramOptions { $0.sharesPort = true })
      let second = Station(
        on: loop, at: .address(first.address), DatagramOptions { $0.sharesPort = true })
      #expect(first.address == second.address)
    }
  }
}
