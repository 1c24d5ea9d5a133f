import Glibc
import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)

var light = BusInterface("org.example.Light")
light.writableProperty("IsOn", Property(false))
light.writableProperty("IsLocked", Property(false))
let exported = bus.export(light, at: "/org/example/Light") { call in
  call.access == .read || call.name == "IsOn" && call.caller.user == getuid()
}

bus.name("org.example.Light").observe(failed: { error in print(error) })

// The caller, which is a program of its own otherwise.
let caller = BusConnection(.session, on: .main)
let remote = RemoteProperties(
  of: "org.example.Light", at: "/org/example/Light", from: "org.example.Light", on: caller)
let isOn = remote.property("IsOn", as: Bool.self)
EventLoop.main.run(until: isOn.filter { $0 == false })
do {
  try EventLoop.main.run(until: remote.set("IsOn", to: true))
  EventLoop.main.run(until: isOn.filter { $0 == true })
  print("The light is on.")
  try EventLoop.main.run(until: remote.set("IsLocked", to: true))
} catch {
  print(error)
}
exported.dispose()

// Output:
// The light is on.
// The caller may not write org.example.Light.IsLocked.
