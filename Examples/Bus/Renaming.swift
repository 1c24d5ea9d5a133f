import Runnel

struct Renamed { let title: String }
let bus = EventBus()
bus.events(Renamed.self).observeNext { print($0.title) }
bus.publish(Renamed(title: "Emma"))

// Output:
// Emma
