import Runnel
import RunnelNetTesting
import RunnelTesting

@MainActor func serve(on network: some Network) throws {
  let server = try Listener(.tcp("server", port: 7), on: network)
  server.connections.observeNext { client in
    client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
  }
}

let scheduler = TestScheduler()
let network = TestNetwork(on: scheduler)
network.latency = .milliseconds(20)
network.pieceSize = 1  // each byte arrives alone
try serve(on: network)
var answers: [String] = []
Connection.connect(to: .tcp("server", port: 7), on: network).observe(
  succeeded: { client in
    _ = client.write("hello\n")
    client.lines().observe(next: { answers.append($0) }, failed: { _ in })
  }, failed: { _ in })
scheduler.advance(by: .seconds(1))
print(answers)

// Output:
// ["echo hello"]
