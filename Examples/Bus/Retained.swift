import Runnel

enum Theme { case light, dark }

let bus = EventBus()
bus.publish(sticky: Theme.dark)
bus.events(Theme.self).observeNext { print($0) }  // receives .dark at once

// Output:
// dark
