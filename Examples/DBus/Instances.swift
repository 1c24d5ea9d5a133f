import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)

let first = SingleInstance("org.example.Notes", on: bus)
let running = first.start { request in
  switch request {
  case .activate: print("shows its window")
  case .arguments(let words, _): print("does", words.joined(separator: " "))
  case .open(let addresses): print("opens", addresses)
  case .action(let name, _): print("performs", name)
  }
}
.share()
running.observe(next: { role in print(role) }, failed: { error in print(error) })

do {
  try EventLoop.main.run(until: running)
  // The second start, which is another process otherwise.
  let second = SingleInstance("org.example.Notes", on: BusConnection(.session, on: .main))
  let request = SingleInstance.Request.arguments(["open", "Plans"], folder: "/home/emma")
  let role = try EventLoop.main.run(until: second.start(with: request) { _ in })
  print(role.map { "\($0)" } ?? "ended")
} catch {
  print(error)
}

// Output:
// first
// does open Plans
// handedOver
