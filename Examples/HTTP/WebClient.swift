import Runnel

// The server for this client.
let server = HTTPServer(on: EventLoop.main)
server.get("/hello/:name") { request in "Hello, \(request["name"])!" }
server.post("/count") { $0.body.text().map { "\($0.utf8.count)" } }
server.get("/clock") { _ in
  EventStream.interval(.milliseconds(1)).map { ServerSentEvent("\($0)") }
}
let listener = try server.listen(.tcp("localhost", port: 0))
let place = "http://\(listener.address)"

let client = HTTPClient(on: EventLoop.main)
client.credentialHeaders.append("X-Session")
client.timeLimits.total = .seconds(30)

let greeting = client.get("\(place)/hello/Jim").text(atMost: 1 << 20)
greeting.observe(succeeded: { print($0) }, failed: { print($0) })
try EventLoop.main.run(until: greeting.stream)

let rows = EventStream<Int, Never>.sequence(1...3)
let upload = HTTPRequest(
  .post, "\(place)/count", body: HTTPBody(rows.map { Array("\($0)\n".utf8) }))
let response = client.exchange(upload)
if let response = try EventLoop.main.run(until: response.stream) { print(response.status) }

let events = client.events("\(place)/clock").take(3)
for event in try EventLoop.main.run(until: events.toArray().stream) ?? [] { print(event.data) }

// Output:
// Hello, Jim!
// 200 OK
// 0
// 1
// 2
