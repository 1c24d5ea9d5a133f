import Runnel

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { connection in
  connection.bytes.reduce(0) { $0 + $1.count }.observe(
    succeeded: { _ = connection.write("\($0) bytes\n") }, failed: { print($0) })
}

Connection.connect(to: .address(server.address), on: EventLoop.main).observe(
  succeeded: { client in
    _ = client.write("some request")
    client.finish()
    client.lines().observe(
      next: { print($0) }, failed: { print($0) }, completed: { EventLoop.main.stop() })
  }, failed: { print($0) })
EventLoop.main.run()

// Output:
// 12 bytes
