import CBaseline
import Foundation
import Runnel
import RunnelTLS

/// Measures a transfer over TLS, beside OpenSSL over memory buffers in C. Both ends run on one
/// thread.
func measureTLS(_ report: inout Report) {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  let certificate = folder.appending(path: "certificate.pem").path()
  let key = folder.appending(path: "key.pem").path()
  do {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    openssl.arguments =
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
      + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
      + ["-keyout", key, "-out", certificate]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
  } catch {
    Main.fail("\(error)")
  }
  defer { try? FileManager.default.removeItem(at: folder) }

  let size = 1 << 28
  report.ratio(
    "TLS bulk transfer, 64 KiB", attempts: 3,
    beside: { nanoseconds(per: size >> 16) { net_tls_bulk(certificate, key, size) } },
    {
      nanoseconds(per: size >> 16) { done in
        let loop = EventLoop(name: "tls")
        loop.execute {
          net_pin()
          transfer(size, certificate, key, loop) {
            loop.stop()
            done()
          }
        }
      }
    })
}

/// Returns the time of one of `count` steps of work on a pinned thread.
private func nanoseconds(per count: Int, _ body: @escaping @Sendable () -> Void) -> Double {
  nanoseconds(per: count) { done in
    Thread {
      net_pin()
      body()
      done()
    }.start()
  }
}

private func nanoseconds(
  per count: Int, _ start: (_ done: @escaping @Sendable () -> Void) -> Void
) -> Double {
  let end = DispatchSemaphore(value: 0)
  return ContinuousClock().measure {
    start { end.signal() }
    end.wait()
  }.nanoseconds / Double(count)
}

private func transfer(
  _ size: Int, _ certificate: String, _ key: String, _ loop: EventLoop,
  _ done: @escaping @Sendable () -> Void
) {
  do {
    let identity = TLSIdentity(certificate: .file(certificate), key: .file(key))
    let ofServer = try TLSServerContext(certificates: [identity])
    let ofClient = try TLSClientContext(roots: .only(.file(certificate)))
    let listener = try Listener(.tcp("localhost", port: 0), on: loop)
    let accepting = listener.connections.take(1).stream.observeNext { plain in
      plain.tls(ofServer).observe(
        succeeded: { secure in
          var left = size
          secure.bytes.observe(
            next: {
              left -= $0.count
              if left == 0 { done() }
            }, failed: { Main.fail("\($0)") })
        }, failed: { Main.fail("\($0)") })
    }
    Connection.connect(to: .address(listener.address), on: loop).observe(
      succeeded: { plain in
        plain.tls(ofClient, host: "localhost").observe(
          succeeded: { send(size, over: $0) }, failed: { Main.fail("\($0)") })
      }, failed: { Main.fail("\($0)") })
    withExtendedLifetime(accepting) {}
  } catch {
    Main.fail("\(error)")
  }
}
