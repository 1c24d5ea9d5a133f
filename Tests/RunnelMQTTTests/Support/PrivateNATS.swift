import RunnelLoop
import RunnelMQTT
import RunnelStreams
import RunnelTesting
import TestSupport
import Testing

/// A `nats-server` for one test, with its listener for MQTT 3.1.1. It ends with the test.
struct PrivateNATS {
  let process: Fixture
  let loop: EventLoop
  let port: UInt16
  fileprivate let clients: Confined<[MQTTClient]>

  /// Creates a client on the loop of the test, which is closed at its end. `begin` is called in the same turn.
  func client(
    _ change: @escaping @Sendable (inout MQTTOptions) -> Void = { _ in },
    begin: @escaping @Sendable (MQTTClient) -> Void
  ) {
    loop.wait { [loop, port, clients] in
      do {
        let options = MQTTOptions {
          $0.backoff = Backoff(initial: .milliseconds(20), maximum: .milliseconds(100))
          change(&$0)
        }
        let client = try MQTTClient("mqtt://127.0.0.1:\(port)", options: options, on: loop)
        clients.value.append(client)
        begin(client)
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  /// Closes all clients.
  func closeClients() {
    loop.wait { [clients] in
      for client in clients.value { client.close() }
      clients.value = []
    }
  }
}

/// Runs the body of a test with a server and a loop, on a thread that may block.
func withNATS(_ body: @escaping @Sendable (PrivateNATS) -> Void) async {
  await ManualContext.onThread { _ in
    let loop = EventLoop(name: "test")
    let folder = TemporaryFolder()
    run(in: folder, on: loop, body)
    loop.stop()
    loop.join()
  }
}

private func run(in folder: TemporaryFolder, on loop: EventLoop, _ body: (PrivateNATS) -> Void) {
  // Another program may have taken a port meanwhile.
  for _ in 0..<10 {
    let ports = freePorts(2)
    folder.write(
      "nats.conf",
      """
      server_name: "test"
      host: 127.0.0.1
      port: \(ports[0])
      jetstream { store_dir: "\(folder.path)" }
      mqtt { host: 127.0.0.1, port: \(ports[1]) }
      """)
    let start = "exec /usr/sbin/nats-server -c '\(folder["nats.conf"])' 2>&1"
    let hasRun = withProcessHere(untilParentEnds + ["/bin/sh", "-c", start]) {
      process in
      while let line = process.readLine() {
        guard line.hasSuffix("Server is ready") else { continue }
        let server = PrivateNATS(
          process: process, loop: loop, port: ports[1], clients: Confined([]))
        body(server)
        server.closeClients()
        return true
      }
      return false
    }
    if hasRun { return }
  }
  Issue.record("nats-server does not start.")
}
