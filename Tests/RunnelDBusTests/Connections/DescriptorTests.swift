import Glibc
import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// Messages with descriptors that nobody takes.
@Suite struct DescriptorTests {
  /// True if no descriptor of the writing end is open any more.
  private func isClosed(_ pipe: TestPipe) -> Bool {
    var descriptor = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) == 1 && descriptor.revents & Int16(POLLHUP) != 0
  }

  private static let descriptor = RawMessage.number(0)

  private static func call(
    _ member: String, at path: String = "/one", _ more: [RawMessage.Field] = []
  ) -> [UInt8] {
    let fields: [RawMessage.Field] = [
      .path(path), .interface("org.example.Player"), .member(member), .signature("h"),
      .descriptorCount(1),
    ]
    return RawMessage.message(type: 1, fields + more, body: descriptor)
  }

  @Test func unusedDescriptorsAreClosed() async {
    let signal = RawMessage.signal(signature: "h", body: Self.descriptor, [.descriptorCount(1)])
    let reply = RawMessage.message(
      type: 2, [.replySerial(99), .signature("h"), .descriptorCount(1)], body: Self.descriptor)
    let messages = [
      signal, reply, Self.call("Absent"), Self.call("Note"), Self.call("Wait", at: "/two"),
    ]
    await withLoop { loop in
      let log = EventLog<String>()
      let player = Confined<PlayerObject?>(nil)
      let peer = RawPeer(on: loop, passesDescriptors: true) { connection in
        let object = PlayerObject(log)
        player.value = object
        connection.export(object.interface, at: "/one")
      }
      peer.authenticate(passingDescriptors: true)
      for (index, message) in messages.enumerated() {
        let pipe = TestPipe()
        peer.send(message, with: [pipe.writing])
        pipe.closeWriting()
        let fields: [RawMessage.Field] = [
          .path("/one"), .interface("org.example.Player"), .member("Note"), .signature("u"),
        ]
        peer.send(RawMessage.message(type: 1, fields, body: RawMessage.number(7)))
        log.wait(for: index + 1)
        let isClosed = isClosed(pipe)
        #expect(isClosed, "message \(index)")
      }
      loop.wait { player.value = nil }
      peer.end()
    }
  }

  @Test func aPeerWithoutABusSendsNoDescriptors() async {
    // The second message has an invalid header. sd-bus leaves its descriptor open.
    let invalid = Self.call("Note", at: "//", [])
    await withLoop { loop in
      for message in [Self.call("Note"), invalid] {
        let peer = RawPeer(on: loop) { _ in }
        peer.authenticate(passingDescriptors: true)
        let pipe = TestPipe()
        peer.send(message, with: [pipe.writing])
        pipe.closeWriting()
        #expect(peer.waitForLoss() != nil)
        let isClosed = isClosed(pipe)
        #expect(isClosed)
        peer.end()
      }
    }
  }

  @Test func descriptorsOfATrustedPeerArrive() async {
    await withLoop { loop in
      let pair = SocketPair()
      let sockets = [pair.near, pair.far].compactMap { BusDescriptor(duplicating: $0) }
      let kept = Confined<[BusConnection]>([])
      let log = EventLog<CallResult>()
      let pipe = TestPipe()
      loop.wait {
        let server = BusConnection(.acceptedSocket(sockets[0]), on: loop, passesDescriptors: true)
        let client = BusConnection(.peerSocket(sockets[1]), on: loop, passesDescriptors: true)
        kept.value = [server, client]
        var writer = BusInterface("org.example.Writer")
        writer.method("Write", "to") { (descriptor: BusDescriptor) throws(BusError) in
          _ = write(descriptor.number, "text", 4)
        }
        server.export(writer, at: "/one")
        let method = BusMethod("Write", of: "org.example.Writer", at: "/one", from: nil)
        let descriptor = BusDescriptor(duplicating: pipe.writing)
        client.call(method) { writer throws(BusError) in try descriptor?.write(to: writer) }
          .observe(
            succeeded: { log.add(CallResult($0)) }, failed: { log.add(.error($0)) })
      }
      #expect(log.wait(for: 1) == [.values("")])
      pipe.closeWriting()
      #expect(pipe.read() == "text")
      loop.wait { kept.value = [] }
    }
  }
}
