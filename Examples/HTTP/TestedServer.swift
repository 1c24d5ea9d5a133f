import Runnel
import RunnelNetTesting
import RunnelTesting

let scheduler = TestScheduler()
let network = TestNetwork(on: scheduler)
network.pieceSize = 1  // each byte arrives alone
let server = HTTPServer(on: network)
server.get("/later") { _ in
  EventStream.timer(after: .seconds(10), on: scheduler).map { "done" }
}
try server.listen(.tcp("server", port: 80))
var answer = ""
let client = HTTPClient(on: network)
client.proxies = HTTPProxies()  // none, also if the environment names some
client.get("http://server/later").text().observe(succeeded: { answer = $0 }, failed: { _ in })
scheduler.advance(by: .seconds(9))
print("after 9 seconds: \"\(answer)\"")
scheduler.advance(by: .seconds(2))
print("after 11 seconds: \"\(answer)\"")

// Output:
// after 9 seconds: ""
// after 11 seconds: "done"
