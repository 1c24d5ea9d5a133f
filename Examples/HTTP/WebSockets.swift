import Runnel

@MainActor final class Rooms {
  private let rooms = ["lobby": PushStream<String>()]
  func room(named name: String) -> PushStream<String> { rooms[name] ?? PushStream() }
}

let rooms = Rooms()
let server = HTTPServer(on: EventLoop.main)
server.webSocket("/echo") { socket in socket.texts.bind(to: socket) }
server.webSocket("/rooms/:name") { request, socket in
  socket.overflow = .fail  // a slow member must not stop the others
  let room = rooms.room(named: request["name"])
  room.bind(to: socket)
  socket.texts.bind(to: room)
}

let listener = try server.listen(.tcp("localhost", port: 0))
let client = HTTPClient(on: EventLoop.main)
let echo = client.webSocket("ws://\(listener.address)/echo")
let texts = echo.do(succeeded: { _ = $0.send("hello") }).stream.flatMap { $0.texts }
print(try EventLoop.main.run(until: texts) ?? "")

// Output:
// hello
