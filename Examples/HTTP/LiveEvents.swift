import Runnel

let server = HTTPServer(on: EventLoop.main)
server.get("/clock") { request in
  EventStream.interval(.milliseconds(10)).map { ServerSentEvent("\($0)", id: "\($0)") }
}
let news = PushStream<ServerSentEvent>()
server.get("/news") { _ in news }
news.next(ServerSentEvent("to all clients"))
server.heartbeat = .seconds(5)

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
let events = client.events("http://\(listener.address)/clock").take(3).map { $0.data }
print(try EventLoop.main.run(until: events.toArray().stream) ?? [])

// Output:
// ["0", "1", "2"]
