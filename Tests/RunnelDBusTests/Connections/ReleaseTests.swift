import RunnelLoop
import RunnelStreams
import TestSupport
import Testing

@testable import RunnelDBus

/// Objects that the thread of the test releases while their loop runs.
@Suite struct ReleaseTests {
  @Test func connectionEndsOnItsLoop() async {
    await withLoop { loop in
      let log = EventLog<String>()
      let peer = RawPeer(on: loop) { connection in
        connection.export(PlayerObject(EventLog()).interface, at: "/one")
        let method = BusMethod("Ask", of: "org.example.Raw", at: "/one", from: nil)
        connection.call(method).observe(
          failed: { log.add("\($0) \(loop.isCurrent)") })
      }
      peer.authenticate()
      peer.connection.value = nil
      #expect(log.wait(for: 1) == ["\(BusError.disconnected) true"])
      peer.waitForEnd()
      peer.end()
    }
  }

  @Test func followersEndOnTheirLoop() async {
    await withLoop { loop in
      let properties = Confined<RemoteProperties?>(nil)
      let objects = Confined<RemoteObjects?>(nil)
      for isOfProperties in [true, false] {
        let peer = RawPeer(on: loop) { connection in
          if isOfProperties {
            let raw = RemoteProperties(of: "org.example.Raw", at: "/one", from: nil, on: connection)
            _ = raw.property("Volume", as: UInt32.self)
            properties.value = raw
          } else {
            objects.value = connection.objects(of: "org.example.Raw", at: "/", from: nil)
          }
        }
        peer.authenticate()
        // The connection is retained by the follower alone.
        loop.wait { peer.connection.value = nil }
        properties.value = nil
        objects.value = nil
        peer.waitForEnd()
        peer.end()
      }
    }
  }

  @Test func receivedMessageIsReleasedOnItsLoop() async {
    await withLoop { loop in
      let signals = Confined<[BusSignal]>([])
      let log = EventLog<Void>()
      let peer = RawPeer(on: loop, passesDescriptors: true) { connection in
        connection.signals(SignalFilter("Sent", of: "org.example.Raw")).observe(
          next: { signal in
            signals.value.append(signal)
            log.add(())
          }, failed: { Issue.record($0) })
      }
      let pipe = TestPipe()
      peer.authenticate(passingDescriptors: true)
      var body = RawBody()
      body.number(UInt32(0))
      let message = RawMessage.signal(signature: "h", body: body.bytes, [.descriptorCount(1)])
      peer.send(message, with: [pipe.writing])
      log.wait(for: 1)
      pipe.closeWriting()
      signals.value = []
      // The message has closed its descriptor.
      #expect(pipe.read() == "")
      peer.end()
    }
  }
}
