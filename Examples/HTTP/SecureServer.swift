import Runnel
import RunnelTLS

let server = HTTPServer(on: EventLoop.main)
server.get("/") { _ in "secure" }
let context = try TLSServerContext(
  certificates: [TLSIdentity(certificate: "chain.pem", key: "key.pem")])
let listener = try server.listen(.tcp("localhost", port: 0), tls: context)
EventLoop.main.signals(.hangup).observeNext { _ in try? context.reload() }

let client = try HTTPClient(on: EventLoop.main, roots: .only("chain.pem"))
let response = client.exchange(
  HTTPRequest(.get, "https://localhost:\(listener.address.port ?? 0)/"))
if let response = try EventLoop.main.run(until: response.stream) { print(response.status) }

// Output:
// 200 OK
