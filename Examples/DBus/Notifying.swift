import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)
let notify = BusMethod(
  "Notify", of: "org.freedesktop.Notifications", at: "/org/freedesktop/Notifications",
  from: "org.freedesktop.Notifications")
let hints = ["urgency": Variant(UInt8(1))]
let notified = bus.call(
  notify, with: "Notes", UInt32(0), "", "Saved", "All notes are on the disk.", [String](), hints,
  Int32(-1))
do {
  let reply = try EventLoop.main.run(until: notified)
  print("notification", try reply?.value(as: UInt32.self) ?? 0)
} catch {
  print(error)
}

// Output:
// notification 1
