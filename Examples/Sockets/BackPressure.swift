import Runnel

let worker = EventLoop(name: "worker")
@Sendable func digest(of line: String) -> Int { line.utf8.reduce(0) { $0 + Int($1) } }

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  let demand = Demand(4)
  client.lines(demand: demand)
    .via(worker) { $0.map { digest(of: $0) } }
    .observe(
      next: { result in
        _ = client.write("\(result)\n")
        demand.request(1)
      }, failed: { print($0) })
}

Connection.connect(to: .address(server.address), on: EventLoop.main).observe(
  succeeded: { client in
    EventStream<Int, Never>.interval(.milliseconds(1))
      .filter { _ in client.writer.isWritable.value }
      .map { "\($0)\n" }
      .bind(to: client.writer)
    client.writer.writing("done\n").observe(
      completed: { print("the system has it") }, failed: { print($0) })
    client.lines().take(10).toArray().observe(
      succeeded: {
        print("\($0.count) results"); EventLoop.main.stop()
      }, failed: { print($0) })
  }, failed: { print($0) })
EventLoop.main.run()

// Output:
// the system has it
// 10 results
