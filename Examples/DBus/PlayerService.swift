import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)

let volume = Property(0.5)
let moved = PushStream<Int64>()
var player = BusInterface("org.example.Player")
player.method("Play", "title") { (title: String) throws(BusError) in
  if title.isEmpty { throw .invalidArguments("The title is empty.") }
  print("plays", title)
  moved.next(0)
}
player.method(
  "Search", "text", returning: "titles",
  later: { (text: String) throws(BusError) in
    Single<[String], BusError>.just([text])
  })
player.writableProperty("Volume", volume)
player.constant("Version", "1.0")
player.signal("Moved", "position", moved.stream)

bus.export(player, at: "/org/example/Player")
let name = bus.name("org.example.Player").share()
name.observe(next: { state in print(state) }, failed: { error in print(error) })

// The caller, which is a program of its own otherwise.
let caller = BusConnection(.session, on: .main)
let play = BusMethod(
  "Play", of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player")
do {
  try EventLoop.main.run(until: name)
  try EventLoop.main.run(until: caller.call(play, with: "Emma"))
  try EventLoop.main.run(until: caller.call(play, with: ""))
} catch {
  print(error)
}

// Output:
// owned
// plays Emma
// The title is empty.
