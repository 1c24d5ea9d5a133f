import RunnelLoop
import RunnelNet
import RunnelStreams
import RunnelTLS
import RunnelTesting
import TestSupport

/// A listener whose connections begin with TLS.
final class SecureServer: Sendable {
  let loop: EventLoop
  let port: UInt16
  /// The errors of handshakes.
  let failures = EventLog<String>()
  /// The results of handshakes.
  let sessions = EventLog<TLSSession>()
  private let listener = Confined<Listener?>(nil)

  init(
    on loop: EventLoop, _ context: TLSServerContext,
    _ handle: @escaping @Sendable (Connection) -> Void = { echo($0) }
  ) {
    self.loop = loop
    let (failures, sessions, listener) = (failures, sessions, listener)
    port = loop.wait {
      let made = makeListener(on: loop)
      listener.value = made
      made.connections.observeNext { plain in
        plain.tls(context).observe(
          succeeded: { connection in
            if let session = connection.tlsSession { sessions.add(session) }
            handle(connection)
          }, failed: { failures.add("\($0.cause)") })
      }
      return made.address.port ?? 0
    }
  }

  deinit {
    let listener = listener
    loop.execute { listener.value?.close() }
  }

  /// The number of open connections, once the jobs before have run.
  var connectionCount: Int {
    loop.wait { [listener] in listener.value?.connectionCount ?? 0 }
  }

  func wait(forConnections count: Int) {
    while connectionCount != count {}
  }
}

/// Answers each line with "echo " and the line.
func echo(_ connection: Connection) {
  connection.lines().map { "echo \($0)\n" }.bind(to: connection.writer)
}

func makeListener(on loop: EventLoop) -> Listener {
  do {
    return try Listener(.tcp("127.0.0.1", port: 0), on: loop)
  } catch {
    fatalError("\(error)")
  }
}

/// Runs a body with a server on a loop of its own, which ends with it. The body may wait for
/// processes.
func withServer(
  _ context: TLSServerContext, _ handle: @escaping @Sendable (Connection) -> Void = { echo($0) },
  _ body: (SecureServer) async throws -> Void
) async rethrows {
  let loop = EventLoop(name: "server")
  let server = await ManualContext.onThread { _ in SecureServer(on: loop, context, handle) }
  do {
    try await body(server)
  } catch {
    await end(loop)
    throw error
  }
  await end(loop)
}

private func end(_ loop: EventLoop) async {
  await ManualContext.onThread { _ in
    loop.stop()
    loop.join()
  }
}

extension EventLoop {
  /// Connects with TLS, and calls the closure on the loop with the connection.
  func connect(
    to port: UInt16, _ context: TLSClientContext, host: String = "localhost",
    _ log: EventLog<String>,
    _ use: @escaping @Sendable (Connection) -> Void
  ) {
    execute {
      Connection.connect(to: .tcp("127.0.0.1", port: port), on: self).stream
        .flatMap { $0.tls(context, host: host).stream }
        .observe(next: { use($0) }, failed: { log.add("\($0)") })
    }
  }

  /// Connects, sends a line, and logs the first line of the answer or the error.
  func exchange(
    with port: UInt16, _ context: TLSClientContext, host: String = "localhost"
  ) -> String {
    let log = EventLog<String>()
    connect(to: port, context, host: host, log) { connection in
      _ = connection.write("hello\n")
      connection.lines().take(1).observe(
        next: { log.add($0) }, failed: { log.add("\($0)") }, completed: { connection.close() })
    }
    return log.wait(for: 1)[0]
  }
}
