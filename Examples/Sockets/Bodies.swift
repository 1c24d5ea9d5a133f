import Runnel

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  let counts = client.lines().take(1).compactMap { Int($0) }.filter { (1...1_000_000).contains($0) }
  counts.observe(
    next: { count in
      client.messages(framed: .fixed(count)).take(1).observe(
        next: { body in
          print(String(decoding: body, as: UTF8.self))
          EventLoop.main.stop()
        })
    })
}

Connection.connect(to: .address(server.address), on: EventLoop.main).observe(
  succeeded: { server in _ = server.write("5\nhello") }, failed: { print($0) })
EventLoop.main.run()

// Output:
// hello
