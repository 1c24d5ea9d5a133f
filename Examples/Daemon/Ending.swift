import Glibc
import Runnel

@MainActor func end(_ service: Lifecycle, _ server: HTTPServer, _ isIdle: Property<Bool>) {
  service.onShutdown("file") { _ = await isIdle.stream.filter { $0 }.first() }
  service.onShutdown("requests", within: .seconds(6), server.close(within: .seconds(5)))
}

let outcome = EventLoop.main.runUntilTerminated { service in
  let server = HTTPServer(on: EventLoop.main)
  let sockets = try Activation.descriptors().map { Endpoint.descriptor($0.number) }
  let endpoints = sockets.isEmpty ? [Endpoint.tcp("127.0.0.1", port: 0)] : sockets
  for endpoint in endpoints { try server.listen(endpoint) }

  end(service, server, Property(true))
  kill(getpid(), SIGTERM)  // as systemd does
}
print(outcome.exitCode)

// Output:
// 0
