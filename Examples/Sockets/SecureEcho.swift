import Runnel
import RunnelTLS

let tls = try TLSServerContext(
  certificates: [TLSIdentity(certificate: "chain.pem", key: "key.pem")])
let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  client.tls(tls).observe(
    succeeded: { client in client.lines().map { "echo \($0)\n" }.bind(to: client.writer) },
    failed: { print($0) })
}
EventLoop.main.signals(.hangup).observeNext { _ in try? tls.reload() }

// A client that trusts this certificate only.
let trusted = try TLSClientContext(roots: .only("chain.pem"))
Connection.connect(to: .address(server.address), on: EventLoop.main)
  .flatMap { $0.tls(trusted, host: "localhost") }
  .observe(
    succeeded: { server in
      print(server.tlsSession?.version.description ?? "not encrypted")
      _ = server.write("hello\n")
      server.finish()
      server.lines().observe(
        next: { print($0) }, failed: { print($0) }, completed: { EventLoop.main.stop() })
    }, failed: { print($0) })
EventLoop.main.run()

// Output:
// TLS 1.3
// echo hello
