import Runnel
import RunnelDBus

@BusInterface("org.example.Player")
protocol Player {
  func play(_ title: String) throws(BusError)
  var title: ReadOnlyProperty<String> { get }
}

final class MusicPlayer: Player {
  private let current = Property("")
  var title: ReadOnlyProperty<String> { current.readOnly }

  func play(_ title: String) throws(BusError) {
    if title.isEmpty { throw .invalidArguments("The title is empty.") }
    current.value = title
  }
}

let (server, client) = try BusConnection.pair(on: .main)
server.export(MusicPlayer(), as: PlayerProxy.self, at: "/org/example/Player")
let player = PlayerProxy(at: "/org/example/Player", from: nil, on: client)
try EventLoop.main.run(until: player.play("Emma"))
let title = EventLoop.main.run(until: player.title.filter { $0 == "Emma" })
print("plays", (title ?? nil) ?? "nothing")
do {
  try EventLoop.main.run(until: player.play(""))
} catch {
  print(error)
}

// Output:
// plays Emma
// The title is empty.
