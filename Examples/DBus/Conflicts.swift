import Runnel
import RunnelDBus

let bus = BusConnection(.session, on: .main)
let notifications = DesktopNotifications(of: "Notes", on: bus)
var conflict = DesktopNotification("Conflict", text: "Another device has changed Plans.")
conflict.actions = [.init("open", "Open")]
notifications.show(conflict).observe(
  next: { event in if event == .invoked("open") { print("opens Plans") } },
  failed: { error in print(error) },
  completed: { EventLoop.main.stop() })

let appearance = DesktopAppearance(on: bus)
appearance.colorScheme.observeNext { scheme in
  print("dark:", scheme.map { $0 == .dark } ?? "unknown")
}

let system = BusConnection(.system, on: .main)
let login = LoginManager(of: "Notes", on: system)
let sleep = login.delayingSleep(because: "Notes saves drafts.") {
  Completable { finish in
    print("saves drafts")
    finish(.completed)
    return .none
  }
}
sleep.observe(next: { event in print(event) }, failed: { error in print(error) })
EventLoop.main.run()

// Output:
// dark: unknown
// opens Plans
