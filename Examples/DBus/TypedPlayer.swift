import Runnel
import RunnelDBus

@BusInterface("org.example.Player")
@MainActor protocol Player {
  func play(_ title: String) throws(BusError)
  func search(for text: String) async throws(BusError) -> [String]
  var volume: Property<Double> { get }
  var version: String { get }
  var moved: EventStream<Int64, Never> { get }
}

final class MusicPlayer: Player {
  let volume = Property(0.5)
  let version = "1.0"
  private let positions = PushStream<Int64>()
  var moved: EventStream<Int64, Never> { positions.stream }

  func play(_ title: String) throws(BusError) {
    if title.isEmpty { throw .invalidArguments("The title is empty.") }
    print("plays", title)
    positions.next(0)
  }

  func search(for text: String) async throws(BusError) -> [String] {
    ["Emma", "Dune"].filter { $0.contains(text) }
  }
}

let bus = BusConnection(.session, on: .main)
bus.export(MusicPlayer(), as: PlayerProxy.self, at: "/org/example/Player")
let name = bus.name("org.example.Player").share()
name.observe(next: { state in print(state) }, failed: { error in print(error) })
do {
  try EventLoop.main.run(until: name)
} catch {
  print(error)
}

// The caller, which is a program of its own otherwise.
let caller = BusConnection(.session, on: .main)
let player = PlayerProxy(at: "/org/example/Player", from: "org.example.Player", on: caller)
player.moved.observe(next: { position in print("position:", position) })
player.volume.observeNext { volume in print("volume:", volume ?? 0) }
player.play("Emma").observe(failed: { error in print(error) })
EventLoop.main.run(until: player.volume.filter { $0 == 0.5 })
player.volume.set(0.75).observe(failed: { error in print(error) })
EventLoop.main.run(until: player.volume.filter { $0 == 0.75 })

Task {
  do {
    print(try await player.search(for: "un"))
    try await player.play("")
  } catch {
    print(error)
  }
  EventLoop.main.stop()
}
EventLoop.main.run()

// Output:
// owned
// volume: 0.0
// plays Emma
// position: 0
// volume: 0.5
// volume: 0.75
// ["Dune"]
// The title is empty.
