import Runnel

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
}

Task {
  if let client = try await Connection.connect(to: .address(server.address), on: .main).value() {
    _ = client.write("hello\n")
    for try await line in client.lines().take(1).values { print(line) }
  }
  EventLoop.main.stop()
}
EventLoop.main.run()

// Output:
// echo hello
