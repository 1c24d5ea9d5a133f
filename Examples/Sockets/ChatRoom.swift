import Runnel

@MainActor
final class Room {
  private let texts = PushStream<String>()

  func join(_ client: Connection) {
    client.writer.overflow = .fail
    client.timeLimits = TimeLimits(idle: .seconds(600), writing: .seconds(30))
    texts.bind(to: client.writer)
    client.lines(longest: 1_000).observe(
      next: { line in self.texts.next("guest: \(line)\n") },
      failed: { error in self.texts.next("* \(error)\n") },
      completed: { self.texts.next("* a guest left\n") })
  }
}

let room = Room()
let server = try Listener(.tcp("localhost", port: 0), on: EventLoop.main)
server.connections.observeNext { client in room.join(client) }

// A guest who says one thing.
let guest = Connection.connect(to: .address(server.address), on: EventLoop.main)
let heard = guest.do(succeeded: { _ = $0.write("hello\n") }).stream.flatMap { $0.lines() }.take(1)
print(try EventLoop.main.run(until: heard) ?? "")

// Output:
// guest: hello
