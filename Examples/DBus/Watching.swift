import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)

bus.state.filter { state in if case .lost = state { true } else { false } }
  .delay(for: .seconds(1), on: EventLoop.main)
  .observeNext { _ in bus.reconnect() }

bus.service("org.example.Player").observeNext { state in
  if case .present = state { print("The player runs.") }
}
let moved = SignalFilter("Moved", of: "org.example.Player", from: "org.example.Player")
let positions = bus.signals(moved).share()
positions.observe(next: { signal in
  print("position:", (try? signal.body.value(as: Int64.self)) ?? 0)
})

let player = RemoteProperties(
  of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player", on: bus)
let volume = player.property("Volume", as: Double.self)
volume.observeNext { volume in print("volume:", volume ?? 0) }

// The player, which is a program of its own otherwise.
let service = BusConnection(.session, on: .main)
let position = PushStream<Int64>()
var interface = BusInterface("org.example.Player")
interface.writableProperty("Volume", Property(0.25))
interface.property("Length", Property(UInt32(7)).readOnly, changes: .silent)
interface.signal("Moved", "position", position.stream)
service.export(interface, at: "/org/example/Player")
service.name("org.example.Player").observe(failed: { error in print(error) })

do {
  EventLoop.main.run(until: volume.filter { $0 == 0.25 })
  player.set("Volume", to: 0.5).observe(failed: { error in print(error) })
  EventLoop.main.run(until: volume.filter { $0 == 0.5 })
  let length = try EventLoop.main.run(until: player.read("Length", as: UInt32.self))
  print("length:", length ?? 0)
  position.next(7)
  try EventLoop.main.run(until: positions)
} catch {
  print(error)
}

// Output:
// volume: 0.0
// The player runs.
// volume: 0.25
// volume: 0.5
// length: 7
// position: 7
