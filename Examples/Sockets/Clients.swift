import Runnel

let listener = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
listener.connections.observeNext { client in
  client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
}

let options = ConnectionOptions {
  $0.timeout = .seconds(5)
  $0.keepAlive = ConnectionOptions.KeepAlive(idle: .seconds(30))
}
Connection.connect(to: .address(listener.address), options: options, on: EventLoop.main).observe(
  succeeded: { server in
    _ = server.write("hello\n")
    server.finish()
    server.lines().observe(
      next: { print($0) }, failed: { print($0) },
      completed: {
        print("end")
        EventLoop.main.stop()
      })
  }, failed: { error in print(error) })
EventLoop.main.run()

// Output:
// echo hello
// end
