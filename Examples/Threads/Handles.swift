import Runnel

@MainActor
final class Screen {
  let alarms = PushStream<String>()
  private(set) var title = "quiet"

  func show(_ text: String) {
    title = text
    EventLoop.main.stop()
  }
}

/// A library that calls back on a thread of its own.
func startSensor(_ callback: @escaping @Sendable (Int) -> Void) {
  let thread = WorkerPool(name: "sensor", size: 1)
  thread.execute { for degrees in [20, 95] { callback(degrees) } }
}

let screen = Screen()
screen.alarms.observeNext { print("alarm:", $0) }

let alarms = screen.alarms.remote  // a subject, a property, a collection or a bus
let handle = Remote(screen)  // any object
startSensor { degrees in
  if degrees > 90 {
    alarms.send { $0.next("\(degrees) degrees") }
    handle.sendToMain { $0.show("hot") }
  }
}
EventLoop.main.run()
print(screen.title)

// Output:
// alarm: 95 degrees
// hot
