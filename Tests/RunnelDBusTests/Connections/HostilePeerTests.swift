import Glibc
import RunnelLoop
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

@testable import RunnelDBus

/// Peers that violate the format of D-Bus.
@Suite struct HostilePeerTests {
  /// Sends bytes to a connection and ends the side of the peer, after the connection has done what the
  /// closure says. Returns the error with which the connection is lost.
  private func send(
    _ messages: [UInt8], on loop: EventLoop,
    to use: @escaping @Sendable (BusConnection) -> Void
  ) -> BusError? {
    let peer = RawPeer(on: loop, use)
    peer.send(RawMessage.authentication + messages)
    peer.finish()
    let error = peer.waitForLoss()
    peer.end()
    return error
  }

  /// Returns the results of the signals that arrived, and the error of the connection.
  private func outcome(
    of messages: [UInt8], on loop: EventLoop
  ) -> (results: [CallResult], error: BusError?) {
    let log = EventLog<CallResult>()
    let error = send(messages, on: loop) { connection in
      connection.signals(SignalFilter("Sent", of: "org.example.Raw")).observe(
        next: { signal in
          #expect(signal.sender == nil)
          log.add(CallResult(signal.body))
        }, failed: { Issue.record($0) })
    }
    return (log.all, error)
  }

  private func results(of messages: [UInt8], on loop: EventLoop) -> [CallResult] {
    outcome(of: messages, on: loop).results
  }

  @Test func messagesWithoutFaultArrive() async {
    await withLoop { loop in
      let message = RawMessage.signal(signature: "s", body: RawMessage.text("text"))
      #expect(results(of: message, on: loop) == [.values("string(\"text\")")])
    }
  }

  @Test func faultsInBodiesAreErrors() async {
    await withLoop { loop in
      let faults: [(String, [UInt8])] = [
        // Invalid UTF-8, a character of the code zero, and a length beyond the end.
        ("s", RawMessage.text([0xff, 0xfe])), ("s", RawMessage.text([0x61, 0, 0x62])),
        ("s", RawMessage.number(1_000) + [0x61, 0]),
        // No path, and no signature.
        ("o", RawMessage.text("//")),
        ("g", [1, UInt8(ascii: "z"), 0]),
        // An array that is longer than the message.
        ("ai", RawMessage.number(60_000_000)),
        // A variant of two types, and one whose value is missing.
        ("v", [2, UInt8(ascii: "i"), UInt8(ascii: "i"), 0]), ("v", [1, UInt8(ascii: "i"), 0]),
        // Missing values.
        ("ii", RawMessage.number(1)),
      ]
      for (signature, body) in faults {
        let message = RawMessage.signal(signature: signature, body: body)
        let good = RawMessage.signal(signature: "u", body: RawMessage.number(7))
        let (all, error) = outcome(of: message + good, on: loop)
        // sd-bus checks some rules at once and drops the connection; others are seen when reading.
        if case .error = all.first, all.count == 2, all[1] == .values("uint32(7)") { continue }
        let isLost = all.isEmpty && error != .disconnected
        #expect(isLost, "\(signature) \(body): \(all), \(String(describing: error))")
      }
    }
  }

  @Test func deepVariantsAreErrors() async {
    await withLoop { loop in
      let levels = [[UInt8]](repeating: [1, UInt8(ascii: "v"), 0], count: 100)
      let body: [UInt8] = Array(levels.joined()) + [1, UInt8(ascii: "y"), 0, 5]
      let message = RawMessage.signal(signature: "v", body: body)
      #expect(results(of: message, on: loop) == [.error(.tooDeep)])
    }
  }

  @Test func otherByteOrderIsRead() async {
    var body = RawBody(.big)
    body.number(UInt8(7))
    body.number(UInt32(1))
    body.number(Int16(-2))
    body.number(UInt16(3))
    body.number(Int32(-4))
    body.number(UInt32(5))
    body.number(Int64(-6))
    body.number(UInt64(7))
    body.number((1.5).bitPattern)
    body.text("text")
    body.text("/a")
    body.signature("i")
    body.array(alignment: 1) { $0.number(UInt8(1)) }
    body.signature("ay")
    body.array(alignment: 1) { body in for byte in UInt8(2)...4 { body.number(byte) } }
    let values: [Variant.Content] = [
      .byte(7), .boolean(true), .int16(-2), .uint16(3), .int32(-4), .uint32(5), .int64(-6),
      .uint64(7), .double(1.5), .string("text"), .objectPath("/a"), .signature(Signature([.int32])),
      .bytes([1]), .variant(Variant(.bytes([2, 3, 4]))),
    ]
    let expected = CallResult.values(values.map { "\($0)" }.joined(separator: ", "))
    let message = RawMessage.signal(
      signature: "ybnqiuxtdsogayv", body: body.bytes, order: .big)
    await withLoop { loop in #expect(results(of: message, on: loop) == [expected]) }
  }

  @Test func damagedMessagesDoNotTrap() async {
    let text = Array("text é".utf8)
    let bodies: [(String, [UInt8])] = [
      ("s", RawMessage.text(text)), ("v", [1, UInt8(ascii: "u"), 0, 0] + RawMessage.number(3)),
      ("ay", RawMessage.number(4) + [1, 2, 3, 4]),
      ("(uu)", RawMessage.number(1) + RawMessage.number(2)),
      ("as", RawMessage.number(UInt32(RawMessage.text(text).count)) + RawMessage.text(text)),
    ]
    await withLoop { loop in
      for seed in 0..<300 {
        var random = SplitMix(seed: UInt64(seed))
        let (signature, body) = bodies[seed % bodies.count]
        var message = RawMessage.signal(signature: signature, body: body)
        let changesLength = Self.damage(&message, &random)
        let good = RawMessage.signal(signature: "u", body: RawMessage.number(7))
        let (all, error) = outcome(of: message + good, on: loop)
        // The next message arrives, or the damage ends the connection.
        let isRead = all.last == .values("uint32(7)") && all.count <= 2
        let isLost = all.isEmpty && (error != .disconnected || changesLength)
        #expect(isRead || isLost, "seed \(seed): \(all), \(String(describing: error))")
      }
    }
  }

  /// Changes some bytes. Returns true if the message may have another length or byte order, so that it
  /// includes the next message.
  private static func damage(_ message: inout [UInt8], _ random: inout SplitMix) -> Bool {
    var changesLength = false
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0..<message.count, using: &random)
      message[index] = .random(in: .min ... .max, using: &random)
      if index == 0 || (4..<8).contains(index) || (12..<16).contains(index) { changesLength = true }
    }
    return changesLength
  }

  // MARK: - Replies

  /// The results of a call, of which the peer sends the reply before it can know of the call.
  private func results(ofReplies replies: [UInt8], on loop: EventLoop) -> [CallResult] {
    let log = EventLog<CallResult>()
    let ask = BusMethod("Ask", of: "org.example.Raw", at: "/one", from: nil)
    _ = send(replies, on: loop) { connection in
      connection.call(ask).observe(
        succeeded: { log.add(CallResult($0)) }, failed: { log.add(.error($0)) })
    }
    return log.all
  }

  @Test func onlyTheFirstReplyCounts() async {
    await withLoop { loop in
      let unasked = RawMessage.reply(to: 99, 9)
      let twice = RawMessage.reply(to: 1, 5) + RawMessage.reply(to: 1, 6)
      let error = RawMessage.error(to: 1, "org.example.Late")
      #expect(results(ofReplies: unasked + twice + error, on: loop) == [.values("uint32(5)")])
    }
  }

  @Test func missingReplyEndsWithTheConnection() async {
    await withLoop { loop in
      #expect(results(ofReplies: [], on: loop) == [.error(.disconnected)])
    }
  }

  @Test(arguments: ["Disconnected", "Timeout"])
  func peerCannotCauseErrorsOfThisSide(_ name: String) async {
    let name = "org.freedesktop.DBus.Error." + name
    await withLoop { loop in
      let expected = CallResult.error(.other(name: name, text: ""))
      #expect(results(ofReplies: RawMessage.error(to: 1, name), on: loop) == [expected])
    }
  }

  /// The highest number is the one of the replies that sd-bus makes.
  @Test(arguments: [1, UInt32.max])
  func fakedNoReplyIsNoTimeout(_ serial: UInt32) async {
    let reply = RawMessage.error(to: 1, "org.freedesktop.DBus.Error.NoReply", own: serial)
    await withLoop { loop in
      #expect(results(ofReplies: reply, on: loop) == [.error(.noReply(""))])
    }
  }

  // MARK: - Calls to an object

  /// Serves a player to a peer that sends the messages, and returns what the player has logged.
  private func outcome(
    ofCalls calls: [UInt8], on loop: EventLoop
  ) -> (log: [String], error: BusError?) {
    let log = EventLog<String>()
    let player = Confined<PlayerObject?>(nil)
    let error = send(calls, on: loop) { connection in
      let object = PlayerObject(log)
      player.value = object
      connection.export(object.interface, at: "/one") { _ in true }
    }
    loop.wait { player.value = nil }
    return (log.all, error)
  }

  private func log(ofCalls calls: [UInt8], on loop: EventLoop) -> [String] {
    outcome(ofCalls: calls, on: loop).log
  }

  private func call(
    _ member: String, of interface: String = "org.example.Player", _ signature: String,
    _ body: [UInt8]
  ) -> [UInt8] {
    let fields: [RawMessage.Field] = [
      .path("/one"), .interface(interface), .member(member), .signature(signature),
    ]
    return RawMessage.message(type: 1, fields, body: body)
  }

  @Test func damagedCallsDoNotTrap() async {
    let properties = "org.freedesktop.DBus.Properties"
    let names = RawMessage.text("org.example.Player") + [0]
    let calls = [
      call("Note", "u", RawMessage.number(1)),
      call("Get", of: properties, "ss", names + RawMessage.text("Title")),
      call("GetAll", of: properties, "s", RawMessage.text("org.example.Player")),
      call("Introspect", of: "org.freedesktop.DBus.Introspectable", "", []),
    ]
    await withLoop { loop in
      #expect(log(ofCalls: calls[0] + calls[1] + calls[0], on: loop) == ["1", "1"])
      for seed in 0..<300 {
        var random = SplitMix(seed: UInt64(seed))
        var message = calls[seed % calls.count]
        let changesLength = Self.damage(&message, &random)
        let good = call("Note", "u", RawMessage.number(7))
        let (all, error) = outcome(ofCalls: message + good, on: loop)
        let isServed = all.last == "7" && all.count <= 2
        let isLost = all.isEmpty && (error != .disconnected || changesLength)
        #expect(isServed || isLost, "seed \(seed): \(all), \(String(describing: error))")
      }
    }
  }

  /// The peer sends calls and does not read the replies.
  @Test func manyCallsWithoutReadingAreServed() async {
    await withLoop { loop in
      let calls = [[UInt8]](repeating: call("Note", "u", RawMessage.number(1)), count: 500)
      #expect(log(ofCalls: Array(calls.joined()), on: loop).count == 500)
    }
  }

  /// The peer sends calls with large replies and does not read them.
  @Test func unreadRepliesAreLimited() async {
    await withLoop { loop in
      let calls = [[UInt8]](repeating: call("Large", "", []), count: 200)
      // A reply has a size of 1 MiB.
      let count = log(ofCalls: Array(calls.joined()), on: loop).count
      let limit = BusLimits.unreadReplyBytes / 2 / (1 << 20)
      // The socket has room for at most 16 MiB.
      #expect(count >= limit - 1 && count <= limit + 18, "\(count)")
    }
  }

  /// A peer asks for a property whose name has a size of 1 MiB. The error would repeat it.
  @Test func textsOfErrorsAreCutOff() async {
    let name = String(repeating: "a", count: 1 << 20)
    var body = RawBody()
    body.text("org.example.Player")
    body.align(to: 4)
    body.text(name)
    let call = call("Get", of: "org.freedesktop.DBus.Properties", "ss", body.bytes)
    await withLoop { loop in
      let log = EventLog<String>()
      let player = Confined<PlayerObject?>(nil)
      let peer = RawPeer(on: loop) { connection in
        let object = PlayerObject(log)
        player.value = object
        connection.export(object.interface, at: "/one")
      }
      peer.authenticate()
      peer.send(call + self.call("Note", "u", RawMessage.number(1)))
      log.wait(for: 1)
      let count = peer.readAvailable()
      #expect(count > BusLimits.errorBytes && count < BusLimits.errorBytes + 1_000, "\(count)")
      loop.wait { player.value = nil }
      peer.end()
    }
  }

  // MARK: - Connections

  /// Messages that were not delivered when the connection is closed are dropped.
  @Test func closingDeliversNothing() async {
    await withLoop { loop in
      let log = EventLog<CallResult>()
      let peer = RawPeer(on: loop) { connection in
        connection.signals(SignalFilter("Sent", of: "org.example.Raw")).observe(
          next: { signal in log.add(CallResult(signal.body)) }, failed: { Issue.record($0) })
      }
      peer.authenticate()
      loop.wait {
        // In the turn in which the signal arrives.
        peer.send(RawMessage.signal(signature: "u", body: RawMessage.number(7)))
        peer.connection.value?.close()
      }
      #expect(log.all == [])
      #expect(peer.states.all.last == .closed)
      peer.end()
    }
  }

  /// Messages that wait for room are written when the connection is closed.
  @Test func closingWritesWhatHasRoom() async {
    await withLoop { loop in
      let peer = RawPeer(on: loop) { _ in }
      peer.authenticate()
      let (first, rest) = loop.wait { () -> (Int, Int) in
        let bytes = [UInt8](repeating: 1, count: 10_000)
        // The socket has room for at most 16 MiB.
        for _ in 0..<3_000 {
          try? peer.connection.value?.send("Sent", of: "org.example.Raw", at: "/one") {
            writer throws(BusError) in try bytes.write(to: writer)
          }
        }
        let first = peer.readAvailable()
        peer.connection.value?.close()
        return (first, peer.readAvailable())
      }
      #expect(first > 0 && first < 30_000_000 && rest > 0, "\(first), \(rest)")
      peer.end()
    }
  }

  @Test func fakedSenderIsIgnored() async {
    await withLoop { loop in
      let message = RawMessage.signal(
        signature: "u", body: RawMessage.number(7), [.sender("org.freedesktop.DBus")])
      #expect(results(of: message, on: loop) == [.values("uint32(7)")])
    }
  }

  @Test func hugeMessagesLoseTheConnection() async {
    await withLoop { loop in
      for size in [UInt32(1) << 27, 0x7fff_ffff, .max] {
        let fields: [RawMessage.Field] = [
          .path("/one"), .interface("org.example.Raw"), .member("Sent"), .signature("ay"),
        ]
        let message = RawMessage.message(type: 4, fields, bodySize: size)
        // The peer keeps its side open.
        let peer = RawPeer(on: loop) { _ in }
        peer.send(RawMessage.authentication + message)
        let error = peer.waitForLoss()
        #expect(error != nil && error != .disconnected)
        peer.end()
      }
    }
  }

  @Test func wrongAuthenticationIsNoConnection() async {
    await withLoop { loop in
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      let socket = BusDescriptor(owning: ends[0])
      let peer = ends[1]
      let text = Array("GET / HTTP/1.1\r\n\r\n".utf8)
      #expect(write(peer, text, text.count) == text.count)
      let log = EventLog<BusConnection.State>()
      let kept = Confined<BusConnection?>(nil)
      loop.execute {
        kept.value = BusConnection(.acceptedSocket(socket), on: loop)
        kept.value?.state.stream.observeNext { log.add($0) }
      }
      let states = log.wait { if case .lost = $0.last { true } else { false } }
      if case .lost(.cannotConnect) = states.last {} else { Issue.record("\(states)") }
      close(peer)
      loop.wait { kept.value = nil }
    }
  }

  @Test func endBeforeTheAuthenticationIsNoConnection() async {
    await withLoop { loop in
      let peer = RawPeer(on: loop) { _ in }
      peer.finish()
      let error = peer.waitForLoss()
      if case .cannotConnect = error {} else { Issue.record("\(String(describing: error))") }
      peer.end()
    }
  }

  /// A signal goes out with the size that the writer has counted.
  @Test func writtenSizeIsTheSizeOfTheBody() async {
    await withLoop { loop in
      var ends: [Int32] = [0, 0]
      socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends)
      let socket = BusDescriptor(owning: ends[0])
      let peer = ends[1]
      let bytes = RawMessage.authentication
      #expect(write(peer, bytes, bytes.count) == bytes.count)
      let kept = Confined<BusConnection?>(nil)
      loop.wait { kept.value = BusConnection(.acceptedSocket(socket), on: loop) }
      // The answer to the authentication is a line.
      var byte: UInt8 = 0
      repeat { #expect(read(peer, &byte, 1) == 1) } while byte != UInt8(ascii: "\n")
      for seed in 0..<300 {
        let size = loop.wait {
          var random = RandomContent(random: SplitMix(seed: UInt64(seed)))
          let content = random.content(of: random.type())
          let size = Confined(0)
          do throws(BusError) {
            try kept.value?.send("Sent", of: "org.example.Raw", at: "/one") {
              writer throws(BusError) in
              try writer.write(content)
              if case .message(let message) = writer.sink { size.value = message.size }
            }
          } catch {
            Issue.record("seed \(seed): \(error)")
          }
          return size.value
        }
        #expect(Self.readMessage(from: peer) == size, "seed \(seed)")
      }
      close(peer)
      loop.wait { kept.value = nil }
    }
  }

  /// Reads a message and returns the size of its body.
  private static func readMessage(from peer: Int32) -> Int {
    func next(_ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var filled = 0
      while filled < count {
        let result = bytes.withUnsafeMutableBytes {
          read(peer, $0.baseAddress.map { $0 + filled }, count - filled)
        }
        if result <= 0 { return [] }
        filled += result
      }
      return bytes
    }
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let start = next(16)
    guard start.count == 16 else { return -1 }
    let (body, fields) = (number(start[4..<8]), number(start[12..<16]))
    _ = next((fields + 7) & ~7)
    return next(body).count == body ? body : -1
  }
}
