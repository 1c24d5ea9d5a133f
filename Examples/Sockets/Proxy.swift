import Runnel

let echo = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
echo.connections.observeNext { client in
  client.lines().map { "echo \($0)\n" }.bind(to: client.writer)
}

let proxy = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
proxy.connections.observeNext { client in
  Connection.connect(to: .address(echo.address), on: EventLoop.main).observe(
    succeeded: { client.relay(to: $0) }, failed: { _ in client.reset() })
}

let client = Connection.connect(to: .address(proxy.address), on: EventLoop.main)
let answers = client.do(succeeded: { _ = $0.write("hello\n") }).stream.flatMap { $0.lines() }
print(try EventLoop.main.run(until: answers) ?? "")

// Output:
// echo hello
