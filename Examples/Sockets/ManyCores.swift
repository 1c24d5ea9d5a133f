import Runnel

let group = LoopGroup(name: "chat")
let rooms = group.perLoop { _ in PushStream<String>() }
let server = try group.listen(.tcp("localhost", port: 0)) { client in
  client.writer.overflow = .fail
  rooms.current.bind(to: client.writer)
  client.lines().observe(
    next: { line in rooms.send { $0.next("\(line)\n") } }, failed: { _ in })
}
rooms.send { $0.next("welcome\n") }

let guest = Connection.connect(to: .address(server.address), on: EventLoop.main)
let lines = guest.do(succeeded: { _ = $0.write("hello\n") }).stream.flatMap { $0.lines() }
print(try EventLoop.main.run(until: lines.filter { $0 == "hello" }) ?? "")

server.close(within: .zero).observe(completed: {
  group.stop()
  EventLoop.main.stop()
})
EventLoop.main.run()
group.join()

// Output:
// hello
