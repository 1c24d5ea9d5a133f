import Runnel

struct Saved { let title: String }
struct Closed {}

let bus = EventBus(name: "bus")
bus.trace.observeNext { print($0) }  // bus: Saved(title: "Emma") → list (bus)
bus.unheard.observeNext { print("Nobody observes \(type(of: $0.event)).") }
bus.events(Saved.self, name: "list").observeNext { print($0.title) }
bus.publish(Saved(title: "Emma"))
bus.publish(Closed())

// Output:
// Emma
// bus: Saved(title: "Emma") → list (bus)
// Nobody observes Closed.
// bus: Closed() → nobody
