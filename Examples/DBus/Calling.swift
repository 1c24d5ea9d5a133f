import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)
let setVolume = BusMethod(
  "SetVolume", of: "org.example.Player", at: "/org/example/Player", from: "org.example.Player")

let call = bus.call(setVolume, timeout: .seconds(2), startsService: false, with: 0.5)
call.observe(
  succeeded: { _ in EventLoop.main.stop() },
  failed: { error in
    switch error {
    case .serviceAbsent(let name): print("\(name) does not run.")
    case .timedOut: print("The player is busy.")
    default: print(error)
    }
    EventLoop.main.stop()
  })
EventLoop.main.run()

// Output:
// org.example.Player does not run.
