import Runnel

let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in
  _ = client.write("here it comes\n")
  client.writer.sending(file: "/etc/hostname").observe(
    completed: { client.finish() }, failed: { print($0) })
}

let reader = Connection.connect(to: .address(server.address), on: EventLoop.main)
let lines = reader.stream.flatMap { $0.lines() }.toArray()
if let lines = try EventLoop.main.run(until: lines.stream) {
  print(lines[0], "and \(lines.count - 1) line")
}

// Output:
// here it comes and 1 line
