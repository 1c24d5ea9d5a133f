import Glibc
import RunnelDBus
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// Peers that violate the format of D-Bus.
@Suite struct HostilePeerTests {
  /// Sends bytes to a connection and closes the socket. Returns the results of the signals that arrived,
  /// and waits until the connection is lost.
  private func results(of messages: [UInt8], on loop: EventLoop) -> [CallResult] {
    var ends: [Int32] = [0, 0]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
    let socket = BusDescriptor(owning: ends[0])
    let peer = ends[1]
    let bytes = RawSignal.authentication + messages
    let count = write(peer, bytes, bytes.count)
    #expect(count == bytes.count)
    shutdown(peer, Int32(SHUT_WR))
    let log = EventLog<CallResult?>()
    let kept = Confined<BusConnection?>(nil)
    loop.execute {
      let connection = BusConnection(.acceptedSocket(socket), on: loop)
      kept.value = connection
      connection.signals(SignalFilter("Sent", of: "org.example.Raw")).observe(
        next: { log.add(CallResult($0.body)) }, failed: { Issue.record($0) })
      connection.state.stream.observeNext { state in
        if case .lost = state { log.add(nil) }
      }
    }
    let results = log.wait { $0.contains(nil) }.compactMap { $0 }
    close(peer)
    loop.wait { kept.value = nil }
    return results
  }

  @Test func messagesWithoutFaultArrive() async {
    await withLoop { loop in
      let message = RawSignal.message(signature: "s", body: RawSignal.text(Array("text".utf8)))
      #expect(results(of: message, on: loop) == [.values("string(\"text\")")])
    }
  }

  @Test func faultsInBodiesAreErrors() async {
    await withLoop { loop in
      let faults: [(String, [UInt8])] = [
        // Invalid UTF-8, a character of the code zero, and a length beyond the end.
        ("s", RawSignal.text([0xff, 0xfe])), ("s", RawSignal.text([0x61, 0, 0x62])),
        ("s", RawSignal.number(1_000) + [0x61, 0]),
        // No path, and no signature.
        ("o", RawSignal.text(Array("//".utf8))),
        ("g", [1, UInt8(ascii: "z"), 0]),
        // An array that is longer than the message.
        ("ai", RawSignal.number(60_000_000)),
        // A variant of two types, and one whose value is missing.
        ("v", [2, UInt8(ascii: "i"), UInt8(ascii: "i"), 0]), ("v", [1, UInt8(ascii: "i"), 0]),
        // Missing values.
        ("ii", RawSignal.number(1)),
      ]
      for (signature, body) in faults {
        let message = RawSignal.message(signature: signature, body: body)
        let good = RawSignal.message(signature: "u", body: RawSignal.number(7))
        let all = results(of: message + good, on: loop)
        // sd-bus checks some rules at once and drops the connection; others are seen when reading.
        for result in all where result != .values("uint32(7)") {
          guard case .error = result else {
            Issue.record("\(signature) \(body): \(result)")
            continue
          }
        }
      }
    }
  }

  @Test func deepVariantsAreErrors() async {
    await withLoop { loop in
      let levels = [[UInt8]](repeating: [1, UInt8(ascii: "v"), 0], count: 100)
      let body: [UInt8] = Array(levels.joined()) + [1, UInt8(ascii: "y"), 0, 5]
      let message = RawSignal.message(signature: "v", body: body)
      for result in results(of: message, on: loop) { #expect(result == .error(.tooDeep)) }
    }
  }

  @Test func damagedMessagesDoNotTrap() async {
    let text = Array("text é".utf8)
    let bodies: [(String, [UInt8])] = [
      ("s", RawSignal.text(text)), ("v", [1, UInt8(ascii: "u"), 0, 0] + RawSignal.number(3)),
      ("ay", RawSignal.number(4) + [1, 2, 3, 4]),
      ("(uu)", RawSignal.number(1) + RawSignal.number(2)),
      ("as", RawSignal.number(UInt32(RawSignal.text(text).count)) + RawSignal.text(text)),
    ]
    await withLoop { loop in
      for seed in 0..<300 {
        var random = SplitMix(seed: UInt64(seed))
        let (signature, body) = bodies[seed % bodies.count]
        var message = RawSignal.message(signature: signature, body: body)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let index = Int.random(in: 0..<message.count, using: &random)
          message[index] = .random(in: .min ... .max, using: &random)
        }
        // The connection survives, or is lost; both end in the state `lost` when the peer has gone.
        #expect(results(of: message, on: loop).count <= 1, "seed \(seed)")
      }
    }
  }
}
