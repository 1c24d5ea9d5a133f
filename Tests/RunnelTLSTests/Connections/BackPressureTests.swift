import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import TestSupport
import Testing

@Suite struct BackPressureTests {
  /// The largest numbers of waiting bytes.
  private final class Most {
    var secure = 0
    var plain = 0

    func note(_ plain: Connection?, _ secure: Connection) {
      self.secure = max(self.secure, secure.writer.waitingCount)
      self.plain = max(self.plain, plain?.writer.waitingCount ?? 0)
    }
  }

  @Test("An echo of 100 MB to a slow reader keeps few bytes in memory")
  func slowReaderBoundsMemory() async throws {
    let certificates = await TestCertificates.shared.value
    let ofServer = try TLSServerContext(certificates: [certificates.identity("server")])
    let ofClient = try TLSClientContext(roots: certificates.roots)
    let total = 100_000_000
    await withLoop { loop in
      let listener = Confined<Listener?>(nil)
      let most = Confined(Most())
      let log = EventLog<String>()
      let port = loop.wait {
        let made = makeListener(on: loop)
        listener.value = made
        made.connections.observeNext { plain in
          plain.tls(ofServer).observe(
            succeeded: { [weak plain] secure in
              secure.bytes.do(next: { _ in most.value.note(plain, secure) }).bind(to: secure.writer)
            }, failed: { log.add("\($0)") })
        }
        return made.address.port ?? 0
      }
      loop.connect(to: port, ofClient, log) { secure in
        let piece = [UInt8](repeating: 7, count: 50_000)
        let demand = Demand()
        var sent = 0
        var received = 0
        secure.writer.isWritable.observeNext { isWritable in
          while secure.writer.isWritable.value && sent < total && secure.write(piece) {
            sent += piece.count
          }
          // Reading begins when nothing moves any more.
          if !isWritable && demand.count == 0 { demand.request() }
        }
        secure.bytes(demand: demand).observe(
          next: { bytes in
            received += bytes.count
            most.value.note(nil, secure)
            if received == total { return log.add("received") }
            _ = loop.schedule(after: .zero) { demand.request() }
          }, failed: { log.add("\($0)") })
      }
      #expect(log.wait(for: 1) == ["received"])
      loop.wait {
        // The limit, and the bytes of the read in which it was reached.
        #expect(most.value.secure <= (1 << 18) + (1 << 16))
        // The ciphertext of one step, which is larger than its plaintext.
        #expect(most.value.plain <= (1 << 16) + (1 << 10))
        listener.value?.close()
      }
    }
  }

  @Test func pausedReaderGetsEverythingLater() async throws {
    let certificates = await TestCertificates.shared.value
    let ofServer = try TLSServerContext(certificates: [certificates.identity("server")])
    let ofClient = try TLSClientContext(roots: certificates.roots)
    await withLoop { loop in
      let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
      let received = EventLog<[UInt8]>()
      let log = EventLog<String>()
      let server = SecureServer(on: loop, ofServer) { connection in
        _ = connection.write(bytes)
        connection.finish()
      }
      loop.connect(to: server.port, ofClient, log) { secure in
        // Odd numbers of pieces, with a limited rate at first, and pauses of a turn between.
        secure.limitReading(bytesPerSecond: 50_000_000)
        let demand = Demand(1)
        var count = 0
        secure.bytes(demand: demand).observe(
          next: { piece in
            received.add(piece)
            count += 1
            if count == 5 { secure.limitReading(bytesPerSecond: nil) }
            _ = loop.schedule(after: .zero) { demand.request(count % 3 == 0 ? 2 : 1) }
          }, failed: { log.add("\($0)") }, completed: { log.add("completed") })
      }
      #expect(log.wait(for: 1) == ["completed"])
      #expect(Array(received.all.joined()) == bytes)
      server.wait(forConnections: 0)
    }
  }
}
