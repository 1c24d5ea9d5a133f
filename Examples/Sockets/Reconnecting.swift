import Runnel

enum LinkError: Error {
  case ended
  case failed(SocketError)
}

// A server that greets, and ends each connection.
let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  _ = client.write("hello\n")
  client.close()
}

let answers = Connection.connect(to: .address(server.address), on: EventLoop.main).stream
  .flatMap { $0.lines() }
  .mapFailure { LinkError.failed($0) }
  .append(.failed(.ended))
  .retry(backoff: Backoff(initial: .milliseconds(100), maximum: .seconds(30)))
print(try EventLoop.main.run(until: answers.take(2).toArray().stream) ?? [])

// Output:
// ["hello", "hello"]
